/**
 * Reads a backup file: checks all of it first, then returns its records.
 */
import { transferFailed } from '../../base/errors.ts';
import type { CopiedAsset, CopiedEntry } from '../../store/copy/store-copy.ts';
import {
  type BackupHeader,
  type BackupLine,
  type BackupTotals,
  fromAssetLine,
  parseLine,
} from './backup-records.ts';
import { type Block, cutOff, openBlocks } from './read-blocks.ts';

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
