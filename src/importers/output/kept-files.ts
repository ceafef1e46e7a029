/**
 * Files of the source, copied to a folder by their hash, as `colophon import --files` reads it.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { SourceFile } from '../source/source.ts';

/** A value of the type `File`; the server knows the rest. */
export interface KeptFile {
  readonly hash: string;
  readonly name: string;
}

/** Copies files. */
export type KeptFiles = ReturnType<typeof createKeptFiles>;

/** Creates the copies in a folder. */
export function createKeptFiles(folder: string) {
  const copies = new Map<string, Promise<KeptFile | undefined>>();

  async function copy(path: SourceFile): Promise<KeptFile | undefined> {
    const found = await stat(path).catch(() => undefined);
    if (!found?.isFile() || found.size === 0) return undefined;
    const hashing = createHash('sha256');
    for await (const chunk of createReadStream(path)) hashing.update(chunk);
    const hash = hashing.digest('hex');
    const target = join(folder, hash.slice(0, 2), hash);
    await mkdir(join(folder, hash.slice(0, 2)), { recursive: true });
    await copyFile(path, target);
    return { hash, name: basename(path) };
  }

  return {
    /** Copies a file, unless it was copied before; `undefined` if there is none, or it is empty. */
    async keep(path: SourceFile | undefined): Promise<KeptFile | undefined> {
      if (path === undefined) return undefined;
      const known = copies.get(path) ?? copy(path);
      copies.set(path, known);
      return known;
    },
  };
}
