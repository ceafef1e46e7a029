/**
 * A folder with files by their hash, `<folder>/ab/<hash>`, which backups, exports and mirrors share and add to.
 *
 * A file has its name once it is whole and has the hash.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';

/** The folder. Errors: those of the file system, and of the streams. */
export interface HashedFiles {
  pathOf(hash: string): string;
  has(hash: string): Promise<boolean>;
  /** Opens a file; `undefined` when there is none. */
  open(hash: string): Promise<Readable | undefined>;
  /** Adds a file. Returns whether the bytes have the hash; others are not kept. */
  add(hash: string, bytes: Readable): Promise<boolean>;
}

/** Opens a folder, which is created when a file is added. */
export function openHashedFiles(folder: string): HashedFiles {
  const pathOf = (hash: string) => join(folder, hash.slice(0, 2), hash);
  // A link is no file: whoever has made the folder could let it lead anywhere.
  const has = async (hash: string) => (await lstat(pathOf(hash)).catch(() => undefined))?.isFile() ?? false;
  return {
    pathOf,
    has,
    open: async (hash) => ((await has(hash)) ? createReadStream(pathOf(hash)) : undefined),
    async add(hash, bytes) {
      const path = pathOf(hash);
      const partial = `${path}.${randomUUID()}.partial`;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      try {
        const file = await open(partial, 'wx', 0o600);
        const isWhole = await writeHashed(file, bytes, hash).finally(() => file.close());
        if (isWhole) await rename(partial, path);
        return isWhole;
      } finally {
        await rm(partial, { force: true });
      }
    },
  };
}

async function writeHashed(file: FileHandle, bytes: Readable, hash: string): Promise<boolean> {
  const digest = createHash('sha256');
  for await (const chunk of bytes) {
    digest.update(chunk);
    await file.appendFile(chunk);
  }
  await file.sync();
  return digest.digest('hex') === hash;
}
