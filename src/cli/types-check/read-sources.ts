/**
 * Reads the SDL that `colophon types check` compares: from a folder, a file or a server.
 */
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { TypeSources } from '../../../generated/server/admin.ts';
import { readFolder } from '../../app/chosen-types.ts';
import { usage } from '../../base/errors.ts';
import type { TypeSource } from '../../model/types/type-sources.ts';
import type { CommandCall } from '../command.ts';
import { createAdminSender } from '../commands/admin-server.ts';

/** Reads the SDL files of a folder, or one file; `option` is what the command line calls it. Errors: usage. */
export function readSources(place: string, option: string): readonly TypeSource[] {
  try {
    return statSync(place).isDirectory()
      ? readFolder(place).sources
      : [{ file: basename(place), text: readFileSync(place, 'utf8') }];
  } catch (error) {
    throw usage(
      `${option} ${place} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Reads them, or those of the server at an address. Errors: usage, transfer_failed. */
export async function readSourcesAnywhere(
  call: CommandCall,
  place: string,
  option: string,
): Promise<readonly TypeSource[]> {
  if (!/^https?:\/\//.test(place)) return readSources(place, option);
  const send = await createAdminSender(call, place);
  const response = await send('/type-sources');
  // The document of the admin API describes the body.
  return ((await response.json()) as TypeSources).sources;
}
