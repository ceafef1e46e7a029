/**
 * Checks what a store has as of one moment: its assets, their references, and the change log.
 *
 * A temporary database keeps what has to be compared, so that memory does not grow with the store.
 */

import { DatabaseSync } from 'node:sqlite';
import type { Asset, Catalog } from '../../model/content-type.ts';
import { createStoredCheck } from '../../model/values/check-stored.ts';
import type { CopiedAsset, CopiedEntry } from '../../store/copy/store-copy.ts';
import type { StoreDump } from '../../store/copy/store-dump.ts';
import type { Findings } from '../../store/inspection/findings.ts';

export interface CopyCheck {
  readonly dump: StoreDump;
  readonly catalog: Catalog;
  readonly findings: Findings;
  /** The class names of assets that the change log does not have. */
  readonly unlogged: readonly string[];
  /** Is called with the number of records read so far. */
  progress(records: number): void;
}

/** How much was checked. */
export interface CheckedCopy {
  readonly assets: number;
  readonly entries: number;
  readonly seq: number;
}

/** Checks a store. Errors: those of the store. */
export async function checkCopy(request: CopyCheck): Promise<CheckedCopy> {
  const { dump, findings, progress } = request;
  const tables = createCopyTables();
  const checkAsset = createAssetCheck(request, tables);
  const log = createLogCheck(tables, findings);
  const counts = { assets: 0, entries: 0 };
  try {
    for await (const assets of dump.assets()) {
      assets.forEach(checkAsset);
      counts.assets += assets.length;
      progress(counts.assets);
    }
    for await (const entries of dump.entries()) {
      entries.forEach(log.check);
      counts.entries += entries.length;
      progress(counts.assets + counts.entries);
    }
    reportLost(request);
    if (dump.facts.seq > 0) log.finish({ seq: dump.facts.seq, unlogged: request.unlogged });
    for (const { target, id } of tables.dangling()) {
      findings.notice('references', `a reference to ${target.type} has no target`, { id });
    }
    return { ...counts, seq: dump.facts.seq };
  } finally {
    tables.close();
  }
}

/** Adds what cannot be read. */
function reportLost({ dump: { lost }, findings }: CopyCheck): void {
  const { assets, entries, parts } = lost;
  for (const id of assets.ids) findings.fault('assets', 'the asset cannot be read', { id });
  if (assets.others > 0)
    findings.fault('assets', 'assets whose _id is unknown cannot be read', { count: assets.others });
  if (entries.count > 0)
    findings.fault('log', 'entries cannot be read', { count: entries.count, ids: [...entries.ids] });
  for (const part of parts) findings.fault('database', `${part} cannot be read`);
}

type Tables = ReturnType<typeof createCopyTables>;

function createAssetCheck({ catalog, findings }: CopyCheck, tables: Tables): (copied: CopiedAsset) => void {
  const checkStored = createStoredCheck(catalog);
  return (copied) => {
    const { id, type, text } = copied;
    if (!tables.addAsset(copied)) findings.fault('assets', 'there are two assets with one _id', { id });
    if (copied.isMisplaced)
      findings.fault('assets', 'the stored asset has another _id or _type than its row', { id });
    if (copied.isDamaged) return findings.fault('assets', 'the stored text is not as it was written', { id });
    const asset = parse(text);
    if (!asset) return findings.fault('assets', 'the stored text is no JSON object', { id });
    if (asset._id !== id || asset._type !== type) {
      findings.fault('assets', 'the stored asset has another _id or _type than its row', { id });
    }
    const checked = catalog.types.has(type) ? checkStored(asset) : undefined;
    if (!checked) return findings.notice('types', `the content type ${type} is not served`, { id });
    const { problems, references } = checked;
    if (problems.length > 0) findings.notice('types', `the asset does not fit its type ${type}`, { id });
    for (const { reference } of references)
      tables.addReference(id, { id: reference._ref, type: reference._type });
  };
}

function parse(text: string): Asset | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // Its `_id` and `_type` are compared next.
    return typeof value === 'object' && value !== null ? (value as Asset) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Checks entries in the order of `seq`.
 *
 * Trimming removes the oldest entries, and erasing those of one asset, before the entry that says so. Other holes are faults.
 */
