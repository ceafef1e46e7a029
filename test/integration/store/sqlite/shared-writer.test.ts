/** Several stores that share one writer, as the workers of one parent do. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Duplex, duplexPair } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { silentLogger } from '../../../../src/base/runtime.ts';
import type { ContentStore } from '../../../../src/store/port.ts';
import { createSqliteStore } from '../../../../src/store/sqlite/sqlite-store.ts';
import { createWriterHost } from '../../../../src/store/sqlite/writer/writer-host.ts';
import type { SharedWriter } from '../../../../src/store/store-adapter.ts';
import { toWhere } from '../../../contract/store/suite-content.ts';
import { findDisagreements } from '../../../support/log-agreement.ts';
import { temporaryFolder } from '../../../support/opened.ts';
import { catalogOf } from '../../../support/types.ts';

const catalog = catalogOf(
  'type Note @contentType(class: "x.Note") { slug: String @indexed(unique: true) text: String @searchable other: String }',
);
const types = { sources: [], folder: 'here', areShipped: false };
const origin = { by: { kind: 'command' }, atMs: 1_000 } as const;

let folder: string;
let host: SharedWriter;
const opened: ContentStore[] = [];
const file = () => join(folder, 'content.db');

beforeEach(() => {
  folder = temporaryFolder();
  host = createWriterHost({ file: file(), logger: silentLogger, memoryMb: 16 });
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  await host.stop();
});

/** Opens a worker's store, and returns its end of the channel as well. */
async function joinHost(): Promise<{ store: ContentStore; channel: Duplex }> {
  const [channel, hosted] = duplexPair();
  host.join(hosted);
  const store = await createSqliteStore({ file: file(), catalog, logger: silentLogger, writer: channel });
  opened.push(store);
  return { store, channel };
}

const idOf = (n: number) => `0190a0c0-0000-7000-8000-${String(n).padStart(12, '0')}`;
const note = (n: number, fields: Record<string, string> = {}) => ({
  asset: { _id: idOf(n), _type: 'x.Note', slug: `note-${n}`, ...fields },
  version: 'v',
});

