/**
 * Writes a whole store to a backup file, which appears under its name when it is complete. What is damaged is reported: it is kept as
 * long as it can be read, and left out otherwise.
 */
import { setImmediate } from 'node:timers/promises';
import { transferFailed } from '../../base/errors.ts';
import type { CopiedAsset } from '../../store/copy/store-copy.ts';
import type { StoreDump } from '../../store/copy/store-dump.ts';
import { startWholeFile } from '../atomic-file.ts';
import { type BackupHeader, type BackupTotals, toAssetLine, toHeader, toLine } from './backup-records.ts';
import { toBlock, toPreamble } from './blocks.ts';
import { createDamageList, type Damage } from './damage.ts';

/** What to write, and where. */
export interface BackupRequest {
  readonly dump: StoreDump;
  readonly path: string;
  readonly processId: number;
  readonly nowMs: number;
  /** Changes an asset so that it fits the moment of the backup. */
  fit(asset: CopiedAsset, seq: number): CopiedAsset;
  readonly signal: AbortSignal;
  /** Is called with the number of records written so far. */
  progress(records: number): void;
}

export interface WrittenBackup {
  readonly header: BackupHeader;
  readonly totals: BackupTotals;
  readonly bytes: number;
  readonly damaged: Damage;
}

/** Writes a backup. Errors: those of the store and of the file system; transfer_failed when it is stopped. */
export async function createBackup(request: BackupRequest): Promise<WrittenBackup> {
  const { dump, path, processId, signal, fit, progress } = request;
  const file = startWholeFile(path, processId);
  const assets = new Map<string, number>();
  const damage = createDamageList(dump.lost);
  let [entries, written, bytes, blocks] = [0, 0, 0, 0];
  const write = (content: Buffer) => {
    file.write(content);
    bytes += content.length;
  };
  const writeLines = async (lines: readonly string[]) => {
    // Reading and compressing never wait, and a signal arrives only while the process does.
    await setImmediate();
    if (signal.aborted) throw transferFailed('stopped; no backup was written');
    write(toBlock(blocks++, lines.join('\n')));
    written += lines.length;
    progress(written);
  };
  try {
    const header = toHeader(dump.facts, request.nowMs);
    write(toPreamble());
    await writeLines([toLine({ header })]);
    for await (const read of dump.assets()) {
      const block = read.filter(damage.takeAsset);
      for (const { type } of block) assets.set(type, (assets.get(type) ?? 0) + 1);
      if (block.length > 0) await writeLines(block.map((asset) => toAssetLine(fit(asset, header.seq))));
    }
    for await (const read of dump.entries()) {
      const block = read.filter(damage.takeEntry);
      entries += block.length;
      if (block.length > 0) await writeLines(block.map((entry) => toLine({ entry })));
    }
    const totals = { assets: Object.fromEntries([...assets].sort()), entries };
    await writeLines([toLine({ end: totals })]);
    file.finish();
    return { header, totals, bytes, damaged: damage.list() };
  } finally {
    file.discard();
  }
}
