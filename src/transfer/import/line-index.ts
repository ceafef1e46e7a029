/**
 * The index of the lines of a file, in tables of the journal: which `_id` and which keys each line has, which keys references name, and
 * which assets of the target the file lacks. It is complete or empty: it is written in one transaction.
 */
import type { DatabaseSync } from 'node:sqlite';
import { idBytes, idText, type LineKey } from './reference-keys.ts';

/** An asset that will be deleted because the file lacks it. */
export interface SurplusAsset {
  readonly id: string;
  readonly type: string;
}

/** The identity of the asset of a line. */
export interface IndexedLine {
  readonly line: number;
  readonly id: string;
  readonly type: string;
  readonly keys: readonly LineKey[];
}

export type LineIndex = ReturnType<typeof createLineIndex>;

export const indexSchema = `
CREATE TABLE IF NOT EXISTS lines (id BLOB PRIMARY KEY, line INTEGER, type INTEGER) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS types (number INTEGER PRIMARY KEY, name TEXT UNIQUE);
CREATE TABLE IF NOT EXISTS keys (hash BLOB PRIMARY KEY, id BLOB, line INTEGER) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS wanted (hash BLOB PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS key_fields (type TEXT, fields TEXT, PRIMARY KEY (type, fields)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS surplus (id TEXT PRIMARY KEY, type TEXT) WITHOUT ROWID;
`;

/** Opens the index of a journal. */
export function createLineIndex(database: DatabaseSync) {
  const indexed = database.prepare('SELECT indexed FROM import');
  const complete = database.prepare('UPDATE import SET indexed = 1');
  const insertFields = database.prepare('INSERT OR IGNORE INTO key_fields VALUES (?, ?)');
  const selectFields = database.prepare(
    "SELECT DISTINCT fields FROM key_fields WHERE type IN ('', ?) ORDER BY 1",
  );
  const insertType = database.prepare('INSERT OR IGNORE INTO types (name) VALUES (?)');
  const selectType = database.prepare('SELECT number FROM types WHERE name = ?');
  const insertLine = database.prepare('INSERT OR IGNORE INTO lines VALUES (?, ?, ?)');
  const insertKey = database.prepare('INSERT OR IGNORE INTO keys VALUES (?, ?, ?)');
  const insertWanted = database.prepare('INSERT OR IGNORE INTO wanted VALUES (?)');
  const selectWanted = database.prepare('SELECT 1 FROM wanted WHERE hash = ?');
  const selectKey = database.prepare('SELECT id, line FROM keys WHERE hash = ?');
  const selectLine = database.prepare('SELECT line FROM lines WHERE id = ?');
  const selectTypes = database.prepare('SELECT name FROM types ORDER BY number');
  const insertSurplus = database.prepare('INSERT OR IGNORE INTO surplus VALUES (?, ?)');
  const nextSurplus = database.prepare('SELECT id, type FROM surplus WHERE id > ? ORDER BY id LIMIT ?');
  const countSurplus = database.prepare('SELECT count(*) AS n FROM surplus');
  const allSurplus = database.prepare('SELECT id, type FROM surplus ORDER BY type, id');
  const deleteSurplus = database.prepare('DELETE FROM surplus WHERE id = ?');
  const countDeleted = database.prepare('UPDATE import SET deleted = deleted + ?');
  const known = new Map<string, readonly (readonly string[])[]>();
  const numbers = new Map<string, number>();

  /** Lists the fields of the keys of a type. */
  function fieldsOf(type: string): readonly (readonly string[])[] {
    const found = known.get(type) ?? selectFields.all(type).map(({ fields }) => JSON.parse(String(fields)));
    known.set(type, found);
    return found;
  }

  function numberOf(type: string): number {
    const known = numbers.get(type);
    if (known !== undefined) return known;
    insertType.run(type);
    const number = Number(selectType.get(type)?.number);
    numbers.set(type, number);
    return number;
  }

  return {
    isComplete: () => indexed.get()?.indexed === 1,
    /** Fills the empty index in one transaction. Errors: those of `work`, after which it is empty again. */
    async fill(work: () => Promise<void>): Promise<void> {
      database.exec('BEGIN');
      try {
        await work();
        complete.run();
        database.exec('COMMIT');
      } catch (error) {
        database.exec('ROLLBACK');
        throw error;
      }
    },
    /** Removes all lines, but not the fields of keys. */
    clearLines: () =>
      database.exec('DELETE FROM lines; DELETE FROM types; DELETE FROM keys; DELETE FROM wanted'),
    /** Adds the fields of a key of a type; an empty type stands for every type. Returns whether they are new. */
    addFields(type: string, fields: readonly string[]) {
      const isNew = insertFields.run(type, JSON.stringify(fields)).changes > 0;
      if (isNew) known.clear();
      return isNew;
    },
    fieldsOf,
    /** Adds a line. Of several lines with one `_id` or key, the first one has it. */
    add({ line, id, type, keys }: IndexedLine) {
      const bytes = idBytes(id);
      insertLine.run(bytes, line, numberOf(type));
      for (const { hash } of keys) insertKey.run(hash, bytes, line);
    },
    /** Records that a reference names a key. */
    want: ({ hash }: LineKey): void => void insertWanted.run(hash),
    isWanted: ({ hash }: LineKey) => selectWanted.get(hash) !== undefined,
    /** Finds the asset of the file that has a key. */
    findByKey({ hash }: LineKey): { readonly id: string; readonly line: number } | undefined {
      const { id, line } = selectKey.get(hash) ?? {};
      return id instanceof Uint8Array ? { id: idText(id), line: Number(line) } : undefined;
    },
    /** Finds the first line with an `_id`. */
    findLine(id: string) {
      const { line } = selectLine.get(idBytes(id)) ?? {};
      return line === undefined ? undefined : Number(line);
    },
    /** Lists the types of all lines. */
    types: (): readonly string[] => selectTypes.all().map(({ name }) => String(name)),
    addSurplus: ({ id, type }: SurplusAsset): void => void insertSurplus.run(id, type),
    // The rows are as the table has them.
    /** Lists the next assets to delete after an `_id`, always in the same order. */
    nextSurplus: (size: number, after: string): readonly SurplusAsset[] =>
      nextSurplus.all(after, size) as unknown as SurplusAsset[],
    countSurplus: (): number => Number(countSurplus.get()?.n),
    allSurplus: (): Iterable<SurplusAsset> => allSurplus.iterate() as unknown as Iterable<SurplusAsset>,
    /** Records that assets are deleted, of which others may have deleted some. */
    recordDeleted(ids: readonly string[], deleted: number) {
      database.exec('BEGIN IMMEDIATE');
      for (const id of ids) deleteSurplus.run(id);
      countDeleted.run(deleted);
      database.exec('COMMIT');
    },
  };
}
