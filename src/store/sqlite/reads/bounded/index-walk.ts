/**
 * Finds a page by walking an index in the order of the page, from its start, through a limited number of entries.
 */
import type { FieldPath } from '../../../../model/field-path.ts';
import type { BoundPredicate } from '../../../../query/ast.ts';
import { evaluatePredicate } from '../../../../query/evaluate.ts';
import { absentPath } from '../../../../query/keyset.ts';
import type { BoundSort } from '../../../../query/sort.ts';
import type { Query } from '../../connection.ts';
import { type FieldIndex, indexKey } from '../../indexes/field-indexes.ts';
import type { StoredType, StoredTypes } from '../../indexes/stored-types.ts';
import { idIndexOf, tableOf } from '../../indexes/type-tables.ts';
import { notCancelled } from '../compile-path.ts';
import { createConditions } from '../compile-predicate.ts';
import { quoteText, valueKind } from '../document-path.ts';
import { toTest, type ValueCollector } from '../value-test.ts';
import { isInIdOrder } from './index-keys.ts';
import { limitedPath, toRangeTest } from './ranges.ts';
import { compileOnRow, isLookedUp } from './semijoin.ts';

/** An index in the order of a page. `within` are the terms that limit its range; `rest` must be tested on each entry. */
export interface Walk {
  readonly index: Pick<FieldIndex, 'name' | 'column'>;
  /** The field whose index it is; absent for the index of the type by `id`. */
  readonly path?: FieldPath;
  readonly sort: BoundSort;
  readonly within: readonly BoundPredicate[];
  readonly rest: readonly BoundPredicate[];
  /** Whether a condition on the rest reads documents. */
  readonly readsDocuments: boolean;
}

interface Part {
  readonly type: StoredType;
  readonly sort: BoundSort;
  readonly terms: readonly BoundPredicate[];
}

/** Lists the indexes that have the order: for the order by `id` that of the type, and that of each field that must equal a value. */
export function listWalks({ type, sort, terms }: Part): Walk[] {
  const toWalk = (index: Walk['index'], isWithin: (term: BoundPredicate) => boolean, path?: FieldPath) => {
    const rest = terms.filter((term) => !isWithin(term));
    const readsDocuments = rest.some((term) => !isLookedUp(term, { type, ...walked }));
    return { index, sort, within: terms.filter(isWithin), rest, readsDocuments, ...(path && { path }) };
  };
  const [first, second, ...others] = sort.filter(({ path }) => path.leaf.kind !== 'type');
  if (first?.path.leaf.kind === 'id') {
    const equal = terms.filter((term) => isOneValue(term, type));
    return [
      ...equal.flatMap((term) => {
        const path = absentPath(term) ?? ('path' in term ? term.path : undefined);
        const index = path && type.indexes.get(indexKey(path));
        return index ? [toWalk(index, (other) => other === term || isIdRange(other), path)] : [];
      }),
      toWalk({ name: idIndexOf(type.number), column: 'id' }, isIdRange),
    ];
  }
  const index = first && type.indexes.get(indexKey(first.path));
  const isInOrder = second?.path.leaf.kind === 'id' && second.descending === first?.descending;
  // A unique index does not have the order of the assets without a value.
  if (!index || index.unique || index.kind === 'list' || !isInOrder || others.length > 0) return [];
  return [toWalk(index, (term) => isRangeOf(term, first.path), first.path)];
}

/**
 * Resolves the terms about `_type`, of which the assets of one type have the same value: a term that holds is left out, one that does not
 * becomes a constant. So the indexes of a type that an order has passed are not walked again from their start.
 */
export const termsOfType = (
  terms: readonly BoundPredicate[],
  { class: _type }: StoredType,
): BoundPredicate[] =>
  terms.flatMap((term) => {
    if (!('path' in term) || term.path.leaf.kind !== 'type') return [term];
    const holds = evaluatePredicate({ predicate: term, asset: { _id: '', _type }, resolve: () => undefined });
    return holds ? [] : [{ kind: 'constant', value: false }];
  });

