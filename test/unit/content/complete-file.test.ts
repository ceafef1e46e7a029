/** What the server adds to a value of the type `File`, and what it refuses. */
import { expect, it } from 'vitest';
import type { FileRecord } from '../../../src/content/files/file-record.ts';
import { completeFile } from '../../../src/content/files/keep-files.ts';
import type { JsonObject } from '../../../src/model/content-type.ts';

const text: FileRecord = {
  hash: 'a'.repeat(64),
  key: 'key',
  name: 'last upload.md',
  mediaType: 'application/octet-stream',
  bytes: 3,
  uploadedAt: 0,
};
const picture = { ...text, mediaType: 'image/png', width: 4, height: 2 };

function complete(given: JsonObject, record = text, accept?: readonly string[]) {
  const file: JsonObject = { hash: record.hash, ...given };
  const problems = completeFile({ path: 'file', file, constraint: accept ? { accept } : {} }, record);
  return problems.length > 0 ? problems.map(({ message }) => message) : file;
}

it('gives each value the media type of its own name where the bytes tell none', () => {
  expect(complete({ name: 'a.csv' })).toMatchObject({ name: 'a.csv', mediaType: 'text/csv', bytes: 3 });
  expect(complete({ name: 'a.txt' })).toMatchObject({ name: 'a.txt', mediaType: 'text/plain' });
  expect(complete({})).toMatchObject({ name: 'last upload.md', mediaType: 'text/markdown' });
  // The value had another name before.
  expect(complete({ name: 'a.txt', mediaType: 'text/csv' })).toMatchObject({ mediaType: 'text/plain' });
  expect(complete({ name: 'a.txt' }, text, ['text/csv'])).toEqual([
    'must be a file of text/csv, not text/plain',
  ]);
});

it('keeps the media type that the bytes tell, and refuses another one', () => {
  expect(complete({ name: 'a.txt' }, picture)).toMatchObject({ mediaType: 'image/png', width: 4 });
  const message = 'must be image/png, as the uploaded file is';
  expect(complete({ mediaType: 'image/jpeg' }, picture)).toEqual([message]);
  expect(complete({ mediaType: 'text/plain' }, picture)).toEqual([message]);
  expect(complete({ name: 'a.txt', mediaType: 'image/png' })).toEqual([
    'must be text/plain, as the uploaded file is',
  ]);
});
