/**
 * The journal of one import: which segments are under way, and the outcomes of the others. It is an SQLite file. Each change is
 * durable before the import continues, so that a killed import resumes where it was.
 *
 * One process at a time can open it.
 */
import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type Problem, transferFailed } from '../../base/errors.ts';
import type { Clock, IdSource } from '../../base/runtime.ts';
import type { ImportIdentity } from './assign-id.ts';
import { createDanglingTable, type DanglingTable } from './dangling-references.ts';
import type { Written } from './read-line.ts';
import type { SegmentSpan } from './segments.ts';
import type { Position } from './split-lines.ts';

/** A refused line, with the member of a report line that keeps it. */
export interface Failure {
  readonly line: number;
  readonly problems: readonly Problem[];
  readonly kept: string;
}

/** A line whose asset was written. In a dry run it would have been, and `kept` is the member of a report line that keeps it. */
export interface WrittenLine extends Written {
  readonly line: number;
  readonly kept?: string;
}

/** The outcome of a segment. */
export interface Settlement {
  readonly created: number;
  readonly updated: number;
  readonly failures: readonly Failure[];
  readonly written: readonly WrittenLine[];
  /** The parts to send again. */
  readonly again: readonly SegmentSpan[];
}

/** The numbers of lines by outcome, over all runs. */
export interface Counts {
  readonly created: number;
  readonly updated: number;
  readonly failed: number;
}

/** The settings that two runs of one import share. */
export interface ImportTerms {
  readonly input: string;
  readonly target: string;
  readonly mode: string;
  readonly by: string;
}

/** An open journal. */
export interface Journal {
  readonly identity: ImportIdentity;
  /** Whether an earlier run created it. */
  readonly isResumed: boolean;
  readonly dangling: DanglingTable;
  /** Returns the end of the last segment. */
  position(): Position;
  underWay(): SegmentSpan[];
  counts(): Counts;
  failures(): Iterable<Failure>;
  /** Records that a segment will be sent. */
  begin(span: SegmentSpan): void;
  settle(span: SegmentSpan, settlement: Settlement): void;
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
  addRunColumn(database);
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

/** Adds what the journals of 0.1 lack. */
function addRunColumn(database: DatabaseSync): void {
  const columns = database.prepare("SELECT 1 FROM pragma_table_info('import') WHERE name = 'run'");
  if (columns.get() === undefined) database.exec('ALTER TABLE import ADD COLUMN run TEXT');
}

interface ImportRow {
  readonly id: string;
  readonly started: number;
  readonly terms: string;
}

const schema = `
CREATE TABLE IF NOT EXISTS import (
  id TEXT, started INTEGER, terms TEXT, byte INTEGER DEFAULT 0, line INTEGER DEFAULT 0,
  created INTEGER DEFAULT 0, updated INTEGER DEFAULT 0
);
CREATE TABLE IF NOT EXISTS segments (
  start INTEGER PRIMARY KEY, end INTEGER, firstLine INTEGER, lastLine INTEGER, hash TEXT
);
CREATE TABLE IF NOT EXISTS failures (line INTEGER PRIMARY KEY, problems TEXT, kept TEXT);
CREATE TABLE IF NOT EXISTS dangling (
  type TEXT, ref TEXT, line INTEGER, path TEXT, id TEXT, kept TEXT, PRIMARY KEY (type, ref, line, path)
) WITHOUT ROWID;
PRAGMA user_version = 1;
`;

function openDatabase(file: string | undefined): DatabaseSync {
  try {
    // Without a name SQLite makes a temporary file.
    const database = new DatabaseSync(file ?? '');
    // The exclusive lock keeps a second import from using the same journal.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    database.exec(`BEGIN IMMEDIATE; ${schema} COMMIT`);
    return database;
  } catch (error) {
    throw transferFailed(`the journal ${file ?? ''} cannot be used: ${messageOf(error)}`);
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function findDifference(known: ImportTerms, terms: ImportTerms): string | undefined {
  const names = ['input', 'target', 'mode', 'by'] as const;
  const different = names.find((name) => known[name] !== terms[name]);
  if (different === 'input') return `the input has changed (it was ${known.input}, now ${terms.input})`;
  return different && `its ${different} is ${known[different]}, not ${terms[different]}`;
}

function createReading(database: DatabaseSync) {
  const position = database.prepare('SELECT byte, line FROM import');
  const run = database.prepare('SELECT run FROM import');
  const segments = database.prepare('SELECT * FROM segments ORDER BY start');
  const counts = database.prepare(
    'SELECT created, updated, (SELECT count(*) FROM failures) AS failed FROM import',
  );
  const failures = database.prepare('SELECT * FROM failures ORDER BY line');
  // The rows are as the tables above have them.
  return {
    run: () => {
      const name = run.get()?.run;
      return typeof name === 'string' ? name : undefined;
    },
    position: () => position.get() as unknown as Position,
    underWay: () => segments.all() as unknown as SegmentSpan[],
    counts: () => counts.get() as unknown as Counts,
    *failures(): Iterable<Failure> {
      for (const { line, problems, kept } of failures.iterate()) {
        yield { line: Number(line), problems: JSON.parse(String(problems)), kept: String(kept) };
      }
    },
  };
}

function createWriting(database: DatabaseSync) {
  const insert = database.prepare('INSERT INTO segments VALUES (?, ?, ?, ?, ?)');
  const remove = database.prepare('DELETE FROM segments WHERE start = ?');
  const advance = database.prepare('UPDATE import SET byte = max(byte, ?), line = max(line, ?)');
  const account = database.prepare('UPDATE import SET created = created + ?, updated = updated + ?');
  const rename = database.prepare('UPDATE import SET run = ?');
  const fail = database.prepare('INSERT INTO failures VALUES (?, ?, ?)');
  const dangle = database.prepare('INSERT OR IGNORE INTO dangling VALUES (?, ?, ?, ?, ?, ?)');

  function begin({ start, end, firstLine, lastLine, hash }: SegmentSpan): void {
    insert.run(start, end, firstLine, lastLine, hash);
    advance.run(end, lastLine);
  }

  function settle({ start }: SegmentSpan, { created, updated, failures, written, again }: Settlement): void {
    remove.run(start);
    account.run(created, updated);
    for (const { line, problems, kept } of failures) fail.run(line, JSON.stringify(problems), kept);
    for (const { line, _id, unresolved, kept } of written) {
      for (const { path, _ref, _type } of unresolved) dangle.run(_type, _ref, line, path, _id, kept ?? null);
    }
    for (const part of again) begin(part);
  }

  /** Runs a change in a transaction. */
  const whole =
    <Words extends readonly unknown[]>(write: (...words: Words) => void) =>
    (...words: Words) => {
      try {
        database.exec('BEGIN IMMEDIATE');
        write(...words);
        database.exec('COMMIT');
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw transferFailed(`the journal cannot be written: ${messageOf(error)}`);
      }
    };

  const setRun = (run: string) => void rename.run(run);

  return { begin: whole(begin), settle: whole(settle), setRun: whole(setRun) };
}
