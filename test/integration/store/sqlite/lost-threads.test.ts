import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isDomainError, storeBusy } from '../../../../src/base/errors.ts';
import { silentLogger } from '../../../../src/base/runtime.ts';
import { bindPredicate, createPredicateCompiler } from '../../../../src/query/prepare.ts';
import type { ContentStore } from '../../../../src/store/port.ts';
import { createSqliteStore } from '../../../../src/store/sqlite/sqlite-store.ts';
import { temporaryFolder } from '../../../support/opened.ts';
import { catalogOf } from '../../../support/types.ts';

const catalog = catalogOf(
  `type Note @contentType(class: "x.Note") { title: String text: String other: String }`,
);
const classes = ['x.Note'];
const { prepare } = createPredicateCompiler(catalog);

let folder: string;
let store: ContentStore;
const file = () => join(folder, 'content.db');

const open = (memory: { readerMb: number; writerMb: number }) =>
  createSqliteStore({ file: file(), catalog, logger: silentLogger, memory });

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => store.close());

const idOf = (n: number) => `0190a0c0-0000-7000-8000-${String(n).padStart(12, '0')}`;
const note = (n: number, text: string) => ({
  asset: { _id: idOf(n), _type: 'x.Note', title: `Note ${n}`, text },
  version: 'v',
});
const find = (where: string) =>
  store.find({
    types: classes,
    where: bindPredicate(prepare(classes, where), []),
    offset: 0,
    limit: 10,
    withCount: true,
  });
/** A text that a reader with 16 MB cannot split into words. */
const longText = 'so many words '.repeat(300_000);
const deadly = 'text matches "words" and title contains "Note"';
const until = async (attempt: () => Promise<unknown>) => {
  for (let tries = 0; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (tries > 600 || !isDomainError(error, 'store_busy')) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
};

test('a search that ends two reader threads is refused with its path, and later reads succeed', async () => {
  store = await open({ readerMb: 16, writerMb: 256 });
  await store.insert(note(1, 'short'));
  await store.insert(note(2, longText));
  await expect(find(deadly)).rejects.toMatchObject({ code: 'query_too_costly', details: { path: 'text' } });
  await expect(find('title = "Note 1"')).resolves.toMatchObject({ count: 1 });
  await until(() => store.ping());
  expect(await store.canRecover()).toBe(true);
});

test('while the file is missing, reads fail and no new file is created', async () => {
  store = await open({ readerMb: 16, writerMb: 256 });
  await store.insert(note(2, longText));
  renameSync(file(), `${file()}.away`);
  await expect(find(deadly)).rejects.toMatchObject({
    code: expect.stringMatching(/store_busy|query_too_costly/),
  });
  await until(async () => {
    if (
      await store.ping().then(
        () => true,
        () => false,
      )
    )
      throw storeBusy('not yet so');
  });
  await expect(find(deadly)).rejects.toMatchObject({ code: 'store_busy' });
  renameSync(`${file()}.away`, file());
  await until(() => store.ping());
  await expect(find('title = "Note 2"')).resolves.toMatchObject({ count: 1 });
});

test('a write that ends the writer thread has an unknown outcome, and later writes succeed', async () => {
  store = await open({ readerMb: 64, writerMb: 12 });
  await store.insert(note(1, 'short'));
  const patch = (text: string) =>
    store.patch({ id: idOf(1), type: 'x.Note', set: { text, other: text }, unset: [], version: 'w' });
  await expect(patch(longText)).rejects.toMatchObject({ code: 'store_busy' });
  await expect(until(() => patch('other'))).resolves.toMatchObject({ asset: { text: 'other' } });
  await store.ping();
});

test('a reader tests documents when the values of an index exceed its memory', async () => {
  const tagged = catalogOf(
    `type Note @contentType(class: "x.Note") { title: String tags: [String!] @indexed }`,
  );
  const memory = { readerMb: 32, writerMb: 256 };
  store = await createSqliteStore({ file: file(), catalog: tagged, logger: silentLogger, memory });
  // Values of 130 characters, 2,000 for each of 300 terms: 78 MB, which would be kept until the statement ends.
  for (let n = 0; n < 20; n++) {
    const tags = Array.from({ length: 100 }, (_, tag) => `${'x'.repeat(120)} ${n} ${tag}`);
    await store.insert({ asset: { _id: idOf(n), _type: 'x.Note', title: `Note ${n}`, tags }, version: 'v' });
  }
  const { prepare: prepareTagged } = createPredicateCompiler(tagged);
  const terms = Array.from({ length: 300 }, (_, n) => `tags contains[c] "X ${n % 20} ${100 + n}"`);
  const text = `${terms.join(' or ')} or tags contains[c] "X 7 7"`;
  const where = bindPredicate(prepareTagged(classes, text), []);
  const page = await store.find({ types: classes, where, offset: 0, limit: 10, withCount: true });
  expect(page.count).toBe(1);
});

test('a restarted writer enforces the unique fields of its process, even if the index was dropped', async () => {
  const unique = catalogOf(
    `type Note @contentType(class: "x.Note") { text: String slug: String @indexed(unique: true) }`,
  );
  const memory = { readerMb: 64, writerMb: 12 };
  store = await createSqliteStore({ file: file(), catalog: unique, logger: silentLogger, memory });
  await store.serve({ sources: [], folder: 'here', areShipped: false });
  const slugged = (n: number) => ({ asset: { _id: idOf(n), _type: 'x.Note', slug: 'one' }, version: 'v' });
  await store.insert(slugged(1));
  const change = {
    id: idOf(1),
    type: 'x.Note',
    set: { text: longText, other: longText },
    unset: [],
    version: 'w',
  };
  await expect(store.patch(change)).rejects.toMatchObject({ code: 'store_busy' });
  const other = new DatabaseSync(file());
  const [index] = other
    .prepare("SELECT name, number FROM field_indexes JOIN types USING (class) WHERE field = 'slug'")
    .all();
  other.exec(`DROP INDEX ${index?.name}; ALTER TABLE type_${index?.number} DROP COLUMN ${index?.name};
    DELETE FROM field_indexes WHERE field = 'slug'`);
  other.close();
  await expect(until(() => store.insert(slugged(2)))).rejects.toMatchObject({ code: 'value_in_use' });
});
