/**
 * Counts the stored assets, and the drafts of all releases, that fit their type and would not fit it after a change of types: what the
 * change breaks. Only assets of types that change are read. Rules that an asset breaks already do not count.
 */

import type { Problem } from '../../base/errors.ts';
import type { Asset, Catalog, ContentType } from '../../model/content-type.ts';
import { keyName } from '../../model/field-path.ts';
import { createStoredCheck, toNewShape } from '../../model/values/check-stored.ts';
import { allOf } from '../../query/build-comparison.ts';
import { orderRuleOf } from '../../query/sort.ts';
import { listTypeKeys, type TypeKey, uniqueKeysAt } from '../../query/unique-values.ts';
import type { ContentStore } from '../../store/port.ts';
import { findNewType } from '../../types/find-type-changes.ts';
import { shapeOf } from '../../types/type-shape.ts';
import { draftClass, toDraftRecord } from '../drafts/draft.ts';
import { ofClasses, toPresentNames } from '../drafts/draft-source.ts';
import { type BrokenRule, type CountedType, countUnfit } from './find-unfit.ts';

/** The assets of one type that a change breaks. */
export interface TypeBreaks {
  /** The class name before the change. */
  readonly type: string;
  /** How many assets of the type were checked, or exist if the type is removed. */
  readonly assets: number;
  /** How many of them the change breaks. */
  readonly broken: number;
  readonly rules: readonly BrokenRule[];
}

/** The assets that a change breaks. */
export interface ContentBreaks {
  /** Whether all assets of the changed types were checked, rather than those until the signal. */
  readonly isComplete: boolean;
  /** The changed types that have assets, also those of which no asset is broken. */
  readonly types: readonly TypeBreaks[];
  /** The same for the drafts of all releases; rules name the drafts by their assets. */
  readonly drafts: readonly TypeBreaks[];
}

export type AssetSource = Pick<ContentStore, 'find'>;

/** The types before and after a change. */
interface Change {
  readonly before: Catalog;
  readonly after: Catalog;
}

/** How many assets are named for each rule. */
const maxIds = 10;
/** The most unique values of a type that are compared, which bounds memory. */
const maxUniqueValues = 1_000_000;

/** Counts the assets of all changed types until the signal. Errors: the store's. */
export async function countBreaks(
  store: AssetSource,
  change: Change,
  signal: AbortSignal,
): Promise<ContentBreaks> {
  const createFinder = createProblemFinders(change);
  const types: TypeBreaks[] = [];
  const drafts: TypeBreaks[] = [];
  const limits = { store, maxIds, signal };
  let isComplete = true;
  for (const old of change.before.types.values()) {
    if (signal.aborted) return { isComplete: false, types, drafts };
    const now = findNewType(change.after, old.class);
    if (now?.kind !== 'object') {
      types.push(...(await countRemoved(store, old.class)));
      const counted = await countDraftBreaks({ ...limits, old, after: change.after, findProblems: removed });
      isComplete &&= counted.isComplete;
      drafts.push(...toBreaks(old, counted));
    } else if (mayBreak(old, now)) {
      const finder = createFinder(old, now);
      const counted = await countUnfit({ ...limits, type: old.class, findProblems: finder.find });
      types.push(...toBreaks(old, counted));
      const findProblems = finder.findBroken;
      const drafted = await countDraftBreaks({ ...limits, old, after: change.after, findProblems });
      drafts.push(...toBreaks(old, drafted));
      isComplete &&= counted.isComplete && drafted.isComplete && finder.isExact();
    }
  }
  return { isComplete, types, drafts };
}

const toBreaks = (
  { class: type }: ContentType,
  { assets, unfit: broken, rules }: CountedType,
): TypeBreaks[] => (assets > 0 ? [{ type, assets, broken, rules }] : []);

/** The problem of every asset whose type is removed. */
const removed = () => [{ path: '', message: 'the content type is removed' }];

/** Creates the function that creates the check of one type's assets: for the rules they break by the change only. */
function createProblemFinders({ before, after }: Change) {
  const check = { before: createStoredCheck(before), after: createStoredCheck(after) };
  return (old: ContentType, now: ContentType) => {
    const uniqueness = createUniqueCheck(old, now);
    const findBroken = (stored: Asset): Problem[] => {
      const problems = check.after(stored)?.problems ?? [];
      const known = problems.length > 0 ? (check.before(stored)?.problems ?? []).map(textOf) : [];
      return problems.filter((problem) => !known.includes(textOf(problem)));
    };
    return {
      find: (stored: Asset) => [...findBroken(stored), ...uniqueness.find(toNewShape(stored, now, after))],
      /** As `find`, without unique values. */
      findBroken,
      isExact: uniqueness.isExact,
    };
  };
}

/** Tells whether a change of a type can break any asset. */
function mayBreak(old: ContentType, now: ContentType): boolean {
  return shapeOf(old) !== shapeOf(now) || newKeys(old, now).length > 0;
}

async function countRemoved(store: AssetSource, type: string): Promise<TypeBreaks[]> {
  const { count = 0, items } = await store.find({ types: [type], offset: 0, limit: maxIds, withCount: true });
  if (count === 0) return [];
  const ids = items.map(({ asset }) => asset._id);
  const rules = removed().map((rule) => ({ ...rule, count, ids }));
  return [{ type, assets: count, broken: count, rules }];
}

const textOf = ({ path, message }: Problem) => `${path}\0${message}`;

function newKeys(old: ContentType, now: ContentType) {
  // With another order, other values are equal.
  const nameOf = ({ paths, among }: TypeKey) => {
    const fields = paths.map(({ text, leaf }) => `${text} ${orderRuleOf(leaf)}`).sort();
    return JSON.stringify([fields, among?.predicate]);
  };
  const known = new Set(listTypeKeys(old).map(nameOf));
  return listTypeKeys(now).filter((key) => !known.has(nameOf(key)));
}

/** Creates the check of fields that become unique: an asset breaks it with a value that an asset before it has. */
function createUniqueCheck(old: ContentType, now: ContentType) {
  const keys = newKeys(old, now);
  const seen = new Set<string>();
  let isExact = true;
  return {
    find(asset: Asset): Problem[] {
      return uniqueKeysAt(keys, now.class, asset).flatMap(({ paths, text }) => {
        if (seen.has(text)) {
          const values = paths.length > 1 ? 'these values' : 'the value';
          return [{ path: keyName(paths), message: `must be unique, and another asset has ${values}` }];
        }
        if (seen.size < maxUniqueValues) seen.add(text);
        else isExact = false;
        return [];
      });
    },
    isExact: () => isExact,
  };
}

/** Counts the drafts of one type until the signal; `findProblems` checks an asset with the values of a draft. Errors: the store's. */
function countDraftBreaks({
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
