import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import {
  fromStoredId,
  storedIdText,
  toStoredId,
} from '../../../../../src/store/sqlite/changes/log-writer.ts';

const database = new DatabaseSync(':memory:');
const select = database.prepare(`SELECT ${storedIdText} AS text FROM (SELECT ?1 AS asset)`);
const read = (id: string) => fromStoredId(String(select.get(toStoredId(id))?.text));

test('a UUID is stored as 16 bytes', () => {
  expect(toStoredId('0190a0c0-0000-7000-8000-00000000abcd')).toHaveLength(16);
});

test.each([
  '0190a0c0-0000-7000-8000-00000000abcd',
  '0190A0C0-0000-7000-8000-00000000ABCD',
  '0190a0c0000070008000000000000000',
  'u0190a0c0',
  'text é 😀',
  '',
])('%j is read as it was written', (id) => {
  expect(read(id)).toBe(id);
});
