/**
 * The mirror in a file of lines of JSON, as `colophon import` reads it.
 *
 * The assets are kept in an SQLite file beside it, `<file>.mirror`, page by page, and written to the file as a whole when every feed has
 * been read to its end. So the file always has such a state, whenever the process is killed. The file beside it is locked while a
 * process fills it, and the system releases the lock when the process ends in any way.
 */
import { closeSync, fsyncSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { transferFailed } from '../../base/errors.ts';
import { yieldEvery32Steps } from '../../base/runtime.ts';
import type { Asset } from '../../model/content-type.ts';
import { startWholeFile } from '../atomic-file.ts';
import { type FileRecords, openFileRecords } from './file-records.ts';
import type { MirrorSource } from './mirror-source.ts';
import { findMoved, type MirrorTarget, type MirrorTerms, type PageChange } from './mirror-target.ts';

/** A file to fill. */
export interface FileMirrorOptions {
  readonly path: string;
  readonly terms: MirrorTerms;
  readonly source: MirrorSource;
  /** Whether to begin again, and to replace the file. */
  readonly isReplacing: boolean;
}

/** Between two writes of the file passes this many times as long as the last one took, so that changes of a large file do not occupy the disk. */
const restFactor = 20;

/** Takes a file for a mirror. Errors: transfer_failed when it is no mirror, or when another process fills it; those of the file system. */
export function openFileMirror({ path, terms, source, isReplacing }: FileMirrorOptions): MirrorTarget {
  const existing = statSync(path, { throwIfNoEntry: false });
  if (existing && !existing.isFile()) throw transferFailed(`${path} is no file`);
  const work = `${path}.mirror`;
  if (existing && !isReplacing && !statSync(work, { throwIfNoEntry: false }))
    throw transferFailed(
      `${path} exists, and is no mirror: there is no ${work} beside it. Nothing was written. --replace replaces it`,
    );
  const records = openFileRecords(work, { name: path, terms, isReplacing });
  let readyAtMs = 0;
  try {
    assertUntouched(path, records);
  } catch (error) {
    records.close();
    throw error;
  }

  /** Finds the assets of the page that are in other feeds, and asks the source which of both is right. */
  async function readMoved({ feed, puts }: PageChange) {
    const others = new Map<string, string>();
    for (const { _id } of puts) {
      const found = records.find(_id);
      if (found && found.feed !== feed) others.set(_id, found.feed);
    }
    return others.size > 0 ? findMoved(source, { feed, others }) : new Map();
  }

  async function apply(change: PageChange) {
    const { feed, puts, removals, range, state } = change;
    const moved = await readMoved(change);
    let written = 0;
    let removed = 0;
    const put = (asset: Asset, of: string) => {
      const found = records.find(asset._id);
      if (found && found.feed === of && isDeepStrictEqual(JSON.parse(found.text), asset)) return;
      records.put(asset, of);
      written++;
    };
    const remove = (id: string) => {
      if (records.remove(id)) removed++;
    };
    records.transact(() => {
      const kept = new Set(puts.map(({ _id }) => _id));
      for (const id of range ? records.listRange(feed, range) : []) if (!kept.has(id)) remove(id);
      for (const id of removals) if (records.find(id)?.feed === feed) remove(id);
      for (const asset of puts) {
        const { _id } = asset;
        if (!moved.has(_id)) put(asset, feed);
        else {
          const found = moved.get(_id);
          if (found) put(found.asset, found.feed);
          else remove(_id);
        }
      }
      records.setState(feed, state);
      if (written + removed > 0) records.setFile(undefined);
    });
    return { written, removed };
  }

  return {
    name: path,
    stateOf: records.stateOf,
    apply,
    async settle({ isLast }) {
      if (records.file() !== undefined || (!isLast && performance.now() < readyAtMs)) return;
      const startedMs = performance.now();
      await writeLines(path, records.texts());
      const endedMs = performance.now();
      readyAtMs = endedMs + restFactor * (endedMs - startedMs);
      records.transact(() => records.setFile(describeFile(path)));
    },
    close: async () => records.close(),
  };
}

/** Errors: transfer_failed when somebody else has changed the file since the mirror wrote it. */
function assertUntouched(path: string, records: FileRecords): void {
  const written = records.file();
  const found = describeFile(path);
  if (written === undefined || found === written) return;
  // A missing file is written again.
  if (found === '') records.transact(() => records.setFile(undefined));
  else
    throw transferFailed(
      `${path} was changed by somebody else. A mirror needs its target for itself; --replace replaces it`,
    );
}

/** Identifies the state of a file; empty when there is none. */
function describeFile(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found ? `${found.size} ${found.mtimeNs}` : '';
}

/** How many characters are written at once. */
const blockCharacters = 262_144;

/** Writes texts as lines, and returns when they are durable. Errors: transfer_failed, those of the file system. */
async function writeLines(path: string, texts: Iterable<string>): Promise<void> {
  // One process at a time writes, so that the remainder of a killed one is overwritten.
  const file = startWholeFile(path, 0);
  try {
    let block = '';
    let step = 0;
    for (const text of texts) {
      block += `${text}\n`;
      if (block.length < blockCharacters) continue;
      file.write(block);
      block = '';
      await yieldEvery32Steps(step++);
    }
    file.write(block);
    file.finish();
  } finally {
    file.discard();
  }
  syncFolder(dirname(path));
}

/** Makes the new name of the file durable. */
function syncFolder(folder: string): void {
  // Windows cannot open folders.
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
