/**
 * The cache of variants: a folder of bounded size, with a subfolder for each picture. The workers of a server share it.
 *
 * It is only a cache: what cannot be written is not kept, and what is removed is made again. A variant that was not used for the longest
 * time goes first. Its time of use is the time of its file, to the hour.
 */
import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Logger, systemClock } from '../../base/runtime.ts';

/** Where variants are kept, and how many bytes of them. */
export interface CacheSettings {
  readonly folder: string;
  readonly maxBytes: number;
  /** How many processes share the folder. */
  readonly processes: number;
}

export type VariantCache = ReturnType<typeof createVariantCache>;

const hourMs = 3_600_000;

/** Creates the cache; the folder need not exist. */
export function createVariantCache({ folder, maxBytes, processes }: CacheSettings, logger: Logger) {
  // All processes together never exceed the bound: each looks at the folder after it has added its share of an eighth.
  const shareBytes = maxBytes / 8 / processes;
  let addedBytes = shareBytes;
  let trimming: Promise<void> | undefined;
  const pathOf = (hash: string, name: string) => join(folder, hash, name);

  async function write(path: string, bytes: Buffer): Promise<void> {
    const partial = join(dirname(path), randomUUID());
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    try {
      await writeFile(partial, bytes, { mode: 0o600 });
      await rename(partial, path);
    } finally {
      await rm(partial, { force: true });
    }
  }

  /** Removes what was not used for the longest time, until seven eighths are left. */
  async function trim(): Promise<void> {
    addedBytes = 0;
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    const files: { path: string; bytes: number; usedMs: number }[] = [];
    for (const path of paths) {
      const found = await stat(path).catch(() => undefined);
      if (found) files.push({ path, bytes: found.size, usedMs: found.mtimeMs });
    }
    let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    for (const file of files.toSorted((one, other) => one.usedMs - other.usedMs)) {
      if (bytes <= maxBytes - maxBytes / 8) break;
      await rm(file.path, { force: true });
      bytes -= file.bytes;
    }
  }

  return {
    /** Opens a variant; `undefined` if it is not kept. */
    async open(hash: string, name: string): Promise<FileHandle | undefined> {
      try {
        const path = pathOf(hash, name);
        const handle = await open(path);
        const { mtimeMs } = await handle.stat();
        const nowMs = systemClock.nowMs();
        if (nowMs - mtimeMs > hourMs) await utimes(path, nowMs / 1000, nowMs / 1000).catch(() => undefined);
        return handle;
      } catch {
        return undefined;
      }
    },
    /** Keeps a variant. Never fails. */
    async keep(hash: string, name: string, bytes: Buffer): Promise<void> {
      if (bytes.length > shareBytes) return;
      try {
        if (addedBytes + bytes.length > shareBytes) {
          await mkdir(folder, { recursive: true, mode: 0o700 });
          trimming ??= trim().finally(() => {
            trimming = undefined;
          });
          await trimming;
        }
        addedBytes += bytes.length;
        await write(pathOf(hash, name), bytes);
      } catch (error) {
        logger.warn({ err: error }, 'a variant of a picture could not be kept');
      }
    },
    /** Removes all variants of a picture. */
    remove: (hash: string): Promise<void> => rm(join(folder, hash), { recursive: true, force: true }),
  };
}
