/**
 * The names that the assets of a store may have: those of every catalog that the store was prepared for.
 *
 * Each store keeps this record, to which `prepare` and `serve` only add. It decides under which of its names a renamed field is stored.
 */
import type { Catalog, ContentType, Field } from '../../model/content-type.ts';
import { fieldPaths } from '../../model/field-path.ts';
import type { BackfillState } from '../backfill-calls.ts';

/** The paths of fields, in JSON names (`address.city`), by class name. */
export type RecordedNames = ReadonlyMap<string, ReadonlySet<string>>;

/** What decides under which names the content of a store is stored. */
export interface StoredNames {
  readonly names: RecordedNames;
  /** The state of the backfill; absent if none has ever begun. */
  readonly backfill?: BackfillState;
}

/** Returns the paths that a store records for a type: without copies, since the record tells where the values are. */
export const namesOf = ({ fields }: Pick<ContentType, 'fields'>): readonly string[] =>
  fieldPaths(fields).flatMap(({ path, field }) => (field.isCopy ? [] : [path.text]));

/**
 * Tells whether content may be stored in another form than that of the catalog: under former names, without required fields, or with
 * dropped ones.
 */
export const hasFormerContent = ({ types }: Catalog): boolean =>
  [...types.values()].some(
    ({ formerClasses, dropped, fields }) =>
      formerClasses.length > 0 ||
      dropped.length > 0 ||
      fieldPaths(fields).some(({ field }) => isNew(field) || hasDropped(field)),
  );

const isNew = ({ formerNames, required, default: value }: Field) =>
  formerNames.length > 0 || (required && value !== undefined);

const hasDropped = ({ type }: Field) => type.kind === 'embedded' && type.type.dropped.length > 0;
