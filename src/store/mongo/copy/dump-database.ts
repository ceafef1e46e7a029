/**
 * Reads a whole database for a copy, as it was at one `seq`, while other processes write to it.
 *
 * The moment is the last numbered entry of the change log, once all entries that existed at the start are numbered. Assets are read
 * in the order of their `_id`s, a block at a time; what the log says was changed or deleted since the moment is undone. Records
 * that are not logged are read first, as they are. Without a log, assets are copied as they are when their turn comes.
 */

import { storeBusy } from '../../../base/errors.ts';
import { silentLogger } from '../../../base/runtime.ts';
import type { Asset } from '../../../model/content-type.ts';
import { undoChange } from '../../changes.ts';
import type { CopiedAsset, CopiedEntry, CopiedFacts } from '../../copy/store-copy.ts';
import {
  blockCharacters,
  type DumpOptions,
  inBlocks,
  nothingLost,
  type StoreDump,
} from '../../copy/store-dump.ts';
import {
  bytesOf,
  type ChangeDocument,
  entriesOf,
  parseChangeId,
  toChangeId,
  toEntry,
} from '../changes/change-document.ts';
import { waitForNumbers } from '../changes/logged-writes.ts';
import { createNumbering } from '../changes/numbering.ts';
import { createStoreFormat } from '../changes/store-format.ts';
import { type Database, type FormatRecord, type NumberingRecord, openDatabase } from '../database.ts';
import { type AssetDocument, fromDocument } from '../documents/document.ts';
import { withoutIndex } from '../documents/document-path.ts';
import { toStoreError } from '../map-error.ts';
import { findNames } from '../store-records.ts';

/** How long the numbering of entries may take before the copy begins: many may be waiting after an import. */
const numberingMs = 60_000;
const documentsAtOnce = 500;
const majority = { readConcern: { level: 'majority' } } as const;

/** Connects to a database. Errors: bad_config, store_busy, store_failure. */
export async function createMongoDump(url: string, options: DumpOptions): Promise<StoreDump> {
  let database: Database | undefined;
  try {
    database = await openDatabase(url);
    return await createDump(database, options);
  } catch (error) {
    await database?.close();
    throw toStoreError('dump', error);
  }
}

async function createDump(database: Database, options: DumpOptions): Promise<StoreDump> {
  const format = createStoreFormat(database);
  await format.check();
  // A server has a lease on the numbering; without one, this process numbers what a killed one has left.
  const numbering = createNumbering({ database, format, logger: silentLogger });
  const hasLog =
    database.transactions && (await database.store.findOne<FormatRecord>({ _id: 'format' })) !== null;
  if (hasLog) {
    numbering.start();
    await waitForNumbers(database, numberingMs);
  }
  const facts = await readFacts(database, hasLog);
  const { seq } = facts;
  const range = { ...options, ...(hasLog && { seq }) };
  return {
    facts,
    lost: nothingLost(),
    assets: () => guarded(readAssets(database, range)),
    entries: () => guarded(seq > 0 ? readEntries(database, seq) : nothing()),
    async close() {
      await numbering.stop().catch(() => undefined);
      await database.close();
    },
  };
}

async function* nothing(): AsyncGenerator<never> {}

/** Yields the same, with errors translated. */
async function* guarded<Value>(values: AsyncIterable<Value>): AsyncGenerator<Value> {
  try {
    yield* values;
  } catch (error) {
    throw toStoreError('dump', error);
  }
}

async function readFacts(database: Database, hasLog: boolean): Promise<CopiedFacts> {
  const { store, serving } = database;
  const names = await findNames(database);
  const last = await serving.findOne({ started: { $exists: true } }, { sort: { started: -1 } });
  const served = last?.types;
  const known = { ...(served && { served }), ...(names !== undefined && { names }) };
  const facts = { store: 'MongoDB', isOneMoment: hasLog, ...known } as const;
  if (!hasLog) return { ...facts, seq: 0 };
  const records = await store.find({}, majority).toArray();
  // Safe: these are two documents of the collection, by their `_id`s.
  const format = records.find(({ _id }) => _id === 'format') as FormatRecord | undefined;
  const numbering = records.find(({ _id }) => _id === 'numbering') as NumberingRecord | undefined;
  return {
    ...facts,
    seq: numbering?.last ?? 0,
    epoch: format?.epoch ?? '',
    loggedSinceMs: format?.loggedSinceMs ?? 0,
  };
}

