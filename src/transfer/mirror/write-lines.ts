/**
 * Writes the file of a mirror, whole or not at all, without keeping the process from other work.
 */
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { yieldEvery32Steps } from '../../base/runtime.ts';
import { startWholeFile } from '../atomic-file.ts';

/** How many characters are written at once. */
const blockCharacters = 262_144;

/** Writes texts as lines, and returns when they are durable. Errors: transfer_failed, those of the file system. */
export async function writeLines(path: string, texts: Iterable<string>): Promise<void> {
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
