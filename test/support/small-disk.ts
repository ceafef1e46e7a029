/** A file system of a few megabytes that a test fills and empties, which needs the right to mount one. */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoreLocation } from './stores.ts';

/** A store on a small file system. */
export interface SmallDisk {
  readonly location: StoreLocation;
  /** Writes a file until there is no space for one more byte. */
  fill(): void;
  /** Removes that file. */
  empty(): void;
  /** Makes the file system read-only. */
  protect(): void;
}

const sizeMb = 24;

/** Mounts a file system. Errors: those of `mount`. */
export function mountSmallDisk(): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-small-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m`, 'tmpfs', folder], { stdio: 'pipe' });
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw error;
  }
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  const filler = join(folder, 'filler');
  return {
    location: {
      config: { dataDir },
      async remove() {
        execFileSync('umount', [folder]);
        rmSync(folder, { recursive: true });
      },
    },
    fill() {
      const descriptor = openSync(filler, 'a');
      for (let bytes = 1_048_576; bytes >= 1; ) {
        try {
          writeSync(descriptor, Buffer.alloc(bytes));
        } catch {
          bytes /= 2;
        }
      }
      closeSync(descriptor);
    },
    empty: () => rmSync(filler, { force: true }),
    protect: () => execFileSync('mount', ['-o', 'remount,ro', folder]),
  };
}

/** Whether this process may mount a file system. A run under `CI=true` needs the right. */
export function mayMount(): boolean {
  if (process.env.CI === 'true') return true;
  try {
    mountSmallDisk().location.remove();
    return true;
  } catch {
    return false;
  }
}
