/**
 * A file beside the database that only takes up space, so that the database can be opened on a full disk: its connections share a file,
 * which SQLite makes anew when none was open. The first one that finds no space for it gives up the reserve.
 */
import { createHash } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';

/** The shared file has 32 KiB for each 16 MB of the WAL. */
const reserveBytes = 262_144;

const reserveOf = (file: string) => `${file}-reserve`;

/** Creates the reserve of a database file that is in its place, if it is missing and there is space. */
export function keepReserve(file: string): void {
  const reserve = reserveOf(file);
  if (existsSync(reserve) || !existsSync(file)) return;
  try {
    // A long hash looks random: other content would take up no space on a file system that compresses.
    const content = createHash('shake256', { outputLength: reserveBytes }).update(file).digest();
    writeFileSync(reserve, content, { mode: 0o600, flag: 'wx' });
  } catch {
    // Without space for it, or written by another process at this moment.
  }
}

/** Gives up the reserve. */
export const releaseReserve = (file: string): void => rmSync(reserveOf(file), { force: true });
