/**
 * Refuses files that look like a new store and are what is left of one, so that nobody works on an empty store by mistake.
 */
import { existsSync, statSync } from 'node:fs';
import { badConfig } from '../../base/errors.ts';
import { systemClock } from '../../base/runtime.ts';
import { interruptedLoad } from '../copy/store-loader.ts';
import { partialOf } from './copy/replace-file.ts';

/** A new file is empty for a moment, until the process that creates it has written its tables. */
const creationMs = 10_000;

/** Asserts that a file is a store, or may become one. Errors: bad_config. */
export function assertOpenable(file: string): void {
  const refuse = (message: string) => badConfig([{ path: file, message }]);
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found && existsSync(partialOf(file))) {
    throw refuse(`${interruptedLoad}, or delete ${partialOf(file)} to begin with an empty store`);
  }
  if (found?.size !== 0) return;
  const hasWal = (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (!hasWal && found.mtimeMs > systemClock.nowMs() - creationMs) return;
  throw refuse(
    'is empty. If it had content, restore a backup with --replace; otherwise delete it to begin with an empty store',
  );
}
