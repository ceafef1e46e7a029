/**
 * Fills the tables of the types and of lists with the indexed values of assets, in the transaction of the caller.
 *
 * The definitions are those that the database records, so that a process also fills the indexes of types and paths that its own
 * types lack. An update names only the columns whose values change, because SQLite replaces the index entry of every column that it names.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { storeBusy } from '../../../base/errors.ts';
import type { Asset } from '../../../model/content-type.ts';
import { type OrderKey, orderKeyVersion } from '../../../query/sort.ts';
import {
  dependsOn,
  type FieldIndex,
  indexedValues,
  readDefinition,
  tableOf,
  toFieldIndex,
  toIncomplete,
} from './field-indexes.ts';

/** An asset in the database. */
export interface ValueRow {
  readonly type: number;
  readonly key: number;
  readonly id: string;
}

/** A change of an asset. `touched` are the names of the fields that may have changed. */
export interface ValueChange {
  readonly former: Asset;
  readonly asset: Asset;
  readonly touched: readonly string[];
}

/** Is told of a unique column that was left empty. */
export type HoldValue = (row: ValueRow, index: FieldIndex) => void;

/** Writes the values of assets. Errors: SQLite's. */
export interface ValueWriter {
  /** Reads the definitions again when they may have changed. First in each transaction. Errors: store_busy. */
  refresh(): void;
  /** Reads the definitions again in the next transaction: those of a transaction that was rolled back are none. */
  forget(): void;
  insert(row: ValueRow, readAsset: () => Asset): void;
  update(row: ValueRow, change: ValueChange): void;
  remove(row: ValueRow, readAsset: () => Asset): void;
  /** From now on, leaves unique columns empty instead of changing their values, and calls `hold` for each; without it, no longer. */
  holdUnique(hold?: HoldValue): void;
  /** Finds an index by its name. */
  find(name: string): RecordedIndex | undefined;
  /** Lists the unique indexes of a type. */
  uniqueOf(type: number): readonly FieldIndex[];
}

/** Creates the writer of a connection. */
export function createValueWriter(database: DatabaseSync): ValueWriter {
  const selectVersion = database.prepare('PRAGMA schema_version');
  let version: unknown;
  let tables = new Map<number, TypeTable>();
  let indexes = new Map<number, RecordedIndex[]>();
  let byName = new Map<string, RecordedIndex>();
  let hold: HoldValue | undefined;

  /** Returns the value for a column, null for one that is held. */
  const toColumn: ColumnValue = (row, index, asset) => {
    const value = columnValue(index, asset);
    if (!hold || !index.unique || value === null) return value;
    hold(row, index);
    return null;
  };

  function tableOfType(type: number): TypeTable {
    const ofType = indexes.get(type)?.map(({ index }) => index) ?? [];
    const known = tables.get(type) ?? createTypeTable(database, { type, indexes: ofType, toColumn });
    tables.set(type, known);
    return known;
  }

  return {
    refresh() {
      const found = selectVersion.get()?.schema_version;
      if (found === version) return;
      [indexes, tables] = [listFieldIndexes(database), new Map()];
      byName = new Map([...indexes.values()].flat().map((one) => [one.index.name, one]));
      version = found;
    },
    forget() {
      version = undefined;
    },
    insert: (row, readAsset) => tableOfType(row.type).insert(row, readAsset),
    update: (row, change) => tableOfType(row.type).update(row, change),
    remove: (row, readAsset) => tableOfType(row.type).remove(row, readAsset),
    holdUnique: (next) => {
      hold = next;
    },
    find: (name) => byName.get(name),
    uniqueOf: (type) => tableOfType(type).columns.filter(({ unique }) => unique),
  };
}

/** An index that the database records. */
export interface RecordedIndex {
  /** The number and the class name of its type. */
  readonly type: number;
  readonly class: string;
  readonly index: FieldIndex;
  /** The greatest key whose values it has; null when it has those of all assets. */
  readonly filled: number | null;
}

/** Lists the indexes of fields that the database records, by the number of their type. Errors: store_busy for one that this process cannot fill. */
export function listFieldIndexes(database: DatabaseSync): Map<number, RecordedIndex[]> {
  const rows = database
    .prepare(
      `SELECT number, class, paths, is_unique, keys, filled FROM field_indexes JOIN types USING (class)
       WHERE kind IN ('value', 'list') ORDER BY field_indexes.rowid`,
    )
    .all();
  const found = rows.map((row) => {
    const type = Number(row.number);
    if (row.keys !== orderKeyVersion)
      throw storeBusy('a process of another version, which orders values differently, serves it');
    const index = toFieldIndex(type, { ...readDefinition(String(row.paths)), unique: row.is_unique === 1 });
    return row.filled === null
      ? { type, class: String(row.class), index, filled: null }
      : { type, class: String(row.class), index: toIncomplete(index), filled: Number(row.filled) };
  });
  return Map.groupBy(found, ({ type }) => type);
}

