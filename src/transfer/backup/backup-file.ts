/**
 * Reads a backup file: checks all of it first, then returns its records, or fills a store with them.
 */

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { transferFailed } from '../../base/errors.ts';
import type { CopiedAsset, CopiedEntry } from '../../store/copy/store-copy.ts';
import type { StoreLoader } from '../../store/copy/store-loader.ts';
import {
  type BackupHeader,
  type BackupLine,
  type BackupTotals,
  fromAssetLine,
  parseLine,
} from './backup-records.ts';
import {
  backupFormat,
  headBytes,
  isIntact,
  preambleBytes,
  readHead,
  readPreamble,
  textOf,
} from './blocks.ts';

/** Some records of a backup, all of one kind. */
export interface RecordBlock {
  readonly assets: readonly CopiedAsset[];
  readonly entries: readonly CopiedEntry[];
  /** The byte in the file where they end. */
  readonly endByte: number;
}

/** A backup whose every block is intact. */
export interface BackupFile {
  readonly header: BackupHeader;
  readonly totals: BackupTotals;
  readonly totalBytes: number;
  /** Returns all assets, then all entries of the change log. Errors: transfer_failed. */
  records(): Generator<RecordBlock>;
  close(): void;
}

/** Opens a backup and checks it from the first to the last byte. Errors: transfer_failed, and the file system's. */
export function openBackup(path: string): BackupFile {
  const reader = openBlocks(path);
  try {
    let header: BackupHeader | undefined;
    let last: Block | undefined;
    for (const block of reader.blocks()) {
      if (block.number === 0) header = readHeader(path, block);
      last = block;
    }
    const end = last && parseLine(firstLineOf(last));
    if (!header || !end || !('end' in end)) throw cutOff(path, reader.totalBytes);
    return {
      header,
      totals: end.end,
      totalBytes: reader.totalBytes,
      *records() {
        for (const block of reader.blocks()) {
          const lines = block.text().split('\n').map(parseLine);
          yield { ...toRecords(lines), endByte: block.endByte };
        }
      },
      close: reader.close,
    };
  } catch (error) {
    reader.close();
    throw error;
  }
}

function readHeader(path: string, block: Block): BackupHeader {
  const line = parseLine(block.text());
  if (!('header' in line)) throw transferFailed(`${path} is damaged: it does not begin with a header`);
  return line.header;
}

/** The last block of a backup has one line, which is the end. */
const firstLineOf = (block: Block) => block.text().split('\n', 1)[0] ?? '';

function toRecords(lines: readonly BackupLine[]): Omit<RecordBlock, 'endByte'> {
  const assets: CopiedAsset[] = [];
  const entries: CopiedEntry[] = [];
  for (const line of lines) {
    if ('asset' in line) assets.push(fromAssetLine(line));
    else if ('entry' in line) entries.push(line.entry);
  }
  return { assets, entries };
}

interface Block {
  readonly number: number;
  /** Where it ends in the file. */
  readonly endByte: number;
  /** Returns its text. Decompressed only when it is wanted. */
  text(): string;
}

/** Opens a file. Errors: transfer_failed when it is no backup that this version reads, and the file system's. */
function openBlocks(path: string) {
  const descriptor = openSync(path, 'r');
  try {
    const { size: totalBytes } = fstatSync(descriptor);
    const read = (from: number, length: number): Buffer => {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, totalBytes - from)));
      const count = readSync(descriptor, bytes, 0, bytes.length, from);
      return bytes.subarray(0, count);
    };
    assertBackup(path, read(0, preambleBytes));
    return {
      totalBytes,
      /** Reads all blocks from the first one on. Errors: transfer_failed. */
      blocks: (): Generator<Block> => readBlocks({ path, totalBytes, read }),
      close: () => closeSync(descriptor),
    };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

interface OpenFile {
  readonly path: string;
  readonly totalBytes: number;
  read(from: number, length: number): Buffer;
}

function* readBlocks({ path, totalBytes, read }: OpenFile): Generator<Block> {
  let from = preambleBytes;
  for (let number = 0; from < totalBytes; number++) {
    const found = read(from, headBytes);
    const head = found.length === headBytes ? readHead(found) : undefined;
    if (found.length < headBytes) throw cutOff(path, totalBytes);
    const endByte = from + headBytes + (head?.length ?? 0);
    if (!head) throw damaged(path, { number, from });
    if (endByte > totalBytes) throw cutOff(path, totalBytes);
    const bytes = read(from + headBytes, head.length);
    if (!isIntact(head, number, bytes)) throw damaged(path, { number, from });
    yield { number, endByte, text: () => textOf(head, bytes) };
    from = endByte;
  }
}

function assertBackup(path: string, start: Buffer): void {
  const format = readPreamble(start);
  if (format === undefined) throw transferFailed(`${path} is no backup of Colophon${describeOther(start)}`);
  if (format === backupFormat) return;
  throw transferFailed(
    `${path} is a backup of format ${format}, and this version of Colophon reads format ${backupFormat} alone: another version or program wrote it`,
  );
}

function describeOther(start: Buffer): string {
  const text = start.toString('latin1');
  if (text.startsWith('SQLite format 3')) {
    return ', but a database file. To use it, stop the server and copy it to colophon.db in COLOPHON_DATA_DIR';
  }
  if (text.startsWith('{')) return '. If it is an export, `colophon import` reads it';
  return start.length === 0 ? ': it is empty' : '';
}

/** The error of a file that ends too early. */
const cutOff = (path: string, totalBytes: number) =>
  transferFailed(`${path} is not complete: it was cut off after ${totalBytes} bytes. Use another backup`);

const damaged = (path: string, { number, from }: { number: number; from: number }) =>
  transferFailed(
    `${path} is damaged: block ${number}, which begins at byte ${from}, is not as it was written. Use another backup`,
  );

/** What to restore, and where. */
interface RestoreRequest {
  readonly backup: BackupFile;
  readonly loader: StoreLoader;
  readonly signal: AbortSignal;
  /** Is called with the number of records loaded so far, and how far the file was read. */
  progress(state: { readonly records: number; readonly bytes: number }): void;
}

/** How many records were loaded. */
export interface RestoredRecords {
  readonly assets: number;
  /** Without a change log in the store, none is loaded. */
  readonly entries: number;
}

/** Restores a backup. Errors: transfer_failed when it is stopped or not what it says; those of the store. */
export async function restoreBackup(request: RestoreRequest): Promise<RestoredRecords> {
  const { backup, loader, signal } = request;
  const loaded = { assets: 0, entries: 0 };
  for (const { assets, entries, endByte } of backup.records()) {
    // Else a signal would not arrive.
    await setImmediate();
    if (signal.aborted) throw transferFailed('stopped; the store is not complete. Run the command again');
    if (assets.length > 0) await loader.loadAssets(assets);
    if (entries.length > 0 && loader.keepsLog) await loader.loadEntries(entries);
    loaded.assets += assets.length;
    loaded.entries += entries.length;
    request.progress({ records: loaded.assets + loaded.entries, bytes: endByte });
  }
  assertWhole(backup, loaded);
  await loader.finish(backup.header);
  return loader.keepsLog ? loaded : { ...loaded, entries: 0 };
}

function assertWhole({ totals }: BackupFile, { assets, entries }: RestoredRecords): void {
  const expected = Object.values(totals.assets).reduce((sum, count) => sum + count, 0);
  if (assets === expected && entries === totals.entries) return;
  throw transferFailed(
    `The backup should have ${expected} assets and ${totals.entries} entries, and has ${assets} and ${entries}. Use another backup`,
  );
}
