/**
 * The statements that fill a new database file with a copy, in the transaction of the caller.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { CopiedAsset, CopiedEntry, CopiedFacts } from '../../copy/store-copy.ts';
import { actionNumbers } from '../changes/change-tables.ts';
import { createLogWords } from '../changes/log-words.ts';
import { toStoredId } from '../changes/stored-id.ts';
import { checksumOf } from '../document-checksum.ts';
import { createValueWriter } from '../indexes/value-writer.ts';
import { addClass } from '../schema.ts';
import { recordServedTypes } from '../serving-processes.ts';
import { insertNames } from '../store-records.ts';

/** Inserts the parts of a copy. */
export interface LoadStatements {
  asset(asset: CopiedAsset): void;
  entry(entry: CopiedEntry): void;
  /** Inserts what holds for the whole store, after all assets. */
  facts(facts: CopiedFacts): void;
}

/** Prepares the statements. */
export function createLoadStatements(database: DatabaseSync): LoadStatements {
  const words = createLogWords(database);
  const values = createValueWriter(database);
  const numberOf = createTypeNumbers(database);
  const insertAsset = database.prepare(
    'INSERT INTO assets (id, type, version, shape, last_change, checksum, document) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const insertEntry = database.prepare(
    `INSERT INTO changes
       (seq, asset, number, type, action, at, actor, run, id, previous, request, changed, before, state)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return {
    asset({ id, type, version, number, shape = null, text, isDamaged }) {
      const ofType = numberOf(type);
      // The checksum of another text, so that damage is still found.
      const checksum = isDamaged ? checksumOf(`damaged ${text}`) : checksumOf(text);
      const row = insertAsset.run(id, ofType, version, shape, number, checksum, text);
      values.insert({ type: ofType, key: Number(row.lastInsertRowid), id }, noAsset);
    },
    entry({ seq, asset, number, type, action, atMs, by, run, ...entry }) {
      const { id, previousVersion = null, requestId = null, changed, before, state = null } = entry;
      const names = changed.length > 0 ? words.numbersOf(JSON.stringify(changed)) : null;
      const who = [atMs, words.actorNumber(by), run === undefined ? null : words.nameNumber(run)] as const;
      const what = [id, previousVersion, requestId, names, before ? JSON.stringify(before) : null] as const;
      const key = [seq, toStoredId(asset), number] as const;
      insertEntry.run(...key, numberOf(type), actionNumbers[action], ...who, ...what, state);
    },
    facts({ loggedSinceMs, served, names }) {
      // Other revisions than those of before, because the epoch is another one.
      database.exec(`UPDATE types SET revision = 1,
        total = (SELECT count(*) FROM assets WHERE assets.type = types.number)`);
      if (loggedSinceMs !== undefined) {
        database.prepare("UPDATE store_facts SET value = ? WHERE name = 'logged_since'").run(loggedSinceMs);
      }
      if (names !== undefined) insertNames(database, names);
      if (served) recordServedTypes(database, served);
    },
  };
}

/** A new file has no indexes yet, so nothing asks for the values of an asset. */
const noAsset = () => {
  throw new Error('A file that is being loaded has no indexes');
};

/** Returns a function that finds the number of a class name, and assigns one to a new name. */
function createTypeNumbers(database: DatabaseSync): (className: string) => number {
  const numbers = new Map<string, number>();
  return (className) => {
    const known = numbers.get(className) ?? addClass(database, className);
    numbers.set(className, known);
    return known;
  };
}
