import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, test } from 'vitest';
import { silentLogger } from '../../../../src/base/runtime.ts';
import type { Asset, Catalog } from '../../../../src/model/content-type.ts';
import { createStoredTypes } from '../../../../src/store/sqlite/indexes/field-indexes.ts';
import { makeIndexesOfType, neededIndexes } from '../../../../src/store/sqlite/indexes/stored-indexes.ts';
import { createSqliteStore } from '../../../../src/store/sqlite/sqlite-store.ts';
import { toTypesToStore } from '../../../../src/store/sqlite/threads/store-threads.ts';
import { toWhere } from '../../../contract/store/suite-content.ts';
import { temporaryFolder } from '../../../support/opened.ts';
import { catalogOf } from '../../../support/types.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'content.db');
});

const noteType = (fields: string) => `type Note @contentType(class: "x.Note") { ${fields} }`;

async function openAndClose(sdl = noteType('text: String'), asset?: Asset): Promise<object[]> {
  const lines: object[] = [];
  const logger = {
    ...silentLogger,
    info: (facts: object, message: string) => lines.push({ ...facts, message }),
  };
  const store = await createSqliteStore({ file, catalog: catalogOf(sdl), logger });
  await store.prepare();
  if (asset) await store.insert({ asset, version: 'v' });
  await store.close();
  return lines;
}

test('logs the indexes created over assets in one entry, and drops none that a process may need', async () => {
  expect(await openAndClose(noteType('text: String @indexed'))).toEqual([]);
  await openAndClose(noteType('text: String'), {
    _id: '0190a0c0-0000-7000-8000-000000000000',
    _type: 'x.Note',
  });
  const index = { index: expect.any(String), type: 'x.Note', assets: 1, ms: expect.any(Number) };
  expect(await openAndClose(noteType('text: String @indexed tags: [String!] @indexed'))).toEqual([
    { indexes: [{ ...index, change: 'created', field: 'tags' }], message: 'Indexes created or dropped' },
  ]);
  expect(await openAndClose(noteType('text: String @indexed tags: [String!] @indexed'))).toEqual([]);
  expect(await openAndClose(noteType('text: String @indexed(unique: true) tags: [String!]'))).toEqual([
    expect.objectContaining({ indexes: [expect.objectContaining({ change: 'created', field: 'text' })] }),
  ]);
});

test('writes nothing while an index follows other rules than this version knows, until it is dropped', async () => {
  const asset = { _id: '0190a0c0-0000-7000-8000-000000000001', _type: 'x.Note', text: 'a' };
  await openAndClose(noteType('text: String @indexed'));
  const database = new DatabaseSync(file);
  const [known] = database
    .prepare("SELECT name, number FROM field_indexes JOIN types USING (class) WHERE field = 'text'")
    .all();
  const { name, number } = known ?? {};
  database.exec(`UPDATE field_indexes SET keys = keys + 1, name = 'value_of_others' WHERE name = '${name}';
    DROP INDEX ${name}; ALTER TABLE type_${number} RENAME COLUMN ${name} TO value_of_others;
    CREATE INDEX value_of_others ON type_${number} (value_of_others, id)`);
  database.close();
  const catalog = catalogOf(noteType('text: String @indexed'));
  const store = await createSqliteStore({ file, catalog, logger: silentLogger });
  await expect(store.insert({ asset, version: 'v' })).rejects.toMatchObject({ code: 'store_busy' });
  await store.serve({ sources: [], folder: '/', areShipped: true });
  await store.insert({ asset, version: 'v' });
  await store.close();
  const remaining = new DatabaseSync(file);
  const names = remaining
    .prepare("SELECT name FROM field_indexes WHERE field = 'text' AND kind = 'value'")
    .all();
  expect(names).toEqual([{ name }]);
  remaining.close();
});

