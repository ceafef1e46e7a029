/**
 * Generates the SQL of the indexes behind `@indexed`; `stored-indexes.ts` creates and drops them.
 *
 * A path without lists gets an expression index over the assets of its type. A path through a list gets a table of its values,
 * which triggers keep up to date. The planner uses a partial index only where a query repeats both `type = <number>` and the
 * same expression, so the query compiler uses the expressions of this module.
 */
import { createHash } from 'node:crypto';
import type { FieldPath, IndexedPath, PathStep } from '../../../model/field-path.ts';
import { quoteJsonPath, reachValues, typedValue, valueKind, valueSteps } from '../reads/document-path.ts';

/** One index. Its name is derived from its definition, so that a changed definition is a different index. */
export interface FieldIndex {
  readonly name: string;
  readonly path: FieldPath;
  readonly unique: boolean;
  /** `list` is a table of (value, key); `value` is an index over an expression. */
  readonly kind: 'value' | 'list';
  /** SQL for the indexed value of a row of `assets`. */
  readonly expression: string;
  /** The statements that create the index, in order. */
  readonly create: readonly string[];
}

/** Creates the index definition for a path of the type with this number. */
export function toFieldIndex(type: number, { path, unique }: IndexedPath): FieldIndex {
  const kind = valueKind(path.leaf);
  const isList = path.steps.some(({ list }) => list);
  if (kind === undefined || (isList && unique)) throw new Error(`No such index can be kept: ${path.text}`);
  const { value } = reachValues('document', valueSteps(path));
  const index = { path, unique, expression: typedValue(value, kind) };
  return isList ? toListTable(type, index) : toValueIndex(type, index);
}

/** Returns the key of a path in the indexes of a type. */
export const indexKey = ({ steps }: FieldPath) => JSON.stringify(steps);

/** Returns a select of the entries that the table of a list should have: each distinct value with the key of its asset. */
export const listedValues = (type: number, index: FieldIndex): string =>
  valueRows(index, { document: 'assets.document', key: 'assets.key', type });

type Definition = Pick<FieldIndex, 'path' | 'unique' | 'expression'>;

function toValueIndex(type: number, index: Definition): FieldIndex {
  // `id` puts pages in order. `type` makes the index cover the query, because its own condition is not a column of it.
  const columns = index.unique ? index.expression : `${index.expression}, id, type`;
  const definition = `ON assets (${columns}) WHERE type = ${type}`;
  const name = nameFor('field', [index.unique, definition]);
  return {
    ...index,
    name,
    kind: 'value',
    create: [`CREATE ${index.unique ? 'UNIQUE INDEX' : 'INDEX'} ${name} ${definition}`],
  };
}

/** Extracts the indexed expression from the statement that created a unique index. */
export function expressionOf(statement: string): string | undefined {
  return /^CREATE UNIQUE INDEX \w+ ON assets \((.*)\) WHERE type = \d+$/s.exec(statement)?.[1];
}

function toListTable(type: number, index: Definition): FieldIndex {
  const name = nameFor('list', [type, index.path.steps, index.expression]);
  const added = `INSERT INTO ${name} ${valueRows(index, { document: 'new.document', key: 'new.key' })};`;
  const removed = `DELETE FROM ${name} WHERE key = old.key
    AND value IN (${valueRows(index, { document: 'old.document' })});`;
  const list = quoteJsonPath(namesToFirstList(index.path.steps));
  const changed = `json_extract(old.document, ${list}) IS NOT json_extract(new.document, ${list})`;
  return {
    ...index,
    name,
    kind: 'list',
    create: [
      `CREATE TABLE ${name} (value, key INTEGER NOT NULL, PRIMARY KEY (value, key)) WITHOUT ROWID`,
      `CREATE TRIGGER ${name}_insert AFTER INSERT ON assets WHEN new.type = ${type} BEGIN ${added} END`,
      `CREATE TRIGGER ${name}_delete AFTER DELETE ON assets WHEN old.type = ${type} BEGIN ${removed} END`,
      `CREATE TRIGGER ${name}_update AFTER UPDATE OF document ON assets WHEN new.type = ${type} AND ${changed}
        BEGIN ${removed} ${added} END`,
      `INSERT INTO ${name} ${valueRows(index, { document: 'assets.document', key: 'assets.key', type })}`,
    ],
  };
}

/** Returns a select of the distinct values in one document, or in the documents of all assets of `type`. */
function valueRows(
  { path, expression }: Definition,
  { document, key, type }: { document: string; key?: string; type?: number },
): string {
  const { from, where } = reachValues(document, valueSteps(path));
  const tables = type === undefined ? from : ['assets', ...from];
  const conditions = type === undefined ? where : [`assets.type = ${type}`, ...where];
  return `SELECT DISTINCT ${key === undefined ? expression : `${expression}, ${key}`} FROM ${tables.join(', ')}
    WHERE ${[...conditions, `${expression} IS NOT NULL`].join(' AND ')}`;
}

function namesToFirstList(steps: readonly PathStep[]): string[] {
  return steps.slice(0, steps.findIndex(({ list }) => list) + 1).map(({ name }) => name);
}

const nameFor = (prefix: string, definition: unknown) =>
  `${prefix}_${createHash('sha256').update(JSON.stringify(definition)).digest('hex').slice(0, 16)}`;
