/**
 * Reads and writes the rows of a journal: segments, counts, refused lines. `journal.ts` has the tables.
 */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { type Problem, transferFailed } from '../../base/errors.ts';
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

export interface SegmentOutcome {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failures: readonly Failure[];
  readonly written: readonly WrittenLine[];
  /** The parts to send again. */
  readonly again: readonly SegmentSpan[];
}

/** The numbers of lines by outcome, over all runs. */
export interface Counts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly deleted: number;
  readonly failed: number;
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Prepares the reads of a journal. */
export function createReading(database: DatabaseSync) {
  const position = database.prepare('SELECT byte, line FROM import');
  const run = database.prepare('SELECT run FROM import');
  const segments = database.prepare('SELECT * FROM segments ORDER BY start');
  const counts = database.prepare(
    'SELECT created, updated, unchanged, deleted, (SELECT count(*) FROM failures) AS failed FROM import',
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
      for (const row of failures.iterate()) yield toFailure(row);
    },
  };
}

const toFailure = ({ line, problems, kept }: Record<string, SQLOutputValue>): Failure => ({
  line: Number(line),
  problems: JSON.parse(String(problems)),
  kept: String(kept),
});

/** Prepares the changes of a journal, each of which is a transaction. */
export function createWriting(database: DatabaseSync) {
  const insert = database.prepare('INSERT INTO segments VALUES (?, ?, ?, ?, ?)');
  const remove = database.prepare('DELETE FROM segments WHERE start = ?');
  const advance = database.prepare('UPDATE import SET byte = max(byte, ?), line = max(line, ?)');
  const account = database.prepare(
    'UPDATE import SET created = created + ?, updated = updated + ?, unchanged = unchanged + ?',
  );
  const rename = database.prepare('UPDATE import SET run = ?');
  const fail = database.prepare('INSERT INTO failures VALUES (?, ?, ?)');
  const dangle = database.prepare('INSERT OR IGNORE INTO dangling VALUES (?, ?, ?, ?, ?, ?)');

  function begin({ start, end, firstLine, lastLine, hash }: SegmentSpan): void {
    insert.run(start, end, firstLine, lastLine, hash);
    advance.run(end, lastLine);
  }

  function complete({ start }: SegmentSpan, outcome: SegmentOutcome): void {
    remove.run(start);
    record(outcome);
    for (const part of outcome.again) begin(part);
  }

  function record({ created, updated, unchanged, failures, written }: SegmentOutcome): void {
    account.run(created, updated, unchanged);
    for (const { line, problems, kept } of failures) fail.run(line, JSON.stringify(problems), kept);
    for (const { line, _id, unresolved, kept } of written) {
      for (const { path, _ref, _type } of unresolved) dangle.run(_type, _ref, line, path, _id, kept ?? null);
    }
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

  return {
    begin: whole(begin),
    complete: whole(complete),
    setRun: whole(setRun),
  };
}
