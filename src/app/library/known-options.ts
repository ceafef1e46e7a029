/**
 * The options of the library's calls. One that is not known is refused, since a misspelt condition would never be checked.
 */
import { invalidParameter } from '../../base/errors.ts';
import type {
  AssetQuery,
  Batch,
  BatchOperation,
  FileNames,
  UpdateOptions,
  VersionCondition,
} from './colophon.ts';

/** Lists the members of an object type, of which the table leaves none out. */
const membersOf = <Options>(table: Record<keyof Options, true>): readonly string[] => Object.keys(table);

type Operation<Action> = Extract<BatchOperation, { action: Action }>;
type Changing = Extract<BatchOperation, { baseVersion?: unknown }>;

/** The options of each call, and the members of what they contain. */
const known = {
  query: membersOf<AssetQuery>({
    from: true,
    where: true,
    values: true,
    offset: true,
    limit: true,
    sort: true,
  }),
  sortKey: membersOf<NonNullable<AssetQuery['sort']>[number]>({ field: true, descending: true }),
  update: membersOf<UpdateOptions>({ ifVersion: true, baseVersion: true }),
  condition: membersOf<VersionCondition>({ ifVersion: true }),
  file: membersOf<FileNames>({ name: true }),
  batch: membersOf<Batch>({
    operations: true,
    atomic: true,
    references: true,
    updateDates: true,
    skipUnchanged: true,
  }),
  create: membersOf<Operation<'create'>>({ action: true, asset: true }),
  change: membersOf<Changing>({ action: true, asset: true, by: true, ifVersion: true, baseVersion: true }),
  replace: membersOf<Operation<'replace'>>({ action: true, asset: true, by: true }),
  patch: membersOf<Operation<'patch'>>({ action: true, id: true, patch: true, ifVersion: true }),
  delete: membersOf<Operation<'delete'>>({ action: true, id: true, ifVersion: true }),
};

/** Refuses options with a name that is not known, unless they are undefined. Errors: invalid_parameter. */
export function assertKnown(options: object, of: keyof typeof known): void {
  if (typeof options !== 'object' || options === null) {
    throw invalidParameter('options', 'must be an object');
  }
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || known[of].includes(name)) continue;
    throw invalidParameter(name, `is not known here; there are ${known[of].join(', ')}`);
  }
}
