/**
 * A place of files in a folder: each file in one of 256 subfolders, by the hash of its key.
 *
 * The bytes are written to `incomplete/` and linked to their final name when they are on the disk, so that a process that is killed leaves
 * nothing under a key. What such processes left is removed by the first write of a later process, a day after.
 */
import { hash, randomUUID } from 'node:crypto';
import { existsSync, type Stats } from 'node:fs';
import { type FileHandle, link, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { isDomainError } from '../../base/errors.ts';
import { systemClock } from '../../base/runtime.ts';
import { fromSystemError } from '../../base/system-error.ts';
import { assertKey, type FilePlace, type PlacedFile } from '../file-place.ts';
import { watchFolderSpace } from './disk-state.ts';
import { createOpenedFile, identify } from './threads/opened-file.ts';

const dayMs = 86_400_000;

/**
 * Creates the place in a folder, which the first write creates. A folder above it that is there when the place is opened is never created
 * again: it has been moved away, or its disk is not mounted any more.
 */
export function createFileFolder(folder: string): FilePlace {
  const incomplete = join(folder, 'incomplete');
  const above = dirname(folder);
  const opened = createOpenedFile(above, 'data folder');
  if (existsSync(above)) opened.remember(identify(above));
  const space = watchFolderSpace(above);
  const pathOf = (key: string) => {
    assertKey(key);
    return join(folder, hash('sha256', key).slice(0, 2), key);
  };
  let prepared: Promise<void> | undefined;
  const prepare = async () => {
    if (opened.identity() === undefined) {
      await mkdir(above, { recursive: true, mode: 0o700 });
      opened.remember(identify(above));
    }
    opened.check();
    await makeFolder(folder);
    await makeFolder(incomplete);
    await removeOld(incomplete);
  };
  return {
    description: `the folder ${resolve(folder)}`,
    isOwn: true,
    async write(key, bytes) {
      const path = pathOf(key);
      const partial = join(incomplete, randomUUID());
      try {
        prepared ??= prepare();
        await attempt('write', prepared).catch((error) => {
          prepared = undefined;
          throw error;
        });
        opened.check();
        await writeDurably(partial, bytes);
        await attempt('write', moveNew(partial, path));
      } catch (error) {
        bytes.destroy();
        if (isDomainError(error, 'store_full')) space.note(error);
        throw error;
      } finally {
        // A later process removes it otherwise.
        await rm(partial, { force: true }).catch(() => undefined);
      }
    },
    async read(key, range) {
      const handle = await attempt('read', unlessGone(open(pathOf(key))));
      if (!handle) return undefined;
      const { size } = await handle.stat();
      return { bytes: size, stream: handle.createReadStream(range) };
    },
    async find(key) {
      const stats = await attempt('find', unlessGone(stat(pathOf(key))));
      return stats && toPlaced(key, stats);
    },
    delete: (key) => attempt('delete', rm(pathOf(key), { force: true })),
    async *list() {
      for await (const subfolder of entriesOf(folder)) {
        if (!/^[0-9a-f]{2}$/.test(subfolder)) continue;
        for await (const key of entriesOf(join(folder, subfolder))) {
          const stats = await attempt('list', unlessGone(stat(join(folder, subfolder, key))));
          if (stats?.isFile()) yield toPlaced(key, stats);
        }
      }
    },
    ping: async () => space.check(),
    close: async () => {},
  };
}

const toPlaced = (key: string, { size, mtimeMs }: Stats): PlacedFile => ({
  key,
  bytes: size,
  writtenAt: Math.trunc(mtimeMs),
});

/** Writes a file and waits until it is on the disk. Errors: those of the stream, unchanged; store_full, store_failure. */
async function writeDurably(path: string, bytes: Readable): Promise<void> {
  const file = await attempt('write', open(path, 'wx', 0o600));
  try {
    for await (const chunk of bytes) await attempt('write', writeWhole(file, chunk));
    await attempt('write', file.sync());
  } finally {
    await file.close();
  }
}

async function writeWhole(file: FileHandle, chunk: Buffer): Promise<void> {
  for (let written = 0; written < chunk.length; ) {
    written += (await file.write(chunk, written)).bytesWritten;
  }
}

/** Gives a file its final name, unless there is a file of that name. */
async function moveNew(partial: string, path: string): Promise<void> {
  await makeFolder(dirname(path));
  try {
    await link(partial, path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw error;
    // A file system without hard links.
    await rename(partial, path);
  }
  await syncFolder(dirname(path));
}

/** Creates a folder in one that exists, and waits until the disk has its name. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    // A file of this name fails what is created in it.
    return;
  }
  await syncFolder(dirname(folder));
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function removeOld(incomplete: string): Promise<void> {
  for await (const name of entriesOf(incomplete)) {
    const path = join(incomplete, name);
    const stats = await unlessGone(stat(path));
    if (stats && stats.mtimeMs < systemClock.nowMs() - dayMs) await rm(path, { force: true });
  }
}

/** Lists the names in a folder, which may be missing. */
async function* entriesOf(folder: string): AsyncIterable<string> {
  const entries = await attempt('list', unlessGone(opendir(folder)));
  for await (const { name } of entries ?? []) yield name;
}

/** Runs an operation of the file system, whose errors become those of a place. */
async function attempt<Result>(operation: string, running: Promise<Result>): Promise<Result> {
  try {
    return await running;
  } catch (error) {
    throw fromSystemError(`${operation} of files`, error);
  }
}

/** Returns `undefined` when the file or folder is missing. */
async function unlessGone<Result>(running: Promise<Result>): Promise<Result | undefined> {
  try {
    return await running;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);