/** Compiles the page: its columns are those of `DocumentRequest` and the values that it is sorted by. */
export function compileWalk(walk: Walk, { type, types, visited, limit, offset }: WalkRequest): Query {
  const conditions = createConditions(types);
  const range = compileRange(walk, type, conditions);
  const rest = walk.rest.map((term) => compileOnRow(term, { type, ...walked }, conditions));
  const integer = (value: number) => `CAST(${conditions.add(value)} AS INTEGER)`;
  const page = `LIMIT ${integer(limit)} OFFSET ${integer(offset)}`;
  // When every entry matches, the offset passes over entries of the index and looks up no rows.
  const [ofRange, ofRows] = rest.length === 0 ? [page, ''] : [`LIMIT ${integer(visited)}`, page];
  const sql = `SELECT key, id, octet_length(document), ${walk.sort.map((_, n) => `sort${n}`).join(', ')}
    FROM (${range} ${ofRange}) CROSS JOIN assets ON key = wanted
    WHERE ${[notCancelled, ...rest].join(' AND ')} ${ofRows}`;
  return { sql, params: conditions.params, tests: conditions.tests };
}

interface WalkRequest {
  readonly type: StoredType;
  readonly types: StoredTypes;
  /** How many entries of the index are looked at. */
  readonly visited: number;
  readonly limit: number;
  readonly offset: number;
}

/** Compiles the last entry that a walk visits, by the values that it is sorted by; there is none when the range is shorter. */
export function compileWalkEnd(
  walk: Walk,
  { type, types, visited }: Pick<WalkRequest, 'type' | 'types' | 'visited'>,
): Query {
  const conditions = createConditions(types);
  const range = compileRange(walk, type, conditions);
  const last = `CAST(${conditions.add(visited - 1)} AS INTEGER)`;
  const sql = `SELECT ${walk.sort.map((_, n) => `sort${n}`).join(', ')} FROM (${range} LIMIT 1 OFFSET ${last})`;
  return { sql, params: conditions.params };
}

/** Compiles the number of entries in the range of the walk, at most `ceiling`. */
export function compileRangeCount(
  walk: Walk,
  { type, types, ceiling }: { type: StoredType; types: StoredTypes; ceiling: number },
): Query {
  const conditions = createConditions(types);
  const range = compileRange(walk, type, conditions);
  const sql = `SELECT count(*) FROM (${range} LIMIT CAST(${conditions.add(ceiling)} AS INTEGER))`;
  return { sql, params: conditions.params };
}

/** Marks a select that does not check whether it must stop, as its limit bounds it. */
export const unchecked = '1 /* unchecked */';

/** Selects the entries in order. A select with a limit keeps its order when another one reads from it. */
function compileRange(
  { index, sort, path, within }: Walk,
  type: StoredType,
  collect: ValueCollector,
): string {
  const values = sort.map((key, n) => `${sortValue(key.path, { index, type })} AS sort${n}`);
  const order = sort.map(({ descending }, n) => `sort${n}${descending ? ' DESC' : ''}`);
  const conditions = within.map((term) => {
    if (absentPath(term)) return `${index.column} IS NULL`;
    const isOfId = limitedPath(term)?.leaf.kind === 'id';
    const kind = path && !isOfId ? valueKind(path.leaf) : 'text';
    if (!kind) throw new Error(`Nothing can be compared with ${path?.text}`);
    const test =
      term.kind === 'equals'
        ? toTest(term, { kind, scope: collect })
        : toRangeTest(term, { kind, scope: collect });
    return test(isOfId ? 'id' : index.column);
  });
  return `SELECT key AS wanted, id AS wanted_id, ${values.join(', ')} FROM ${tableOf(type.number)} INDEXED BY ${index.name}
    WHERE ${[unchecked, ...conditions].join(' AND ')} ORDER BY ${order.join(', ')}`;
}

function sortValue(path: FieldPath, { index, type }: { index: Walk['index']; type: StoredType }): string {
  if (path.leaf.kind === 'id') return 'id';
  return path.leaf.kind === 'type' ? quoteText(type.class) : index.column;
}

/** Whether a term sets the value of a field, or none, so that the field's index has the order by `id`. */
function isOneValue(term: BoundPredicate, type: StoredType): boolean {
  const path = absentPath(term);
  if (!path) return term.kind === 'equals' && isInIdOrder({ predicate: term, type });
  const index = type.indexes.get(indexKey(path));
  return index?.kind === 'value' && !index.unique;
}

const isIdRange = (term: BoundPredicate) => limitedPath(term)?.leaf.kind === 'id';

/** Whether a term limits the values of a path to one range. */
function isRangeOf(term: BoundPredicate, path: FieldPath): boolean {
  const limited =
    term.kind === 'equals' && term.values.length === 1 && !term.ignoreCase ? term.path : limitedPath(term);
  return limited !== undefined && !limited.through && indexKey(limited) === indexKey(path);
}

/** The names of an entry's columns. */
const walked = { key: 'wanted', id: 'wanted_id' };
