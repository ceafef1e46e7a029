import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLogger } from '../../../../src/base/runtime.ts';
import type { Asset } from '../../../../src/model/content-type.ts';
import { createSqliteStore } from '../../../../src/store/sqlite/sqlite-store.ts';
import { startWorker } from '../../../../src/store/sqlite/worker-call.ts';
import { catalogOf } from '../../../support/types.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'colophon-sqlite-'));
  file = join(folder, 'content.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const noteType = (fields: string) => `type Note @contentType(class: "x.Note") { ${fields} }`;

async function openAndClose(sdl = noteType('text: String'), asset?: Asset): Promise<object[]> {
  const lines: object[] = [];
  const logger = {
    ...silentLogger,
    info: (facts: object, message: string) => lines.push({ ...facts, message }),
  };
  const store = await createSqliteStore({ file, catalog: catalogOf(sdl), logger });
  if (asset) await store.insert({ asset, version: 'v' });
  await store.close();
  return lines;
}

test('each index made over assets, or dropped, has a line in the log', async () => {
  expect(await openAndClose(noteType('text: String @indexed'))).toEqual([]);
  await openAndClose(noteType('text: String'), {
    _id: '0190a0c0-0000-7000-8000-000000000000',
    _type: 'x.Note',
  });
  const index = { index: expect.any(String), type: 'x.Note', assets: 1, ms: expect.any(Number) };
  expect(await openAndClose(noteType('text: String @indexed tags: [String!] @indexed'))).toEqual([
    { ...index, change: 'made', field: 'text', message: 'Index made' },
    { ...index, change: 'made', field: 'tags', message: 'Index made' },
  ]);
  expect(await openAndClose(noteType('text: String @indexed tags: [String!] @indexed'))).toEqual([]);
  expect(await openAndClose(noteType('text: String @indexed(unique: true) tags: [String!]'))).toEqual([
    expect.objectContaining({ change: 'dropped', field: 'text' }),
    expect.objectContaining({ change: 'dropped', field: 'tags' }),
    expect.objectContaining({ change: 'made', field: 'text' }),
  ]);
});

test('indexes of types that are not given stay', async () => {
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

describe('a file is refused', () => {
  test('of a newer format', async () => {
    await openAndClose();
    const database = new DatabaseSync(file);
    database.exec('PRAGMA user_version = 2');
    database.close();
    await expect(openAndClose()).rejects.toMatchObject({
      code: 'bad_config',
      message: `${file} has format 2, and this Colophon knows formats up to 1: a newer one wrote it`,
    });
  });

  test('of another program, which is left as it was', async () => {
    const database = new DatabaseSync(file);
    database.exec('CREATE TABLE notes (text)');
    await expect(openAndClose()).rejects.toMatchObject({ code: 'bad_config' });
    expect(database.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'notes' }]);
    database.close();
  });

  test('that is no database, and one in a folder that is not there', async () => {
    writeFileSync(file, 'no database '.repeat(1000));
    await expect(openAndClose()).rejects.toMatchObject({ code: 'store_failure' });
    file = join(folder, 'missing', 'content.db');
    await expect(openAndClose()).rejects.toMatchObject({ code: 'store_failure' });
  });
});

test('a call to a thread that has ended, or ends before it gets to it, is rejected', async () => {
  const reader = await startWorker('reader', { file });
  const stopped = reader.stop();
  await expect(reader.call([])).rejects.toThrow('The reader thread has ended');
  await stopped;
  await expect(reader.call([])).rejects.toThrow('The reader thread has ended');
  expect(() => reader.assertRunning()).toThrow('The reader thread has ended');
});