async function* readAssets(
  database: Database,
  { seq, ...options }: DumpOptions & { readonly seq?: number },
): AsyncGenerator<readonly CopiedAsset[]> {
  const { unlogged, leftOut } = options;
  const plain = [...unlogged].filter(([type, parts]) => parts === 'all' && !leftOut.includes(type));
  const asTheyAre = plain.map(([type]) => type);
  const found = database.assets.find({ _type: { $in: asTheyAre } }, withoutWords);
  for await (const { documents } of inParts(found)) yield documents.map(asItIs);
  const undo = seq === undefined ? unchanged : createUndoToSeq(database, { ...options, seq });
  const others = { _type: { $nin: [...leftOut, ...asTheyAre] } };
  let after: string | undefined;
  const sorted = database.assets.find(others, { ...withoutWords, sort: { _id: 1 } });
  for await (const { documents, isLast } of inParts(sorted)) {
    const to = isLast ? undefined : documents.at(-1)?._id;
    const copied = [...(await undo.undo(documents)), ...(await undo.findDeleted({ after, to }, documents))];
    yield* inBlocks(copied, ({ text }) => text.length);
    after = to;
  }
}

const withoutWords = { projection: withoutIndex, batchSize: documentsAtOnce } as const;

const asItIs = (document: AssetDocument) =>
  toCopied({ ...fromDocument(document), number: document._colophon.change ?? 0 }, document);

/** What is copied without a change log. */
const unchanged: UndoToSeq = {
  undo: async (documents) => documents.map(asItIs),
  findDeleted: async () => [],
};

interface Part {
  readonly documents: readonly AssetDocument[];
  readonly isLast: boolean;
}

/** Divides what a cursor returns into parts of a limited size; the last part may be empty. */
async function* inParts(cursor: AsyncIterable<AssetDocument>): AsyncGenerator<Part> {
  let documents: AssetDocument[] = [];
  let length = 0;
  for await (const document of cursor) {
    documents.push(document);
    length += roughLength(document);
    if (documents.length < documentsAtOnce && length < blockCharacters) continue;
    yield { documents, isLast: false };
    [documents, length] = [[], 0];
  }
  yield { documents, isLast: true };
}

/** Adds up the texts of a value at all levels, which are most of what a large document has. */
const roughLength = (value: unknown): number =>
  typeof value === 'string'
    ? value.length
    : typeof value === 'object' && value !== null
      ? Object.values(value).reduce<number>((sum, one) => sum + roughLength(one), 50)
      : 20;

async function* readEntries({ changes }: Database, seq: number): AsyncGenerator<readonly CopiedEntry[]> {
  const found = changes.find({ seq: { $gt: 0, $lte: seq } }, { sort: { seq: 1 }, ...majority });
  let documents: ChangeDocument[] = [];
  let length = 0;
  for await (const document of found) {
    documents.push(document);
    length += bytesOf(document) + 200;
    if (length < blockCharacters) continue;
    yield documents.map(toCopiedEntry);
    [documents, length] = [[], 0];
  }
  yield documents.map(toCopiedEntry);
}

function toCopiedEntry(document: ChangeDocument): CopiedEntry {
  const { seq = 0, state } = document;
  return { ...toEntry(document), seq, ...(state !== undefined && { state }) };
}

// Brings assets back to what they were at a `seq`, by the entries of the change log that came later.
//
// An asset that was read after the moment may have changed since. Its last entry says whether it has; later entries are undone. A
// secret field, which the log does not have, keeps its present value.

/** Brings the assets of one range of `_id`s back to the moment. */
interface UndoToSeq {
  /** Returns the assets at the moment, of the documents that were read. */
  undo(documents: readonly AssetDocument[]): Promise<CopiedAsset[]>;
  /** Returns the assets of a range that existed at the moment and are gone, apart from those that were read. */
  findDeleted(range: IdRange, read: readonly AssetDocument[]): Promise<CopiedAsset[]>;
}

/** A range of `_id`s: after one, if given, and up to another one, if given. */
interface IdRange {
  readonly after?: string | undefined;
  readonly to?: string | undefined;
}