test('searches without an index that is not complete, tells how far it is, and completes it', async () => {
  const open = (catalog: Catalog) => createSqliteStore({ file, catalog, logger: silentLogger });
  const idOf = (n: number) => `0190a0c0-0000-7000-8000-${String(n).padStart(12, '0')}`;
  const plain = await open(catalogOf(noteType('text: String tags: [String!]')));
  await plain.prepare();
  for (let n = 1; n <= 4; n++)
    await plain.insert({
      asset: { _id: idOf(n), _type: 'x.Note', text: `t${n}`, tags: ['a', `t${n}`] },
      version: 'v',
    });
  await plain.close();
  const catalog = catalogOf(noteType('text: String @indexed tags: [String!] @indexed'));
  const database = new DatabaseSync(file);
  const number = database.prepare("SELECT number FROM types WHERE class = 'x.Note'").get()?.number;
  const types = createStoredTypes(toTypesToStore(catalog), new Map([['x.Note', Number(number)]]));
  const needed = [...neededIndexes(types).values()].filter(({ type }) => type.class === 'x.Note');
  makeIndexesOfType(database, needed, 0);
  database.close();
  const store = await open(catalog);
  const explain = (text: string) => {
    const where = toWhere(catalog, { classes: ['x.Note'], text });
    return store.explain({ types: ['x.Note'], where, offset: 0, limit: 10, withCount: false });
  };
  const incomplete = ['tags', 'text'].map((field) => ({ type: 'x.Note', field, filled: 0.25 }));
  expect(await store.findIncompleteIndexes()).toEqual(incomplete);
  expect(await explain("text = 't3'")).toMatchObject({ indexes: ['_id'], incomplete });
  await store.patch({ id: idOf(1), type: 'x.Note', set: { text: 't3' }, unset: ['tags'], version: 'w' });
  await store.patch({ id: idOf(4), type: 'x.Note', set: { tags: ['a', 'b'] }, unset: [], version: 'w' });
  const find = async (text: string) => {
    const where = toWhere(catalog, { classes: ['x.Note'], text });
    const { items } = await store.find({ types: ['x.Note'], where, offset: 0, limit: 10, withCount: true });
    return items.map(({ asset }) => Number(asset._id.slice(-12)));
  };
  const findAll = async () => [
    await find("text = 't3'"),
    await find("tags = 'a'"),
    await find('text = null'),
  ];
  const expected = [[1, 3], [2, 3, 4], []];
  expect(await findAll()).toEqual(expected);
  await store.prepare();
  expect(await store.findIncompleteIndexes()).toEqual([]);
  expect(await explain("text = 't3'")).toMatchObject({ indexes: ['text'] });
  expect(await explain("text = 't3'")).not.toHaveProperty('incomplete');
  expect(await findAll()).toEqual(expected);
  await store.close();
});

test('keeps the indexes of other types', async () => {
  const both = `${noteType('text: String @indexed')} type Other @contentType(class: "x.Other") { a: Int @indexed }`;
  const listIndexes = () => {
    const database = new DatabaseSync(file, { readOnly: true });
    const rows = database.prepare('SELECT class, field FROM field_indexes ORDER BY class, field').all();
    database.close();
    return rows;
  };
  await openAndClose(both);
  const before = listIndexes();
  await openAndClose(noteType('text: String @indexed'));
  expect(listIndexes()).toEqual(before);
});

test('opening read-only writes nothing, even with unknown types', async () => {
  await openAndClose(noteType('text: String @indexed(unique: true)'));
  const read = () => {
    const database = new DatabaseSync(file, { readOnly: true });
    const tables = ['types', 'field_indexes', 'sqlite_schema'];
    const rows = tables.map((name) => database.prepare(`SELECT * FROM ${name}`).all());
    database.close();
    return rows;
  };
  const before = read();
  const catalog = catalogOf(
    `${noteType('text: String tags: [String!] @indexed')} ${noteType('b: Int').replaceAll('Note', 'Other')}`,
  );
  const store = await createSqliteStore({ file, catalog, logger: silentLogger, isReadOnly: true });
  const page = { types: ['x.Note', 'x.Other'], offset: 0, limit: 10, withCount: true };
  expect(await store.find(page)).toEqual({ items: [], count: 0 });
  await store.close();
  expect(read()).toEqual(before);
});

