/**
 * The journal of one import: which segments are under way, and the outcomes of the others. It is an SQLite file. Each change is
 * durable before the import continues, so that a killed import resumes where it was.
 *
 * One process at a time can open it.
 */
import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { transferFailed } from '../../base/errors.ts';
import { createPrivateFile } from '../../base/private-file.ts';
import type { Clock, IdSource } from '../../base/runtime.ts';
import type { ImportIdentity } from './assign-id.ts';
import { createDanglingTable, type DanglingTable } from './dangling-references.ts';
import {
  type Counts,
  createReading,
  createWriting,
  type Failure,
  messageOf,
  type SegmentOutcome,
} from './journal-records.ts';
import { createLineIndex, indexSchema, type LineIndex } from './line-index.ts';
import type { SegmentSpan } from './segments.ts';
import type { Position } from './split-lines.ts';

export type { Counts, Failure, SegmentOutcome, WrittenLine } from './journal-records.ts';

/** The settings that two runs of one import share. */
export interface ImportTerms {
  readonly input: string;
  readonly target: string;
  readonly mode: string;
  readonly by: string;
  /** What `_id`s are derived in. */
  readonly ids: string;
  /** Which assets are deleted if the file lacks them. */
  readonly prune: string;
}

export interface Journal {
  readonly identity: ImportIdentity;
  /** Whether an earlier run created it. */
  readonly isResumed: boolean;
  readonly dangling: DanglingTable;
  readonly index: LineIndex;
  /** Returns the end of the last segment. */
  position(): Position;
  underWay(): SegmentSpan[];
  counts(): Counts;
  failures(): Iterable<Failure>;
  /** Records that a segment will be sent. */
  begin(span: SegmentSpan): void;
  complete(span: SegmentSpan, outcome: SegmentOutcome): void;
  close(): void;
  /** Returns the run of the import: empty when it has none, and `undefined` when that is not known yet. */
  run(): string | undefined;
  setRun(run: string): void;
  /** Closes and deletes the journal. */
  remove(): void;
}

/** Opens the journal in a file; without a file, a journal that ends with the process. Errors: transfer_failed. */
export function openJournal({
  file,
  terms,
  clock,
  ids,
}: {
  file?: string;
  terms: ImportTerms;
  clock: Clock;
  ids: IdSource;
}): Journal {
  const database = openDatabase(file);
  const isResumed = database.prepare('SELECT 1 FROM import').get() !== undefined;
  if (!isResumed) {
    const insert = database.prepare('INSERT INTO import (id, started, terms) VALUES (?, ?, ?)');
    insert.run(ids.secret(), clock.nowMs(), JSON.stringify(terms));
  }
  // The row is as the table has it.
  const known = database.prepare('SELECT id, started, terms FROM import').get() as unknown as ImportRow;
  const difference = findDifference(JSON.parse(known.terms), terms);
  if (difference !== undefined) {
    database.close();
    const ways = 'use --restart to discard it, or --journal to name another';
    throw transferFailed(`${file} is the journal of another import: ${difference}; ${ways}`);
  }
  const close = () => database.close();
  return {
    identity: { id: known.id, startedMs: known.started },
    isResumed,
    dangling: createDanglingTable(database),
    index: createLineIndex(database),
    ...createReading(database),
    ...createWriting(database),
    close,
    remove() {
      close();
      if (file !== undefined) forgetJournal(file);
    },
  };
}

/** Deletes the journal in a file, if it exists. */
export function forgetJournal(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
}

interface ImportRow {
  readonly id: string;
  readonly started: number;
  readonly terms: string;
}

const schema = `
CREATE TABLE IF NOT EXISTS import (
  id TEXT, started INTEGER, terms TEXT, byte INTEGER DEFAULT 0, line INTEGER DEFAULT 0,
  created INTEGER DEFAULT 0, updated INTEGER DEFAULT 0, unchanged INTEGER DEFAULT 0,
  deleted INTEGER DEFAULT 0, indexed INTEGER DEFAULT 0, run TEXT
);
CREATE TABLE IF NOT EXISTS segments (
  start INTEGER PRIMARY KEY, end INTEGER, firstLine INTEGER, lastLine INTEGER, hash TEXT
);
CREATE TABLE IF NOT EXISTS failures (line INTEGER PRIMARY KEY, problems TEXT, kept TEXT);
CREATE TABLE IF NOT EXISTS dangling (
  type TEXT, ref TEXT, line INTEGER, path TEXT, id TEXT, kept TEXT, PRIMARY KEY (type, ref, line, path)
) WITHOUT ROWID;
${indexSchema}
PRAGMA user_version = 2;
`;

function openDatabase(file: string | undefined): DatabaseSync {
  try {
    // Without a name SQLite makes a temporary file.
    if (file !== undefined) createPrivateFile(file);
    const database = new DatabaseSync(file ?? '');
    // The exclusive lock keeps a second import from using the same journal.
    database.exec(
      'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16000',
    );
    database.exec(`BEGIN IMMEDIATE; ${schema} COMMIT`);
    return database;
  } catch (error) {
    throw transferFailed(`the journal ${file ?? ''} cannot be used: ${messageOf(error)}`);
  }
}

function findDifference(known: ImportTerms, terms: ImportTerms): string | undefined {
  const names = ['input', 'target', 'mode', 'by', 'ids', 'prune'] as const;
  const different = names.find((name) => known[name] !== terms[name]);
  if (different === 'input') return `the input has changed (it was ${known.input}, now ${terms.input})`;
  return different && `its ${different} is ${known[different]}, not ${terms[different]}`;
}
