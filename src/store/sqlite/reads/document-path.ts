/**
 * How SQL reaches a value inside a stored document; the only place that puts a name or a text into SQL.
 *
 * A value is read typed: one of another JSON type than its field declares reads as NULL, which no comparison matches.
 * Numbers are read as REAL, the only type a JavaScript number is bound as: an integer beyond 2^53 would differ otherwise.
 */
import type { FieldPath, LeafType, PathStep } from '../../../model/field-path.ts';
import { familyOf } from '../../../query/operators.ts';

/** What a field's values are in JSON. */
export type ValueKind = 'text' | 'number' | 'boolean';

/** SQL for a value's JSON type and for the value itself; both NULL when there is none. */
export interface ValueSql {
  readonly type: string;
  readonly value: string;
}

/** A text as an SQL literal. */
export const quoteText = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** The JSON path from an object through members of these names, as an SQL literal. */
export const quoteJsonPath = (names: readonly string[]) =>
  quoteText(`$${names.map((name) => `.${JSON.stringify(name)}`).join('')}`);

/** The member that these names lead to in an object, itself given as SQL. */
export function memberOf(object: string, names: readonly string[]): ValueSql {
  const path = quoteJsonPath(names);
  return { type: `json_type(${object}, ${path})`, value: `json_extract(${object}, ${path})` };
}

/** The value if it is of this kind, else NULL. */
export function typedValue({ type, value }: ValueSql, kind: ValueKind): string {
  switch (kind) {
    case 'text':
      return `CASE WHEN ${type} = 'text' THEN ${value} END`;
    case 'number':
      return `CASE WHEN ${type} IN ('integer', 'real') THEN CAST(${value} AS REAL) END`;
    case 'boolean':
      return `CASE WHEN ${type} IN ('true', 'false') THEN ${value} END`;
  }
}

/** What a leaf's values are in JSON; `undefined` where they cannot be compared. */
export function valueKind(leaf: LeafType): ValueKind | undefined {
  const family = familyOf(leaf);
  switch (family) {
    case 'text':
    case 'number':
    case 'boolean':
      return family;
    case 'reference':
    case 'type':
      return 'text';
    case 'opaque':
      return undefined;
  }
}

/** The members to the value itself: a reference's value is its `_ref`. */
export function valueSteps({ steps, leaf }: FieldPath): readonly PathStep[] {
  return leaf.kind === 'reference' ? [...steps, { name: '_ref', list: false }] : steps;
}

/**
 * The rows of every list along these steps, and the value behind the last of them.
 *
 * Shapes: `document` is SQL for the whole document; `from` is a FROM list of `json_each` with the conditions `where`, empty
 * when there is no list on the way.
 */
export function reachValues(
  document: string,
  steps: readonly PathStep[],
): { from: string[]; where: string[]; value: ValueSql } {
  const from: string[] = [];
  const where: string[] = [];
  let object = document;
  let item: ValueSql | undefined;
  let names: string[] = [];
  for (const { name, list } of steps) {
    names.push(name);
    if (!list) continue;
    const row = `item${from.length + 1}`;
    from.push(`json_each(${object}, ${quoteJsonPath(names)}) AS ${row}`);
    // Rows of an array have integer keys; json_each makes rows of any other value too.
    where.push(`typeof(${row}.key) = 'integer'`);
    item = { type: `${row}.type`, value: `${row}.value` };
    object = `CASE ${row}.type WHEN 'object' THEN ${row}.value END`;
    names = [];
  }
  return { from, where, value: item && names.length === 0 ? item : memberOf(object, names) };
}
