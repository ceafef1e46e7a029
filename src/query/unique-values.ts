/**
 * Keys of content types and their values in assets: no two assets of a type have the same.
 *
 * A key is a unique field, or several fields that are unique together. An asset has it if all its fields have a value; an absent site
 * owner counts as one, the global site. Only assets that meet its condition have a key with one.
 */
import { type Asset, type Catalog, type ContentType, siteOwnerField } from '../model/content-type.ts';
import {
  conditionalKeysOf,
  type FieldPath,
  type KeyPaths,
  keyName,
  keysOfType,
} from '../model/field-path.ts';
import type { BoundPredicate, BoundValue } from './ast.ts';
import { type Condition, readCondition } from './conditions.ts';
import { findValues } from './path-values.ts';
import { toWrittenValue } from './sort.ts';

/** The value of one field of a key; `undefined` is the global site. */
type KeyValue = BoundValue | undefined;
/** The values of all fields of a key. */
export type KeyValues = readonly KeyValue[];

/** The values of a key, which at most one asset of the type has. */
export interface UniqueKey {
  /** A class name. */
  readonly type: string;
  readonly paths: KeyPaths;
  readonly values: KeyValues;
  /** What the assets that can have the key meet; absent for keys of all assets. */
  readonly among?: BoundPredicate;
  /** The key as text: equal only for equal keys. */
  readonly text: string;
}

/** Tells whether a field of a key of several fields may be absent. */
export const isOptionalInKey = (paths: KeyPaths, { text }: FieldPath) =>
  paths.length > 1 && text === siteOwnerField;

/** Finds the values that an asset has in a key; `undefined` if it does not have the key. */
export function findKeyValues(asset: Asset, paths: KeyPaths): KeyValue[] | undefined {
  const values = paths.map((path) => findValues(asset, path)[0]);
  const isWhole = paths.every((path, n) => values[n] !== undefined || isOptionalInKey(paths, path));
  return isWhole ? values : undefined;
}

/** Writes the values of a key as clients do. */
export const writeKey = ({ paths, values }: Pick<UniqueKey, 'paths' | 'values'>): string =>
  paths.map((path, n) => writeValue(path, values[n])).join(', ');

const writeValue = (path: FieldPath, value: KeyValue) =>
  value === undefined ? 'global' : String(toWrittenValue(path, value));

export const toUniqueKey = (type: string, paths: KeyPaths, values: KeyValues): UniqueKey => ({
  type,
  paths,
  values,
  text: JSON.stringify([type, keyName(paths), ...values]),
});

/** A key of a type, with its condition if it has one. */
export interface TypeKey {
  readonly paths: KeyPaths;
  readonly among?: Condition;
}

/** Lists the keys of a type, those with a condition too. */
export const listTypeKeys = (type: ContentType): TypeKey[] => [
  ...keysOfType(type).map((paths) => ({ paths })),
  ...conditionalKeysOf(type).map(({ paths, condition }) => ({ paths, among: readCondition(condition) })),
];

/** Returns those of some keys of a type that an asset has. */
export const uniqueKeysAt = (keys: readonly TypeKey[], type: string, asset: Asset): UniqueKey[] =>
  keys.flatMap(({ paths, among }) => {
    const values = findKeyValues(asset, paths);
    if (!values || among?.holds(asset) === false) return [];
    const key = toUniqueKey(type, paths, values);
    return among ? [toKeyAmong(key, among.predicate)] : [key];
  });

const toKeyAmong = ({ text, ...key }: UniqueKey, among: BoundPredicate): UniqueKey => ({
  ...key,
  among,
  text: `${text} ${JSON.stringify(among)}`,
});

export type KeysOf = (asset: Asset) => readonly UniqueKey[];

/** Creates the function for the types of a catalog. */
export function createKeysOf(catalog: Catalog): KeysOf {
  const keys = new Map([...catalog.types.values()].map((type) => [type.class, listTypeKeys(type)]));
  return (asset) => uniqueKeysAt(keys.get(asset._type) ?? [], asset._type, asset);
}

/** The most keys that one search looks up, and the most comparisons that it has; stores use their indexes for so many. */
const keysAtOnce = 1_000;
const comparisonsAtOnce = 32;

/** Makes the searches for the assets that have these keys, as few as possible. */
export function* holderSearches(keys: readonly UniqueKey[]) {
  const nameOf = ({ type, paths, among }: UniqueKey) =>
    [type, keyName(paths), ...(among ? [JSON.stringify(among)] : [])].join(' ');
  for (const ofName of Map.groupBy(keys, nameOf).values()) {
    const [first] = ofName;
    if (!first) continue;
    const { type, paths } = first;
    for (const terms of packAlternatives(groupKeys(ofName, first), comparisonsAtOnce / paths.length)) {
      // One more shows that two assets have the same key, as drafts of a release may.
      const limit = terms.reduce((sum, { count }) => sum + count, 1);
      const where = join(
        'or',
        terms.map(({ term }) => term),
      );
      yield { types: [type], where, offset: 0, limit, withCount: false };
    }
  }
}