function query(sql: string): Record<string, unknown>[] {
  const database = new DatabaseSync(file(), { timeout: 5_000 });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

test('each store reads the writes of the others at once, and errors keep their details', async () => {
  const { store: first } = await joinHost();
  await first.serve(types);
  const { store: second } = await joinHost();
  await second.serve(types);
  for (let n = 0; n < 50; n++) {
    const [writer, reader] = n % 2 === 0 ? [first, second] : [second, first];
    await writer.insert(note(n), origin);
    expect(await reader.get(idOf(n))).toMatchObject({ asset: { slug: `note-${n}` } });
  }
  await expect(second.insert({ ...note(100, { slug: 'note-1' }) }, origin)).rejects.toMatchObject({
    code: 'value_in_use',
    details: { field: 'slug', value: 'note-1' },
  });
  const outcomes = await second.write(
    [
      { kind: 'insert', ...note(101) },
      { kind: 'insert', ...note(102, { slug: 'note-1' }) },
    ],
    { atomic: true, origin },
  );
  expect(outcomes).toMatchObject([{ kind: 'undone' }, { error: { code: 'value_in_use' } }]);
  expect(await first.get(idOf(101))).toBeUndefined();
});

test('the stores have one record of a serving process, and all use an index that was built for it', async () => {
  const { store: early } = await joinHost();
  for (let n = 0; n < 300; n++) await early.insert(note(n, { text: n === 7 ? 'needle' : 'hay' }), origin);
  const { store: late } = await joinHost();
  await Promise.all([early.serve(types), late.serve(types)]);
  expect(query('SELECT count(*) AS n FROM serving')).toEqual([{ n: 1 }]);
  const where = toWhere(catalog, { classes: ['x.Note'], text: 'text matches "needle"' });
  const find = (store: ContentStore) =>
    store.find({ types: ['x.Note'], where, offset: 0, limit: 10, withCount: true });
  for (const store of [early, late]) expect(await find(store)).toMatchObject({ count: 1 });
  // Only a search that uses the index misses what it lacks.
  const [index] = await vi.waitFor(
    () => {
      const built = query('SELECT name FROM word_indexes');
      expect(built).toHaveLength(1);
      return built;
    },
    { timeout: 60_000 },
  );
  await vi.waitFor(
    async () => {
      query(`DELETE FROM ${index?.name} WHERE rowid = 8`);
      for (const store of [early, late]) expect(await find(store)).toMatchObject({ count: 0 });
    },
    { timeout: 60_000 },
  );
});

test('writes of a store whose process ends are done completely or not at all, and the others go on', async () => {
  const { store: dying, channel } = await joinHost();
  const { store: other } = await joinHost();
  const batches = Array.from({ length: 40 }, (_, batch) =>
    Array.from(
      { length: 20 },
      (_, n) => ({ kind: 'insert', ...note(batch * 100 + n, { other: `${batch}` }) }) as const,
    ),
  );
  let acknowledged = 0;
  const writing = batches.map((batch) =>
    dying.write(batch, { atomic: true, origin }).then(() => acknowledged++),
  );
  const ended = Promise.allSettled(writing);
  await writing[0];
  channel.destroy();
  const failures = (await ended).filter(({ status }) => status === 'rejected');
  expect(failures.length).toBe(batches.length - acknowledged);
  for (const failure of failures) expect(failure).toMatchObject({ reason: { code: 'store_busy' } });
  await expect(dying.insert(note(9_000), origin)).rejects.toMatchObject({ code: 'store_busy' });
  await expect(dying.ping()).rejects.toMatchObject({ code: 'store_busy' });
  await other.insert(note(9_001), origin);
  const batchOf = "CAST(json_extract(document, '$.other') AS INT)";
  const stored = query(`SELECT count(*) AS n FROM assets GROUP BY ${batchOf} HAVING ${batchOf} >= 0`);
  expect(stored.length).toBeGreaterThanOrEqual(acknowledged);
  expect(new Set(stored.map(({ n }) => n))).toEqual(new Set([20]));
  const database = new DatabaseSync(file(), { readOnly: true });
  expect(findDisagreements(database)).toEqual([]);
  database.close();
});

test('a write that ends the thread has an unknown outcome in its store, and writes of all succeed later', async () => {
  const { store: first } = await joinHost();
  const { store: second } = await joinHost();
  await first.serve(types);
  await first.insert(note(1), origin);
  const text = 'so many words '.repeat(300_000);
  const change = { id: idOf(1), type: 'x.Note', set: { text, other: text }, unset: [], version: 'w' };
  await expect(first.patch(change, origin)).rejects.toMatchObject({ code: 'store_busy' });
  await vi.waitFor(() => second.insert(note(2), origin), { timeout: 60_000, interval: 50 });
  await vi.waitFor(() => first.insert(note(3), origin), { timeout: 60_000, interval: 50 });
  await second.ping();
  expect(await second.canRecover()).toBe(true);
});

test('a store is refused that would open another file than its writer', async () => {
  const { store } = await joinHost();
  await store.insert(note(1), origin);
  renameSync(file(), `${file()}.away`);
  writeFileSync(file(), '');
  await expect(joinHost()).rejects.toMatchObject({ code: 'bad_config' });
  renameSync(`${file()}.away`, file());
});

test('a writer that cannot start fails the store that asked for it, and is started for the next', async () => {
  writeFileSync(
    file(),
    'This is no database, but long enough that SQLite looks at its first bytes.'.repeat(20),
  );
  await expect(joinHost()).rejects.toMatchObject({ code: expect.stringMatching(/bad_config|store_failure/) });
  rmSync(file());
  const { store } = await joinHost();
  await store.insert(note(1), origin);
  expect(await store.get(idOf(1))).toBeDefined();
});