function createLogCheck(tables: ReturnType<typeof createCopyTables>, findings: Findings) {
  let [first, last, missing, erased] = [0, 0, 0, 0];

  function checkSeq({ seq, action, number }: CopiedEntry): void {
    if (last === 0) first = seq;
    else if (seq <= last) findings.fault('log', `seq ${seq} is in the log twice or in the wrong order`);
    else missing += seq - last - 1;
    last = seq;
    if (action === 'erase') erased += number - 1;
  }

  function checkChain(entry: CopiedEntry): void {
    const { asset: id, number, action, previousVersion = null } = entry;
    const end = tables.findEnd(id);
    // What an erasure has left begins anew.
    if (!end || action === 'erase') return;
    if (number !== end.number + 1) findings.fault('log', 'a history has a hole or an entry twice', { id });
    else if (previousVersion !== end.version) {
      findings.fault('log', 'an entry does not continue from the version before it', { id });
    }
  }

  return {
    check(entry: CopiedEntry) {
      const { isDamaged, asset: id } = entry;
      if (isDamaged) findings.fault('log', 'what an entry changed cannot be read', { id });
      checkSeq(entry);
      checkChain(entry);
      tables.setEnd(entry);
    },
    /** Compares the end of the log with the last `seq`, and the ends of histories with the assets, except those of types that are not logged. */
    finish({ seq, unlogged }: { readonly seq: number; readonly unlogged: readonly string[] }) {
      if (last < seq) missing += seq - last;
      if (missing > erased) findings.fault('log', 'entries are missing', { count: missing - erased });
      for (const { id, type, number, end } of tables.disagreements()) {
        if (type !== undefined && unlogged.includes(type)) continue;
        if (end) findings.fault('log', 'the asset is not as its last change has left it', { id });
        // Its entries may have been trimmed.
        else if (first === 1 && number > 0)
          findings.fault('log', 'the asset has no entry in the log, which is complete', { id });
      }
    },
  };
}

/** The last entry of an asset. */
interface HistoryEnd {
  readonly number: number;
  /** Null when the asset does not exist after it. */
  readonly version: string | null;
}

/** An asset that is not as its history ends, or a history whose asset is gone. */
interface Disagreement {
  readonly id: string;
  /** Absent when the asset does not exist. */
  readonly type: string | undefined;
  /** The number of the last entry, as the asset has it. */
  readonly number: number;
  readonly end: HistoryEnd | undefined;
}

interface ReferenceTarget {
  readonly id: string;
  /** Class name. */
  readonly type: string;
}

/** Creates it. SQLite keeps it in memory as long as it is small, and in a file without a name otherwise. */
function createCopyTables() {
  const database = new DatabaseSync('');
  database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -32000;
    CREATE TABLE assets (id TEXT PRIMARY KEY, type TEXT NOT NULL, version TEXT NOT NULL, number INTEGER NOT NULL)
      WITHOUT ROWID;
    CREATE TABLE ends (id TEXT PRIMARY KEY, number INTEGER NOT NULL, version TEXT) WITHOUT ROWID;
    CREATE TABLE refs (id TEXT NOT NULL, target TEXT NOT NULL, type TEXT NOT NULL);
    BEGIN`);
  const addAsset = database.prepare('INSERT OR IGNORE INTO assets VALUES (?, ?, ?, ?)');
  const addReference = database.prepare('INSERT INTO refs VALUES (?, ?, ?)');
  const findEnd = database.prepare('SELECT number, version FROM ends WHERE id = ?');
  const setEnd = database.prepare('INSERT OR REPLACE INTO ends VALUES (?, ?, ?)');
  return {
    /** Returns whether no asset had this `_id`. */
    addAsset: ({ id, type, version, number }: CopiedAsset) =>
      addAsset.run(id, type, version, number).changes === 1,
    addReference: (id: string, target: ReferenceTarget) => void addReference.run(id, target.id, target.type),
    // The columns are those of the table.
    findEnd: (id: string) => findEnd.get(id) as HistoryEnd | undefined,
    setEnd: ({ asset, number, version }: CopiedEntry) => void setEnd.run(asset, number, version ?? null),
    /** Lists the references whose targets do not exist. */
    *dangling(): Generator<{ id: string; target: ReferenceTarget }> {
      const missing = database.prepare(
        'SELECT DISTINCT * FROM refs WHERE target NOT IN (SELECT id FROM assets)',
      );
      for (const { id, target, type } of missing.iterate()) {
        yield { id: String(id), target: { id: String(target), type: String(type) } };
      }
    },
    /** Lists the assets that are not as the last entry of their history says. */
    *disagreements(): Generator<Disagreement> {
      const wrong = database.prepare(
        `SELECT assets.id, type, assets.number AS own, ends.number, ends.version FROM assets LEFT JOIN ends USING (id)
           WHERE ends.number IS NULL OR ends.number <> assets.number OR ends.version IS NOT assets.version
         UNION ALL SELECT ends.id, NULL, 0, ends.number, ends.version FROM ends LEFT JOIN assets USING (id)
           WHERE assets.id IS NULL AND ends.version IS NOT NULL`,
      );
      for (const { id, type, own, number, version } of wrong.iterate()) {
        const end =
          number === null ? undefined : { number: Number(number), version: version as string | null };
        yield { id: String(id), type: type === null ? undefined : String(type), number: Number(own), end };
      }
    },
    close: () => database.close(),
  };
}
