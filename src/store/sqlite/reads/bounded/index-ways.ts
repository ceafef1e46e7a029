/**
 * Compiles the ways to find all matching assets of a type, each by the index of one term, and lets the statement choose the index
 * with the fewest entries when it runs. The other terms are tested on each entry, in their indexes where possible.
 */
import type { BoundPredicate } from '../../../../query/ast.ts';
import type { StoredType, StoredTypes } from '../../indexes/stored-types.ts';
import { notCancelled } from '../compile-path.ts';
import type { Conditions } from '../compile-predicate.ts';
import { probedEntries } from './choose-walk.ts';
import { isExact, isInIdOrder, isServed, selectKeys, type TypeSearch } from './index-keys.ts';
import { joinRanges, limitedPath } from './ranges.ts';
import { compileOnRow, isLookedUp } from './semijoin.ts';

/** The assets to find: those of one type for which all terms hold. `readsDocuments` asks for columns of `assets`. */
export interface WaySearch {
  readonly type: StoredType;
  readonly types: StoredTypes;
  readonly terms: readonly BoundPredicate[];
  readonly readsDocuments: boolean;
}

/** One way to find them. */
export interface IndexWay {
  /** SQL for the number of entries, which is counted up to the limit, an SQL expression. */
  readonly entries: (limit: string) => string;
  /** SQL for the number beyond which entries are not counted: an eighth of the assets of the type. */
  readonly ceiling: string;
  /** FROM and WHERE of a select that returns each matching asset once. Its column `wanted` is the key. */
  readonly rows: string;
  /** The name of the column with the identifier. */
  readonly id: string;
  /** Whether the term limits the identifier. */
  readonly isOfId: boolean;
  /** SQL for the identifier of one of the first entries in an order by `id`; absent when the entries are not in this order. */
  readonly probe?: (isDescending: boolean) => string;
}

/** More ways would cost more to weigh than the best of them saves. */
const maxWays = 3;
/** How many entries are counted first: where one way has fewer, the others need not be counted any further. */
const fewEntries = 10_000;
/** Each way repeats all terms. */
const maxTerms = 32;

/** Lists the ways; none when no index serves a term, or when there is only one term, or very many: SQLite's planner finds an index. */
export function listWays(search: WaySearch, conditions: Conditions): IndexWay[] {
  const { type, types } = search;
  const terms = joinRanges(search.terms);
  if (terms.length < 2 || terms.length > maxTerms) return [];
  const served = terms.filter((predicate) => isServed({ predicate, type }, types)).slice(0, maxWays);
  return served.map((predicate) => toWay({ predicate, type }, { ...search, terms }, conditions));
}

/**
 * Compiles the choice: a table `choice` whose column `n` is the number of the way with the fewest entries. `otherwise` is SQL for
 * the number when each way has many entries; without it, the entries are counted further.
 */
export function chooseWay(ways: readonly IndexWay[], otherwise?: string): string {
  const names = ways.map((_, n) => `entries${n}`);
  const least = `min(${names.join(', ')})`;
  const cases = names.slice(1).map((name, n) => `WHEN ${name} THEN ${n + 1}`);
  const number = `CASE ${least} ${cases.join(' ')} ELSE 0 END`;
  const count = (limitOf: (way: IndexWay) => string) =>
    ways.map((way, n) => `(${way.entries(limitOf(way))}) AS ${names[n]}`).join(', ');
  const exact = () => `(SELECT ${number} FROM (SELECT ${count(({ ceiling }) => ceiling)}))`;
  return `choice (n) AS MATERIALIZED (
    SELECT CASE WHEN ${least} < ${fewEntries} THEN ${number} ELSE ${otherwise ?? exact()} END
    FROM (SELECT ${count(() => String(fewEntries))}))`;
}

/**
 * Compiles the number of the way whose index, in order of `id`, has the fewest entries where the page begins: the one whose first
 * entries lead furthest. `undefined` when no way is in this order.
 */
export function chooseSparsest(ways: readonly IndexWay[], isDescending: boolean): string | undefined {
  const probed = ways.flatMap(({ probe }, n) => (probe ? [{ n, probe }] : []));
  const [only, ...others] = probed;
  if (others.length === 0) return only && String(only.n);
  // An index with fewer entries leads furthest of all.
  const [furthest, beyond] = isDescending ? ['min', "''"] : ['max', "'~'"];
  const names = probed.map(({ n }) => `probe${n}`);
  const ends = probed.map(({ n, probe }) => `ifnull((${probe(isDescending)}), ${beyond}) AS probe${n}`);
  const cases = probed.map(({ n }) => `WHEN probe${n} THEN ${n}`);
  return `(SELECT CASE ${furthest}(${names.join(', ')}) ${cases.join(' ')} END FROM (SELECT ${ends.join(', ')}))`;
}

/** Compiles the way by the index that serves `source`, a term of the search. */
export function toWay(source: TypeSearch, search: WaySearch, conditions: Conditions): IndexWay {
  const { type, types, terms } = search;
  const scope = { types, add: conditions.add, addTest: conditions.addTest };
  const keys = selectKeys(source, scope);
  const withIds = selectKeys(source, { ...scope, withIds: true });
  const row = { type, key: 'wanted', id: withIds ? 'wanted_id' : 'assets.id' };
  const rest = terms.filter((term) => term !== source.predicate || !isExact(term));
  const readsRow = !withIds || search.readsDocuments || !rest.every((term) => isLookedUp(term, row));
  const found = withIds
    ? `(SELECT key AS wanted, id AS wanted_id FROM (${withIds}))`
    : `(SELECT DISTINCT key AS wanted FROM (${keys}))`;
  const tests = [
    ...(readsRow ? [notCancelled] : []),
    ...rest.map((term) => compileOnRow(term, row, conditions)),
  ];
  const ofId = terms.filter((term) => limitedPath(term)?.leaf.kind === 'id');
  const probed = withIds &&
    isInIdOrder(source) && {
      probe: (isDescending: boolean) => `SELECT wanted_id FROM ${found}
      ${whereAll(ofId.map((term) => compileOnRow(term, row, conditions)))}
      ORDER BY wanted_id ${isDescending ? 'DESC' : ''} LIMIT 1 OFFSET ${probedEntries}`,
    };
  return {
    entries: (limit) => `SELECT count(*) FROM (SELECT 1 FROM (${keys}) LIMIT ${limit})`,
    ceiling: `(SELECT total / 8 + 1 FROM types WHERE number = ${type.number})`,
    rows: `FROM ${found}${readsRow ? ' CROSS JOIN assets ON key = wanted' : ''} ${whereAll(tests)}`,
    id: withIds ? 'wanted_id' : 'id',
    isOfId: limitedPath(source.predicate)?.leaf.kind === 'id',
    ...probed,
  };
}

const whereAll = (tests: readonly string[]) => (tests.length > 0 ? `WHERE ${tests.join(' AND ')}` : '');
