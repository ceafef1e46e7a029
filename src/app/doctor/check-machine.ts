/**
 * Checks the machine: the versions of the programs, and the folder of the data.
 */
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readVersion } from '../../base/package-root.ts';
import { type Finding, findingsOf, textOf } from './finding.ts';

/** The versions of the programs that take part. */
export function checkVersions(): Finding[] {
  const { node, sqlite } = process.versions;
  return [findingsOf('versions').ok(`Colophon ${readVersion()}, Node.js ${node}, SQLite ${sqlite}`)];
}

/** Below this, writes may soon fail. */
const minFreeBytes = 1_000_000_000;
const minFreeShare = 0.05;

/** Checks that the folder of the data can be written, has room, and is on a disk of this machine. */
export function checkDataFolder(dataDir: string): Finding[] {
  const { ok, warning, error } = findingsOf('data folder');
  const folder = resolve(dataDir);
  const present = findPresent(folder);
  if (!statSync(present).isDirectory()) return [error(`${present} is not a folder`)];
  try {
    accessSync(present, constants.W_OK | constants.X_OK);
  } catch (reason) {
    return [error(textOf(reason))];
  }
  const { type, bavail, blocks, bsize } = statfsSync(present);
  const free = bavail * bsize;
  const room = `${Math.floor(free / 1e6)} MB free`;
  const isFull = free < minFreeBytes || free < blocks * bsize * minFreeShare;
  return [
    isFull ? warning(`${folder} has only ${room}`) : ok(`${folder} can be written and has ${room}`),
    ...(isNetworkFilesystem(type)
      ? [warning(`${folder} is on a network filesystem, whose locks SQLite cannot rely on; use a local disk`)]
      : []),
  ];
}

/** The folder itself, or the nearest one above it that exists, in which a server creates it. */
function findPresent(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : findPresent(dirname(folder));
}

/** The magic numbers of network filesystems in Linux: NFS, SMB, CIFS, SMB2, 9P, Ceph, AFS, FUSE (such as sshfs). */
const networkTypes: readonly number[] = [
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x00c36400, 0x5346414f, 0x65735546,
];

/** Tells whether the type that `statfs` reports is that of a network filesystem. */
export function isNetworkFilesystem(type: number): boolean {
  // Linux reports the number with a sign on some machines.
  return networkTypes.includes(type >>> 0);
}
