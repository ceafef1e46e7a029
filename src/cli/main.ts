#!/usr/bin/env node
/**
 * The command line: finds the command, runs it, and turns its outcome into an exit code.
 *
 * Exit codes: 0 done, 1 failed, 2 called in a wrong way. Results go to standard output, all else to standard error.
 */
import { isDomainError } from '../base/errors.ts';
import { type Command, findCommand, parseCommandLine, usageOf } from './command.ts';

/** The commands by their first words. Each module is loaded when it is called, for it brings what no other command needs. */
const modules: Readonly<Record<string, () => Promise<{ readonly commands: readonly Command[] }>>> = {
  serve: () => import('./commands/serve.ts'),
  'list-types': () => import('./commands/types.ts'),
  'show-type': () => import('./commands/types.ts'),
  client: () => import('./commands/client.ts'),
  user: () => import('./commands/user.ts'),
  endpoint: () => import('./commands/endpoint.ts'),
  mappings: () => import('./commands/mappings.ts'),
  codegen: () => import('./commands/codegen.ts'),
  contract: () => import('./commands/contract.ts'),
  export: () => import('./commands/export.ts'),
  import: () => import('./commands/import.ts'),
};

async function main(words: readonly string[]): Promise<number> {
  const commands = await loadCommands(words);
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

/** The commands that begin with the first word; where there is none, all of them. */
async function loadCommands([first = '']: readonly string[]): Promise<Command[]> {
  const named = Object.entries(modules).filter(([word]) => word === first);
  const wanted = named.length > 0 ? named : Object.entries(modules);
  const loaded = new Set(await Promise.all(wanted.map(([, load]) => load())));
  return [...loaded].flatMap(({ commands }) => commands);
}

/** Expected failures speak for themselves; of any other the whole chain helps. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\n  because: ${describe(error.cause)}`;
  return `${isDomainError(error) || 'code' in error ? error.message : (error.stack ?? error.message)}${cause}`;
}

process.exitCode = await main(process.argv.slice(2));
