/**
 * A folder with files by their hash, `<folder>/ab/<hash>`, which backups and exports share and add to.
 *
 * A file has its name once it is whole and has the hash. What has happened to it since is found by reading it, once for each opened folder.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { isDamagedFile } from '../../base/errors.ts';
import { hashOf } from '../../files/recorded-bytes.ts';

/** The folder. Errors: those of the file system, and of the streams. */
export type HashedFiles = ReturnType<typeof openHashedFiles>;

/** How many files are known to be intact, until their size or time changes. */
const maxKnown = 100_000;

/** Opens a folder, which is created when a file is added. */
export function openHashedFiles(folder: string) {
  const intact = new Map<string, string>();
  const pathOf = (hash: string) => join(folder, hash.slice(0, 2), hash);
  // Links do not count as files: in a folder made by somebody else, they could lead anywhere.
  const look = async (hash: string) => {
    const stats = await lstat(pathOf(hash)).catch(() => undefined);
    return stats?.isFile() ? `${stats.size} ${stats.mtimeMs}` : undefined;
  };
  return {
    pathOf,
    /** Tells whether there is a file of that name, whatever its bytes are. */
    exists: async (hash: string): Promise<boolean> => (await look(hash)) !== undefined,
    /** Tells whether there is the file, and its bytes have the hash. */
    async has(hash: string): Promise<boolean> {
      const seen = await look(hash);
      if (seen === undefined) return false;
      if (intact.get(hash) === seen) return true;
      const isIntact = (await readHash(createReadStream(pathOf(hash)))) === hash;
      if (intact.size > maxKnown) intact.clear();
      if (isIntact) intact.set(hash, seen);
      return isIntact;
    },
    open: (hash: string): Readable => createReadStream(pathOf(hash)),
    /** Adds a file, or replaces a damaged one. Returns whether the bytes have the hash; others are not kept. */
    async add(hash: string, bytes: Readable): Promise<boolean> {
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
    /** Lists the hashes of all files, in their order. */
    async *list() {
      for (const subfolder of (await readdir(folder)).filter((name) => /^[0-9a-f]{2}$/.test(name)).sort())
        for (const name of (await readdir(join(folder, subfolder))).sort())
          if (/^[0-9a-f]{64}$/.test(name) && name.startsWith(subfolder)) yield name;
    },
  };
}

/** Returns the hash of bytes; `undefined` when they cannot be read. */
async function readHash(bytes: Readable): Promise<string | undefined> {
  try {
    return await hashOf(bytes);
  } catch (error) {
    if (isDamagedFile(error)) return undefined;
    throw error;
  }
}

/** Writes bytes and waits until they are on the disk. Returns whether they have the hash. */
async function writeHashed(file: FileHandle, bytes: Readable, hash: string): Promise<boolean> {
  const digest = createHash('sha256');
  try {
    for await (const chunk of bytes) {
      digest.update(chunk);
      await file.appendFile(chunk);
    }
  } catch (error) {
    if (isDamagedFile(error)) return false;
    throw error;
  }
  await file.sync();
  return digest.digest('hex') === hash;
}
