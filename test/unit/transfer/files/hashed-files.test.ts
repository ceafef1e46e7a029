/** A folder with files by their hash, which others may have made. */
import { createHash } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { openHashedFiles } from '../../../../src/transfer/files/hashed-files.ts';
import { temporaryFolder } from '../../../support/opened.ts';

const folder = temporaryFolder();

it('takes no link for a file, wherever it leads, and adds the file in its place', async () => {
  const files = openHashedFiles(join(folder, 'files'));
  const secret = join(folder, 'secret.txt');
  writeFileSync(secret, 'secret');
  const hash = createHash('sha256').update('open').digest('hex');
  mkdirSync(dirname(files.pathOf(hash)), { recursive: true });
  symlinkSync(secret, files.pathOf(hash));
  expect(await files.has(hash)).toBe(false);
  expect(await files.exists(hash)).toBe(false);
  expect(await files.add(hash, Readable.from(['open']))).toBe(true);
  expect(await text(files.open(hash))).toBe('open');
});
