/**
 * Unpacks an archive (`.tar.gz` or `.tar`) to a temporary folder.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, normalize, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { SourceError } from '../reader.ts';

/** Unpacks the files of an archive, and returns the folder. Errors: SourceError. */
export async function unpack(archive: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-import-'));
  const entries = extract();
  const source = createReadStream(archive);
  const unpacking = /gz$/i.test(archive)
    ? pipeline(source, createGunzip(), entries)
    : pipeline(source, entries);
  // It is awaited below.
  unpacking.catch(() => undefined);
  try {
    for await (const entry of entries) {
      const path = normalize(entry.header.name);
      const isInside = !path.startsWith('..') && !path.startsWith(sep) && !/^[A-Za-z]:/.test(path);
      if (entry.header.type === 'file' && isInside) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await pipeline(entry, createWriteStream(join(folder, path)));
      } else entry.resume();
    }
    await unpacking;
  } catch (error) {
    throw new SourceError(`is no archive: ${error instanceof Error ? error.message : error}`);
  }
  return folder;
}