describe('a file is refused', () => {
  test.each([7, 9])('of format %i, without changing it', async (format) => {
    await openAndClose();
    const database = new DatabaseSync(file);
    database.exec(`PRAGMA user_version = ${format}`);
    database.close();
    const before = readFileSync(file);
    await expect(openAndClose()).rejects.toMatchObject({
      code: 'bad_config',
      message: `${file} has format ${format}, and this version of Colophon uses format 8 alone: another version or program wrote it`,
    });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('of another program, without changing it', async () => {
    const database = new DatabaseSync(file);
    database.exec('CREATE TABLE notes (text)');
    const before = readFileSync(file);
    await expect(openAndClose()).rejects.toMatchObject({ code: 'bad_config' });
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(database.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'notes' }]);
    database.close();
  });

  test('that is not a database, or in a missing folder', async () => {
    writeFileSync(file, 'no database '.repeat(1000));
    await expect(openAndClose()).rejects.toMatchObject({
      code: 'bad_config',
      message: expect.stringContaining('is damaged or is no database'),
    });
    file = join(folder, 'missing', 'content.db');
    await expect(openAndClose()).rejects.toMatchObject({ code: 'store_failure' });
  });
});

test('gives the shape of a text as long as only processes with that shape have written the asset', async () => {
  const asset = { _id: '0190a0c0-0000-7000-8000-000000000000', _type: 'x.Note' };
  const patchWith = async (sdl: string, version: string) => {
    const store = await createSqliteStore({ file, catalog: catalogOf(sdl), logger: silentLogger });
    await store.patch({ id: asset._id, type: 'x.Note', set: { text: version }, unset: [], version });
    const found = await store.texts.get(asset._id);
    await store.close();
    return found?.shape;
  };
  await openAndClose(noteType('text: String'), asset);
  expect(await patchWith(noteType('text: String'), 'v2')).toMatch(/^[\w-]{8}$/);
  expect(await patchWith(noteType('text: String rank: Int'), 'v3')).toBeUndefined();
  expect(await patchWith(noteType('text: String'), 'v4')).toBeUndefined();
});

describe('a batch of large documents', () => {
  const idOf = (number: number) => `0190a0c0-0000-7000-8000-${String(number).padStart(12, '0')}`;
  const asset = (number: number) => ({ _id: idOf(number), _type: 'x.Note', text: 'x'.repeat(1_500_000) });
  const origin = (id: string) => ({ atMs: 0, by: { kind: 'client', id } }) as const;

  test('lets the writes of others in between where its own are independent, and keeps one outcome for each', async () => {
    const catalog = catalogOf(noteType('text: String'));
    const store = await createSqliteStore({ file, catalog, logger: silentLogger });
    const numbers = Array.from({ length: 9 }, (_, number) => number);
    const inserts = numbers.map(
      (number) => ({ kind: 'insert', asset: asset(number), version: 'a' }) as const,
    );
    const patches = numbers.map(
      (number) =>
        ({
          kind: 'patch',
          id: idOf(number),
          type: 'x.Note',
          set: { n: 1 },
          unset: [],
          version: 'b',
        }) as const,
    );
    for (const [batch, small] of [
      [inserts, 100],
      [patches, 101],
    ] as const) {
      const large = store.write(batch, { origin: origin('large') });
      const before = await Promise.race([
        store.insert({ asset: { ...asset(small), text: 'short' }, version: 'a' }, origin('small')),
        large,
      ]);
      expect(before).not.toBeInstanceOf(Array);
      expect(await large).toEqual(numbers.map(() => expect.objectContaining({ kind: 'done' })));
    }
    await store.close();
  });
});
