/**
 * Counts the drafts, of all releases, that a change of types breaks. Only what a draft sets counts: the other values of its asset are counted
 * with the assets, what is missing may be filled in until the publication, and unique values are compared then.
 */
import type { Problem } from '../../base/errors.ts';
import type { Asset, Catalog, ContentType } from '../../model/content-type.ts';
import { allOf } from '../../query/build-comparison.ts';
import type { ContentStore } from '../../store/port.ts';
import { draftClass, toDraftRecord } from '../drafts/draft-record.ts';
import { ofClasses } from '../drafts/draft-source.ts';
import { toPresentNames } from '../drafts/present-names.ts';
import { type CountedType, countUnfit } from './count-unfit.ts';

/** Counts the drafts of one type until the signal; `findProblems` checks an asset with the values of a draft. Errors: the store's. */
export function countDraftBreaks({
  old,
  after,
  store,
  findProblems,
  ...limits
}: {
  old: ContentType;
  after: Catalog;
  store: Pick<ContentStore, 'find'>;
  findProblems: (asset: Asset) => readonly Problem[];
  maxIds: number;
  signal: AbortSignal;
}): Promise<CountedType> {
  const ofType = ofClasses([old.class, ...old.formerClasses]);
  return countUnfit({
    ...limits,
    type: draftClass,
    store: {
      find: ({ where, ...request }) =>
        store.find({ ...request, where: where ? allOf([ofType, where]) : ofType }),
    },
    findProblems: (stored) => {
      const record = toDraftRecord(stored);
      if (record.action === 'delete') return [];
      const names = [record, toPresentNames(record, after)].flatMap(({ set }) => Object.keys(set));
      const problems = findProblems({ _id: record.asset, _type: record.type, ...record.set });
      return problems.filter(({ path }) => path === '' || names.some((name) => isWithin(path, name)));
    },
    nameOf: (stored) => toDraftRecord(stored).asset,
  });
}

/** Whether a path leads to a field or into its value. */
const isWithin = (path: string, name: string) =>
  path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`);
