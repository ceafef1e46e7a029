/**
 * Reads all entries of the change log of a file for a copy, without those that a damaged page has.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { ChangeEntry } from '../../changes.ts';
import type { CopiedEntry } from '../../copy/store-copy.ts';
import type { LostRecords } from '../../copy/store-dump.ts';
import { changedNames, entryColumns, entryTables, toEntry } from '../changes/entry-rows.ts';
import { fromStoredId, storedIdText } from '../changes/stored-id.ts';
import type { Row } from '../connection.ts';
import { attempt, readAround, readFromBothEnds } from './read-around.ts';
import { createSeenRecords } from './seen-records.ts';

const assetIndex = 'changes INDEXED BY changes_by_asset';

/** Statements that find the last `seq`. */
export const lastSeq = ['SELECT max(seq) AS key FROM changes', `SELECT max(seq) AS key FROM ${assetIndex}`];

/** Reads the entries, and adds those that cannot be read to `lost`: by the `_id`s of their assets, where these are known. */
export function* selectEntries(database: DatabaseSync, lost: LostRecords['entries']): Generator<CopiedEntry> {
  const seen = createSeenRecords();
  let isDoubtful = false;
  const onDamage = () => {
    isDoubtful = true;
  };
  try {
    const sql = `SELECT ${readableColumns}, state FROM changes CROSS JOIN ${entryTables} WHERE seq >= ?1 ORDER BY seq`;
    for (const row of readAround(database, { sql, greatest: lastSeq, onDamage })) {
      const entry = toCopiedEntry(row);
      if (!entry) onDamage();
      else if (seen.add(entry.seq)) yield entry;
    }
    const indexed = attempt(() =>
      Number(database.prepare(`SELECT count(*) AS n FROM ${assetIndex}`).get()?.n),
    );
    if (!isDoubtful && indexed === seen.count()) return;
    const query = { select: `SELECT seq, ${storedIdText} FROM ${assetIndex}`, order: 'asset' };
    for (const [seq, asset] of readFromBothEnds(database, query, onDamage)) {
      if (!seen.add(Number(seq))) continue;
      lost.count++;
      lost.ids.add(fromStoredId(String(asset)));
    }
    lost.count += Math.max(0, (indexed ?? 0) - seen.count());
  } finally {
    seen.close();
  }
}

/** The columns of an entry; the list of the changed names is null where its JSON is damaged. */
const readableColumns = entryColumns.replace(
  changedNames,
  `iif(json_valid(coalesce(changes.changed, '[]')), ${changedNames}, NULL)`,
);

function toCopiedEntry(row: Row): CopiedEntry | undefined {
  const state = row.at(-1);
  const entry = toReadableEntry(row);
  return entry && { ...entry, ...(typeof state === 'string' && { state }) };
}

/**
 * Converts a row; without what it changed where the JSON of that, or of the whole state, is damaged. Returns `undefined` where another
 * column makes no sense.
 */
function toReadableEntry(row: Row): (ChangeEntry & Pick<CopiedEntry, 'seq' | 'isDamaged'>) | undefined {
  const [changed, before, state] = row.slice(-3);
  try {
    if (changed !== null && isJson(before) && isJson(state)) return toEntry(row);
    return { ...toEntry([...row.slice(0, -3), '[]', null]), isDamaged: true };
  } catch {
    return undefined;
  }
}

function isJson(text: Row[number] | undefined): boolean {
  try {
    JSON.parse(String(text));
    return true;
  } catch {
    return false;
  }
}
