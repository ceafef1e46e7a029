import { cpSync, existsSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Journal, openJournal } from '../../../../src/transfer/import/journal.ts';
import { temporaryFolder } from '../../../support/opened.ts';
import { createCountingIds, createFakeClock } from '../../../support/runtime.ts';

let folder: string;
const terms = { input: 'it', target: 'there', mode: 'create', by: '_id', ids: 'off', prune: 'off' };
const clock = createFakeClock(1000);
const fileOf = (name: string) => join(folder, name);

beforeEach(() => {
  folder = temporaryFolder();
});

function start(file?: string, changed: Partial<typeof terms> = {}): Journal {
  const path = file === undefined ? {} : { file: fileOf(file) };
  return openJournal({ ...path, terms: { ...terms, ...changed }, clock, ids: createCountingIds() });
}

const place = (start: number) => ({
  start,
  end: start + 10,
  firstLine: start,
  lastLine: start + 1,
  hash: 'h',
});
const nothing = { created: 0, updated: 0, unchanged: 0, failures: [], written: [], again: [] };
const ref = '01935e49-02aa-7b10-8c33-5d1f6a90e412';
const written = { line: 3, _id: 'a', unresolved: [{ path: 'author', _ref: ref, _type: 'T' }] };
const failure = { line: 2, problems: [{ path: 'name', message: 'is required' }], kept: '"asset":{}' };

describe('a journal', () => {
  it('records segments in progress, results of finished ones, and the position in the input', () => {
    const first = start('a');
    first.begin(place(0));
    first.begin(place(10));
    first.complete(place(0), {
      ...nothing,
      created: 1,
      failures: [failure],
      written: [written],
      again: [place(5)],
    });
    const { identity } = first;
    first.close();
    const second = start('a');
    expect([first.isResumed, second.isResumed]).toEqual([false, true]);
    expect(second.identity).toEqual(identity);
    expect(second.underWay()).toEqual([place(5), place(10)]);
    expect(second.position()).toEqual({ byte: 20, line: 11 });
    expect(second.counts()).toEqual({ created: 1, updated: 0, unchanged: 0, deleted: 0, failed: 1 });
    expect([...second.failures()]).toEqual([failure]);
    expect([...second.dangling.all()]).toMatchObject([{ line: 3, id: 'a', path: 'author', type: 'T', ref }]);
    second.remove();
    expect(existsSync(fileOf('a'))).toBe(false);
  });

  it('lists each missing target once, and removes those that are found', () => {
    const journal = start();
    const unresolved = ['b', 'a', 'a', 'c'].map((_ref, n) => ({ path: `related[${n}]`, _ref, _type: 'T' }));
    journal.complete(place(0), { ...nothing, written: [{ line: 1, _id: 'x', unresolved }] });
    expect([...journal.dangling.targets(2)]).toEqual([
      { type: 'T', refs: ['a', 'b'] },
      { type: 'T', refs: ['c'] },
    ]);
    journal.dangling.resolve({ type: 'T', refs: ['a', 'c'] });
    expect([...journal.dangling.all()].map((reference) => reference.ref)).toEqual(['b']);
    expect(journal.dangling.count()).toBe(1);
  });

  it.each([
    [{ input: 'other' }, /the input has changed/],
    [{ target: 'elsewhere' }, /its target is there, not elsewhere/],
    [{ mode: 'upsert' }, /its mode is create, not upsert/],
    [{ by: 'slug' }, /its by is _id, not slug/],
  ])('of another import is refused: %j', (changed, reason) => {
    start('a').close();
    expect(() => start('a', changed)).toThrow(reason);
    start('a').close();
  });

  it('can be used by only one import at a time', () => {
    const journal = start('a');
    journal.begin(place(0));
    expect(() => start('a')).toThrow(/cannot be used: database is locked/);
    journal.close();
  });

  it('is refused when it is another kind of file', () => {
    cpSync(import.meta.filename, fileOf('a'));
    expect(() => start('a')).toThrow(/cannot be used: file is not a database/);
    expect(readFileSync(fileOf('a'))).toEqual(readFileSync(import.meta.filename));
    expect(() => start('nowhere/a')).toThrow(/cannot be used: ENOENT/);
  });

  it('keeps the earlier records when the last one is incomplete', () => {
    const journal = start('a');
    for (const start of [0, 10, 20]) journal.begin(place(start));
    // The state after a crash: the file and its log, copied while in use.
    for (const suffix of ['', '-wal']) cpSync(fileOf(`a${suffix}`), fileOf(`torn${suffix}`));
    journal.close();
    truncateSync(fileOf('torn-wal'), statSync(fileOf('torn-wal')).size - 100);
    const torn = start('torn');
    expect(torn.underWay()).toEqual([place(0), place(10)]);
    torn.close();
  });

  it('records all results of a segment or none', () => {
    const journal = start('a');
    journal.begin(place(0));
    journal.complete(place(0), { ...nothing, failures: [failure] });
    journal.begin(place(10));
    expect(() => journal.complete(place(10), { ...nothing, created: 5, failures: [failure] })).toThrow(
      /cannot be written/,
    );
    expect([journal.underWay(), journal.counts().created]).toEqual([[place(10)], 0]);
    journal.close();
  });
});
