/**
 * Reads the blocks of a backup file, one at a time, and says exactly what is wrong with a file that is damaged.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { transferFailed } from '../../base/errors.ts';
import {
  backupFormat,
  headBytes,
  isIntact,
  preambleBytes,
  readHead,
  readPreamble,
  textOf,
} from './blocks.ts';

/** A block of a file. */
export interface Block {
  readonly number: number;
  /** Where it ends in the file. */
  readonly endByte: number;
  /** Returns its text. Decompressed only when it is wanted. */
  text(): string;
}

/** A backup file that is being read. */
export interface BlockReader {
  readonly totalBytes: number;
  /** Reads all blocks from the first one on. Errors: transfer_failed. */
  blocks(): Generator<Block>;
  close(): void;
}

/** Opens a file. Errors: transfer_failed when it is no backup that this version reads, and the file system's. */
export function openBlocks(path: string): BlockReader {
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
      blocks: () => readBlocks({ path, totalBytes, read }),
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
export const cutOff = (path: string, totalBytes: number) =>
  transferFailed(`${path} is not complete: it was cut off after ${totalBytes} bytes. Use another backup`);

const damaged = (path: string, { number, from }: { number: number; from: number }) =>
  transferFailed(
    `${path} is damaged: block ${number}, which begins at byte ${from}, is not as it was written. Use another backup`,
  );
