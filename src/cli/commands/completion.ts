/**
 * `colophon completion <shell>`: prints the script that a shell loads.
 */
import { usage } from '../../base/errors.ts';
import { loadTypes } from '../../model/load-types.ts';
import { readSuppliedSources, shippedTypesFolder } from '../../model/types/type-sources.ts';
import type { CommandCall } from '../command.ts';
import { isShell, printCompletion, shells } from '../completion/print-completion.ts';

/** Runs `colophon completion`. Errors: usage. */
export async function completion({ positionals: [shell = ''], commands }: CommandCall): Promise<void> {
  if (!isShell(shell)) throw usage(`completion takes ${shells.join(', ')}, not ${shell}`);
  const supplied = [...loadTypes(readSuppliedSources()).types.keys()];
  process.stdout.write(printCompletion(shell, commands, { folder: shippedTypesFolder, supplied }));
}