function packAlternatives(alternatives: readonly Alternative[], most: number): Alternative[][] {
  const packs: Alternative[][] = [];
  let count = 0;
  for (const alternative of alternatives) {
    count += alternative.count;
    const last = packs.at(-1);
    if (!last || count > keysAtOnce || last.length + 1 > most) {
      packs.push([alternative]);
      count = alternative.count;
    } else last.push(alternative);
  }
  return packs;
}

interface Alternative {
  readonly term: BoundPredicate;
  readonly count: number;
}

/** Groups keys that differ in one field, so that one term finds those of a group. */
function groupKeys(
  keys: readonly UniqueKey[],
  { paths, among }: Pick<UniqueKey, 'paths' | 'among'>,
): Alternative[] {
  const distinct = paths.map((_, n) => new Set(keys.map(({ values }) => values[n])));
  const varied = distinct.reduce((most, { size }, n) => (size > (distinct[most]?.size ?? 0) ? n : most), 0);
  const groups = Map.groupBy(keys, ({ values }) =>
    JSON.stringify(values.map((value, n) => (n === varied && value !== undefined ? '' : [value]))),
  );
  return [...groups.values()].flatMap((group) => {
    const values = [...new Set(group.map((key) => key.values[varied]))];
    const chunks = Array.from({ length: Math.ceil(values.length / keysAtOnce) }, (_, n) =>
      values.slice(n * keysAtOnce, (n + 1) * keysAtOnce),
    );
    const [first] = group;
    return chunks.map((chunk) => {
      const terms = paths.map((path, n) => toTerm(path, n === varied ? chunk : [first?.values[n]]));
      return { term: join('and', [...terms, ...conditionTerms(among)]), count: chunk.length };
    });
  });
}

function toTerm(path: FieldPath, values: readonly KeyValue[]): BoundPredicate {
  const present = values.filter((value) => value !== undefined);
  return present.length > 0
    ? { kind: 'equals', path, values: present, ignoreCase: false }
    : { kind: 'missing', path };
}

/** Two negations around a condition distinguish it from the terms of fields. */
const conditionTerms = (among: BoundPredicate | undefined): BoundPredicate[] =>
  among ? [{ kind: 'not', term: { kind: 'not', term: among } }] : [];

/** Returns the condition that two negations surround. */
const conditionIn = (term: BoundPredicate): BoundPredicate | undefined =>
  term.kind === 'not' && term.term.kind === 'not' ? term.term.term : undefined;

function join(kind: 'and' | 'or', terms: readonly BoundPredicate[]): BoundPredicate {
  const [first, ...others] = terms;
  return first && others.length === 0 ? first : { kind, terms };
}

/** Returns the predicate that finds the asset with a key. */
export const hasKey = ({
  paths,
  values,
  among,
}: Pick<UniqueKey, 'paths' | 'values' | 'among'>): BoundPredicate =>
  join('and', [...paths.map((path, n) => toTerm(path, [values[n]])), ...conditionTerms(among)]);

/** Returns the keys that one of the `holderSearches` looks up. */
export function keysSoughtBy({
  types,
  where,
}: {
  readonly types: readonly string[];
  readonly where?: BoundPredicate;
}): UniqueKey[] {
  const alternatives = where?.kind === 'or' ? where.terms : where ? [where] : [];
  return types.flatMap((type) =>
    alternatives.flatMap((alternative) => {
      const terms = alternative.kind === 'and' ? alternative.terms : [alternative];
      const [among] = terms.flatMap((term) => conditionIn(term) ?? []);
      const ofFields = terms.filter((term) => !conditionIn(term));
      const parts = ofFields.map((term) => {
        if (term.kind === 'missing') return { path: term.path, values: [undefined] };
        if (term.kind === 'equals' && !term.ignoreCase) return term;
        throw new Error('This search is not one for keys');
      });
      const combined = parts.reduce<KeyValue[][]>(
        (known, { values }) => known.flatMap((one) => values.map((value) => [...one, value])),
        [[]],
      );
      const paths = parts.map(({ path }) => path);
      return combined.map((values) => {
        const key = toUniqueKey(type, paths, values);
        return among ? toKeyAmong(key, among) : key;
      });
    }),
  );
}
