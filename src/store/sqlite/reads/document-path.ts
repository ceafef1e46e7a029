/**
 * Generates the SQL that reads a value inside a stored document. Only this module quotes names and texts for SQL.
 *
 * Values are read by type: a value whose JSON type differs from its field's reads as NULL, which no comparison matches. Numbers
 * are read as REAL, because JavaScript numbers are bound as REAL: otherwise integers beyond 2^53 would compare as different.
 * Values of the family `ordered` are read as their order keys.
 */
import type { ScalarName } from '../../../model/content-type.ts';
import type { FieldPath, LeafType, PathStep } from '../../../model/field-path.ts';
import { familyOf } from '../../../query/operators.ts';
import { longestOrderedText } from '../../../text/ordered-texts.ts';

/** The JSON type of a field's values, or the scalar whose texts are compared by their order keys. */
export type ValueKind = 'text' | 'number' | 'boolean' | ScalarName;

/** SQL for a value's JSON type and for the value itself; both are NULL when the value is absent. */
export interface ValueSql {
  readonly type: string;
  readonly value: string;
}

/** Quotes a text as an SQL literal. */
export const quoteText = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** Returns the JSON path through members of these names, as an SQL literal. */
export const quoteJsonPath = (names: readonly string[]) =>
  quoteText(`$${names.map((name) => `.${JSON.stringify(name)}`).join('')}`);

/** Returns SQL for the member at the path `names` of an object, itself given as SQL. */
export function memberOf(object: string, names: readonly string[]): ValueSql {
  const path = quoteJsonPath(names);
  return { type: `json_type(${object}, ${path})`, value: `json_extract(${object}, ${path})` };
}

/** Returns SQL for the value if it has this kind, else for NULL. */
export function typedValue({ type, value }: ValueSql, kind: ValueKind): string {
  switch (kind) {
    case 'text':
      return `CASE WHEN ${type} = 'text' THEN ${value} END`;
    case 'number':
      return `CASE WHEN ${type} IN ('integer', 'real') THEN CAST(${value} AS REAL) END`;
    case 'boolean':
      return `CASE WHEN ${type} IN ('true', 'false') THEN ${value} END`;
    default:
      return `CASE WHEN ${type} = 'text' AND length(${value}) <= ${longestOrderedText} THEN order_key(${quoteText(kind)}, ${value}) END`;
  }
}

/** Returns the kind of a leaf's values; `undefined` when they cannot be compared. */
export function valueKind(leaf: LeafType): ValueKind | undefined {
  const family = familyOf(leaf);
  switch (family) {
    case 'text':
    case 'number':
    case 'boolean':
      return family;
    case 'ordered':
      return leaf.kind === 'scalar' ? leaf.scalar : undefined;
    case 'reference':
    case 'type':
      return 'text';
    case 'opaque':
      return undefined;
  }
}

/** Returns the steps to the value that is compared: that of a reference is its `_ref`. */
export function valueSteps({ steps, leaf }: FieldPath): readonly PathStep[] {
  return leaf.kind === 'reference' ? [...steps, { name: '_ref', list: false }] : steps;
}

/**
 * Returns SQL for the items of every list along these steps, and for the value at the last step.
 *
 * Shapes: `document` is SQL for the whole document; `from` is a FROM list of `json_each` with the conditions `where`; both
 * are empty when no step is a list. Their rows are `item1`, `item2` and so on, behind `outer` ones.
 */
export function reachValues(
  document: string,
  steps: readonly PathStep[],
  outer = 0,
): { from: string[]; where: string[]; value: ValueSql } {
  const from: string[] = [];
  const where: string[] = [];
  let object = document;
  let item: ValueSql | undefined;
  let names: string[] = [];
  for (const { name, list } of steps) {
    names.push(name);
    if (!list) continue;
    const row = `item${outer + from.length + 1}`;
    from.push(`json_each(${object}, ${quoteJsonPath(names)}) AS ${row}`);
    // Items of an array have integer keys; json_each returns rows for any other value too.
    where.push(`typeof(${row}.key) = 'integer'`);
    item = { type: `${row}.type`, value: `${row}.value` };
    object = `CASE ${row}.type WHEN 'object' THEN ${row}.value END`;
    names = [];
  }
  return { from, where, value: item && names.length === 0 ? item : memberOf(object, names) };
}
