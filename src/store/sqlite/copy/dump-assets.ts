/**
 * Reads all assets of a file for a copy. A document has its `_id`, its class name and a checksum, so it counts more than its row where
 * both differ.
 *
 * When a page is damaged, the indexes know of assets that the table does not show: each is looked up as a read of one asset does it, and
 * is lost if that fails.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { CopiedAsset } from '../../copy/store-copy.ts';
import type { LostRecords } from '../../copy/store-dump.ts';
import type { Row } from '../connection.ts';
import { checksumOf } from '../document-checksum.ts';
import { tableOf } from '../indexes/type-tables.ts';
import { attempt, readAround, readFromBothEnds } from './read-around.ts';
import { createSeenRecords } from './seen-records.ts';

const columns = 'key, id, type, version, shape, last_change, checksum, document';
const idIndex = 'assets INDEXED BY sqlite_autoindex_assets_1';

/** Reads the assets, and adds those that cannot be read to `lost`. */
export function* selectAssets(
  database: DatabaseSync,
  { leftOut, lost }: { readonly leftOut: readonly string[]; readonly lost: LostRecords['assets'] },
): Generator<CopiedAsset> {
  const classes = readClasses(database);
  const seen = createSeenRecords();
  let isDoubtful = false;
  const onDamage = () => {
    isDoubtful = true;
  };
  /** Yields an asset unless it was there before or is left out. */
  function* take(row: Row): Generator<CopiedAsset> {
    const asset = toAsset(row, classes);
    if (seen.add(asset.id) && !leftOut.includes(asset.type)) yield asset;
  }
  try {
    const scan = {
      sql: `SELECT ${columns} FROM assets NOT INDEXED WHERE key >= ?1 ORDER BY key`,
      greatest: ['SELECT max(key) AS key FROM assets', `SELECT max(key) AS key FROM ${idIndex}`],
      onDamage,
    };
    for (const row of readAround(database, scan)) yield* take(row);
    const indexed = countIndexed(database);
    if (!isDoubtful && indexed === seen.count()) return;
    const find = database.prepare(`SELECT ${columns} FROM assets NOT INDEXED WHERE key = ?`);
    find.setReturnArrays(true);
    for (const [key = null, id = null] of readKnown(database)) {
      if (seen.has(String(id)) || lost.ids.has(String(id))) continue;
      // With `setReturnArrays` a row is an array, which the declared types do not know.
      const row = attempt(() => find.get(key) as unknown as Row | undefined);
      if (row) yield* take(row);
      else if (isPrintable(id)) lost.ids.add(id);
    }
    const expected = indexed ?? attempt(() => sumTotals(database)) ?? 0;
    lost.others += Math.max(0, expected - seen.count() - lost.ids.size);
  } finally {
    seen.close();
  }
}

/** Yields keys and `_id`s: those of the index by `_id`, and if that is damaged, those of the tables of types, too. */
function* readKnown(database: DatabaseSync): Generator<Row> {
  let isDamaged = false;
  const onDamage = () => {
    isDamaged = true;
  };
  yield* readFromBothEnds(database, { select: `SELECT key, id FROM ${idIndex}`, order: 'id' }, onDamage);
  if (!isDamaged) return;
  for (const number of readClasses(database).keys()) {
    const select = `SELECT key, id FROM ${tableOf(number)} NOT INDEXED`;
    yield* readFromBothEnds(database, { select, order: 'key' }, onDamage);
  }
}

const countIndexed = (database: DatabaseSync) =>
  attempt(() => Number(database.prepare(`SELECT count(*) AS n FROM ${idIndex}`).get()?.n));

const sumTotals = (database: DatabaseSync) =>
  Number(database.prepare('SELECT sum(total) AS n FROM types').get()?.n);

/** Reads the class names by their numbers, as far as they can be read. */
function readClasses(database: DatabaseSync): ReadonlyMap<number, string> {
  const query = { select: 'SELECT number, class FROM types NOT INDEXED', order: 'number' };
  const rows = readFromBothEnds(database, query, () => {});
  return new Map([...rows].map(([number, name]) => [Number(number), String(name)]));
}

function toAsset(row: Row, classes: ReadonlyMap<number, string>): CopiedAsset {
  const [, id, type, version, shape, number, checksum, document] = row;
  const text = String(document);
  const rowFacts = { id: String(id), type: classes.get(Number(type)) ?? '' };
  const isDamaged = checksumOf(text) !== checksum;
  const own = isNamedIn(text, rowFacts) ? rowFacts : (readNames(text) ?? rowFacts);
  const isMisplaced = own.id !== rowFacts.id || own.type !== rowFacts.type;
  return {
    ...(isDamaged ? { ...rowFacts, type: rowFacts.type || own.type } : own),
    version: String(version),
    number: Number(number),
    ...(typeof shape === 'string' && { shape }),
    text,
    ...(isDamaged && { isDamaged }),
    ...(!isDamaged && isMisplaced && { isMisplaced }),
  };
}

type Names = Pick<CopiedAsset, 'id' | 'type'>;

/** Whether a document begins with the names of its row, as it does when it was written by Colophon. */
const isNamedIn = (text: string, { id, type }: Names) =>
  text.startsWith(`{"_id":${JSON.stringify(id)},"_type":${JSON.stringify(type)}`);

/** Reads the names in a document. */
function readNames(text: string): Names | undefined {
  try {
    const { _id: id, _type: type } = Object(JSON.parse(text));
    return typeof id === 'string' && typeof type === 'string' ? { id, type } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value can be an `_id`; a damaged page may have anything. */
const isPrintable = (id: unknown): id is string => typeof id === 'string' && /^[\x21-\x7e]{1,200}$/.test(id);
