import { statfsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isNetworkFilesystem } from '../../../../src/app/doctor/run-checks.ts';

it('filesystems of other machines are recognized by their type', () => {
  // NFS, and CIFS with and without the sign that some machines report.
  for (const type of [0x6969, 0xff534d42, 0xff534d42 | 0]) expect(isNetworkFilesystem(type)).toBe(true);
  // ext4, tmpfs and XFS.
  for (const type of [0xef53, 0x01021994, 0x58465342]) expect(isNetworkFilesystem(type)).toBe(false);
  expect(isNetworkFilesystem(statfsSync('/proc').type)).toBe(false);
});