/** Creates it for a moment. Types without a log, and those in `leftOut`, are not looked for. */
function createUndoToSeq(
  { changes }: Pick<Database, 'changes'>,
  { seq, unlogged, leftOut }: DumpOptions & { readonly seq: number },
): UndoToSeq {
  const isLater = (entry: ChangeDocument) => entry.seq === undefined || entry.seq > seq;

  /** Undoes all later entries of one asset, newest first. */
  async function undoOne(id: string, current: AssetDocument | undefined): Promise<CopiedAsset | undefined> {
    const below = current && (current._colophon.change ?? 0) + 1;
    const cursor = changes.find(
      { _id: entriesOf(id, below === undefined ? {} : { below }) },
      { sort: { _id: -1 }, projection: { state: 0 } },
    );
    let { asset, version } = current ? fromDocument(current) : { asset: undefined, version: undefined };
    let number = current?._colophon.change ?? 0;
    for await (const document of cursor) {
      if (!isLater(document)) break;
      const entry = toEntry(document);
      if (entry.action === 'erase') return undefined;
      assertKnown(entry.type, asset);
      asset = withSecrets(undoChange(asset, entry), asset);
      version = entry.previousVersion;
      number = entry.number - 1;
    }
    if (!asset || version === undefined) return undefined;
    return toCopied({ asset, version, number }, current);
  }

  const secretsOf = (type: string): readonly string[] => {
    const parts = unlogged.get(type);
    return typeof parts === 'object' ? parts.secrets : [];
  };

  function withSecrets(before: Asset | undefined, after: Asset | undefined): Asset | undefined {
    if (!before || !after) return before;
    const kept = secretsOf(before._type).flatMap((name) => (name in after ? [[name, after[name]]] : []));
    // Safe: `_id` and `_type` are no secrets.
    return { ...before, ...Object.fromEntries(kept) } as Asset;
  }

  /** The secrets of a deleted record are nowhere. */
  function assertKnown(type: string, after: Asset | undefined): void {
    if (after !== undefined || secretsOf(type).length === 0) return;
    throw storeBusy('an API client or a user was deleted while the store was read');
  }

  return {
    async undo(documents) {
      const logged = documents.filter(({ _colophon: { change = 0 } }) => change > 0);
      const ids = logged.map(({ _id, _colophon: { change = 0 } }) => toChangeId(_id, change));
      const options = { projection: { seq: 1 } } as const;
      const found = await changes.find({ _id: { $in: ids } }, options).toArray();
      const changed = new Set(found.filter(isLater).map(({ _id }) => parseChangeId(_id).asset));
      const copied: CopiedAsset[] = [];
      for (const document of documents) {
        const { _id } = document;
        const { change: number = 0 } = document._colophon;
        const asset = changed.has(_id)
          ? await undoOne(_id, document)
          : toCopied({ ...fromDocument(document), number }, document);
        if (asset) copied.push(asset);
      }
      return copied;
    },
    async findDeleted({ after, to }, read) {
      const gone = { ...(after !== undefined && { $gt: after }), ...(to !== undefined && { $lte: to }) };
      const filter = {
        gone: after === undefined && to === undefined ? { $exists: true } : gone,
        $or: [{ seq: { $gt: seq } }, { pending: { $gt: 0 } }],
      };
      const known = new Set(read.map(({ _id }) => _id));
      const ids = new Set<string>();
      for await (const { _id, type } of changes.find(filter, { projection: { type: 1 } })) {
        const { asset } = parseChangeId(_id);
        if (!known.has(asset) && unlogged.get(type) !== 'all' && !leftOut.includes(type)) ids.add(asset);
      }
      const copied: CopiedAsset[] = [];
      for (const id of ids) copied.push(...[(await undoOne(id, undefined)) ?? []].flat());
      return copied;
    },
  };
}

/** Converts an asset; its shape is known if the document has not been changed since. */
function toCopied(
  { asset, version, number }: { asset: Asset; version: string; number: number },
  document: AssetDocument | undefined,
): CopiedAsset {
  const shape = document?._colophon.version === version ? document._colophon.shape : undefined;
  const { _id: id, _type: type } = asset;
  return { id, type, version, number, ...(shape !== undefined && { shape }), text: JSON.stringify(asset) };
}
