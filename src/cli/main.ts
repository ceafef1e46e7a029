#!/usr/bin/env node
/**
 * The command line: finds the command, runs it, and turns its outcome into an exit code.
 *
 * Exit codes: 0 done, 1 failed, 2 called in a wrong way. Results go to standard output, all else to standard error.
 */
import { isDomainError } from '../base/errors.ts';
import { readVersion } from '../base/package-root.ts';
import { type Command, findCommand, getCommand, parseCommandLine } from './command.ts';
import { briefUsage, explain, listCommands } from './help.ts';

/** The commands by their first words. Each module is loaded when it is called, for it brings what no other command needs. */
const modules: Readonly<Record<string, () => Promise<{ readonly commands: readonly Command[] }>>> = {
  audit: () => import('./commands/audit.ts'),
  serve: () => import('./commands/serve.ts'),
  'list-types': () => import('./commands/types.ts'),
  'show-type': () => import('./commands/types.ts'),
  openapi: () => import('./commands/documents.ts'),
  schema: () => import('./commands/documents.ts'),
  client: () => import('./commands/client.ts'),
  user: () => import('./commands/user.ts'),
  endpoint: () => import('./commands/endpoint.ts'),
  mappings: () => import('./commands/mappings.ts'),
  codegen: () => import('./commands/codegen.ts'),
  contract: () => import('./commands/contract.ts'),
  export: () => import('./commands/export.ts'),
  history: () => import('./commands/history.ts'),
  restore: () => import('./commands/history.ts'),
  erase: () => import('./commands/history.ts'),
  import: () => import('./commands/import.ts'),
  runs: () => import('./commands/runs.ts'),
};

async function main(words: readonly string[]): Promise<number> {
  const [first] = words;
  if (first === '--version' || first === 'version') return print(readVersion());
  if (first === 'help') return help(words.slice(1));
  const ownWords = words.slice(0, words.includes('--') ? words.indexOf('--') : words.length);
  if (ownWords.includes('--help') || ownWords.includes('-h')) {
    const named = ownWords.filter((word) => !word.startsWith('-'));
    return help(named);
  }
  const commands = await loadCommands(words);
  if (words.length === 0) {
    print(listCommands(commands));
    return 2;
  }
  let command: Command | undefined;
  try {
    const found = getCommand(commands, words);
    command = found.command;
    await command.run(parseCommandLine(command, found.rest));
    return 0;
  } catch (error) {
    return fail(error, command ? briefUsage(command) : usageAfter(commands, words));
  }
}

/** Explains the command that the words name, or lists those that begin with the first one, or all. */
async function help(words: readonly string[]): Promise<number> {
  const commands = await loadCommands(words);
  try {
    const isGroup = commands.some(({ name }) => name.startsWith(`${words[0]} `));
    const found = findCommand(commands, words);
    if (found) return print(explain(found.command));
    if (words.length === 0 || (isGroup && words.length === 1)) return print(listCommands(commands, words[0]));
    getCommand(commands, words);
    return 2;
  } catch (error) {
    return fail(error, usageAfter(commands, words));
  }
}

/** Lists the commands that begin with the first word, where there are several. */
function usageAfter(commands: readonly Command[], [first = '']: readonly string[]): string {
  return Object.hasOwn(modules, first) ? listCommands(commands, first) : 'colophon help lists the commands.';
}

function fail(error: unknown, usage: string): number {
  console.error(`colophon: ${describe(error)}`);
  if (!isDomainError(error, 'usage')) return 1;
  console.error(usage);
  return 2;
}

function print(text: string): number {
  console.log(text);
  return 0;
}

/** The commands that begin with the first word; where there is none, all of them. */
async function loadCommands([first = '']: readonly string[]): Promise<Command[]> {
  const named = Object.entries(modules).filter(([word]) => word === first);
  const wanted = named.length > 0 ? named : Object.entries(modules);
  const loaded = new Set(await Promise.all(wanted.map(([, load]) => load())));
  return [...loaded].flatMap(({ commands }) => commands);
}

/** The text of an error: the message of an expected failure, otherwise the stack with all causes. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\n  because: ${describe(error.cause)}`;
  return `${isDomainError(error) || 'code' in error ? error.message : (error.stack ?? error.message)}${cause}`;
}

void main(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
});
