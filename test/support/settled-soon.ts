/**
 * The command line, with seconds less of waiting for servers to follow each phase of a backfill. It takes the words of `colophon`.
 */
import { findCommand, parseCommandLine } from '../../src/cli/command.ts';
import { backfillTypes } from '../../src/cli/commands/types-backfill.ts';
import { allCommands } from '../../src/cli/descriptions/all-commands.ts';

const words = process.argv.slice(2);
const found = findCommand(allCommands, words);
if (found?.command.name !== 'types backfill') throw new Error('This is for colophon types backfill');
try {
  await backfillTypes(parseCommandLine(found.command, found.rest), { settleMs: 1_000 });
} catch (error) {
  console.error(`colophon: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
