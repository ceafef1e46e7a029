#!/usr/bin/env node
/**
 * The command line: finds the command, runs it, and turns its outcome into an exit code.
 *
 * Exit codes: 0 done, 1 failed, 2 called in a wrong way. Results go to standard output, all else to standard error.
 */
import { isDomainError } from '../base/errors.ts';
import { type Command, findCommand, parseCommandLine, usageOf } from './command.ts';
import { clientCommands } from './commands/client.ts';
import { codegenCommand } from './commands/codegen.ts';
import { contractCommand } from './commands/contract.ts';
import { endpointCommands } from './commands/endpoint.ts';
import { exportCommand } from './commands/export.ts';
import { importCommand } from './commands/import.ts';
import { mappingCommands } from './commands/mappings.ts';
import { serveCommand } from './commands/serve.ts';
import { typeCommands } from './commands/types.ts';
import { userCommands } from './commands/user.ts';

const commands: readonly Command[] = [
  serveCommand,
  ...typeCommands,
  ...clientCommands,
  ...userCommands,
  ...endpointCommands,
  ...mappingCommands,
  codegenCommand,
  contractCommand,
  exportCommand,
  importCommand,
];

async function main(words: readonly string[]): Promise<number> {
  if (words.length === 0 || words.includes('--help') || words.includes('-h')) {
    console.log(usageOf(commands, words));
    return words.length === 0 ? 2 : 0;
  }
  try {
    const { command, rest } = findCommand(commands, words);
    await command.run(parseCommandLine(command, rest));
    return 0;
  } catch (error) {
    console.error(`colophon: ${describe(error)}`);
    if (!isDomainError(error, 'usage')) return 1;
    console.error(`\n${usageOf(commands, words)}`);
    return 2;
  }
}

/** Expected failures speak for themselves; of any other the whole chain helps. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\n  because: ${describe(error.cause)}`;
  return `${isDomainError(error) || 'code' in error ? error.message : (error.stack ?? error.message)}${cause}`;
}

process.exitCode = await main(process.argv.slice(2));