/** How many updates of one type, each of other columns, are kept prepared. */
const maxUpdates = 100;

/** The statements of one type. */
interface TypeTable extends Pick<ValueWriter, 'insert' | 'update' | 'remove'> {
  readonly columns: readonly FieldIndex[];
}

type ColumnValue = (row: ValueRow, index: FieldIndex, asset: Asset) => OrderKey | null;

function createTypeTable(
  database: DatabaseSync,
  {
    type,
    indexes,
    toColumn,
  }: { readonly type: number; readonly indexes: readonly FieldIndex[]; readonly toColumn: ColumnValue },
): TypeTable {
  const table = tableOf(type);
  const columns = indexes.filter(({ kind }) => kind === 'value');
  const lists = indexes
    .filter(({ kind }) => kind === 'list')
    .map((index) => ({ index, ...createListTable(database, index) }));
  const names = ['key', 'id', ...columns.map(({ column }) => column)];
  const insertRow = database.prepare(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  );
  const removeRow = database.prepare(`DELETE FROM ${table} WHERE key = ?`);
  const updates = new LRUCache<string, StatementSync>({ max: maxUpdates });
  const prepareUpdate = (sql: string) => {
    const statement = updates.get(sql) ?? database.prepare(sql);
    updates.set(sql, statement);
    return statement;
  };
  const read = (readAsset: () => Asset) => (indexes.length > 0 ? readAsset() : noAsset);

  return {
    columns,
    insert(row, readAsset) {
      const { key, id } = row;
      const asset = read(readAsset);
      insertRow.run(key, id, ...columns.map((index) => toColumn(row, index, asset)));
      for (const list of lists) list.add(indexedValues(list.index, asset), key);
    },
    update(row, { former, asset, touched }) {
      const { key } = row;
      const isTouched = (index: FieldIndex) => dependsOn(index, touched);
      const changed = columns
        .filter(isTouched)
        .filter((index) => columnValue(index, asset) !== columnValue(index, former))
        .map((index) => ({ index, value: toColumn(row, index, asset) }));
      if (changed.length > 0) {
        const assigned = changed.map(({ index }) => `${index.column} = ?`);
        prepareUpdate(`UPDATE ${table} SET ${assigned.join(', ')} WHERE key = ?`).run(
          ...changed.map(({ value }) => value),
          key,
        );
      }
      for (const list of lists.filter(({ index }) => isTouched(index))) {
        const [before, after] = [former, asset].map((one) => new Set(indexedValues(list.index, one)));
        list.remove(
          [...(before ?? [])].filter((value) => !after?.has(value)),
          key,
        );
        list.add(
          [...(after ?? [])].filter((value) => !before?.has(value)),
          key,
        );
      }
    },
    remove({ key }, readAsset) {
      removeRow.run(key);
      if (lists.length === 0) return;
      const asset = readAsset();
      for (const list of lists) list.remove(indexedValues(list.index, asset), key);
    },
  };
}

/** Prepares a function that fills new indexes of a type with the values of an asset, of which a write may have added some. */
export function createValueFilling(
  database: DatabaseSync,
  indexes: readonly FieldIndex[],
): (key: number, asset: Asset) => void {
  const columns = indexes.filter(({ kind }) => kind === 'value');
  const lists = indexes
    .filter(({ kind }) => kind === 'list')
    .map((index) => ({
      index,
      insert: database.prepare(`INSERT OR IGNORE INTO ${index.table} (value, key) VALUES (?, ?)`),
    }));
  const assigned = columns.map(({ column }) => `${column} = ?`).join(', ');
  const update = columns[0] && database.prepare(`UPDATE ${columns[0].table} SET ${assigned} WHERE key = ?`);
  return (key, asset) => {
    update?.run(...columns.map((index) => columnValue(index, asset)), key);
    for (const { index, insert } of lists)
      for (const value of indexedValues(index, asset)) insert.run(value, key);
  };
}

const noAsset: Asset = { _id: '', _type: '' };

const columnValue = (index: FieldIndex, asset: Asset): OrderKey | null =>
  indexedValues(index, asset)[0] ?? null;

function createListTable(database: DatabaseSync, { table }: FieldIndex) {
  const insert = database.prepare(`INSERT INTO ${table} (value, key) VALUES (?, ?)`);
  const remove = database.prepare(`DELETE FROM ${table} WHERE value = ? AND key = ?`);
  return {
    add(values: readonly OrderKey[], key: number) {
      for (const value of values) insert.run(value, key);
    },
    remove(values: readonly OrderKey[], key: number) {
      for (const value of values) remove.run(value, key);
    },
  };
}
