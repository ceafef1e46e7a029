#!/usr/bin/env node
/**
 * The command line: finds the command, runs it, and turns its outcome into an exit code.
 *
 * Exit codes: 0 done, 1 failed, 2 called in a wrong way. Results go to standard output, all else to standard error.
 */
import { isDomainError } from '../base/errors.ts';
import { readVersion } from '../base/package-root.ts';
import { describeSystemError } from '../base/system-error.ts';
import { type Command, findCommand, getCommand, parseCommandLine } from './command.ts';
import { allCommands } from './descriptions/all-commands.ts';
import { readEnvFile } from './env-file.ts';
import { briefUsage, explain, listCommands } from './help.ts';

async function main(words: readonly string[]): Promise<number> {
  const [first] = words;
  if (first === '--version' || first === 'version') return print(readVersion());
  if (first === 'help') return help(words.slice(1));
  const ownWords = words.slice(0, words.includes('--') ? words.indexOf('--') : words.length);
  if (ownWords.includes('--help') || ownWords.includes('-h')) {
    const named = ownWords.filter((word) => !word.startsWith('-'));
    return help(named);
  }
  if (words.length === 0) {
    print(listCommands(allCommands));
    return 2;
  }
  let command: Command | undefined;
  try {
    const found = getCommand(allCommands, words);
    command = found.command;
    sayWhatIsSet(readEnvFile());
    await command.run(parseCommandLine(command, found.rest, allCommands));
    return 0;
  } catch (error) {
    return fail(error, command ? briefUsage(command) : usageAfter(words));
  }
}

/** Says which settings come from the file `.env`, without their values. */
function sayWhatIsSet(names: readonly string[]): void {
  if (names.length > 0) console.error(`colophon: .env sets ${names.join(', ')}`);
}

/** Explains the command that the words name, or lists those that begin with the first one, or all. */
function help(words: readonly string[]): number {
  try {
    const isGroup = allCommands.some(({ name }) => name.startsWith(`${words[0]} `));
    const found = findCommand(allCommands, words);
    if (found) return print(explain(found.command));
    if (words.length === 0 || (isGroup && words.length === 1))
      return print(listCommands(allCommands, words[0]));
    getCommand(allCommands, words);
    return 2;
  } catch (error) {
    return fail(error, usageAfter(words));
  }
}

/** Lists the commands that begin with the first word, where there are several. */
function usageAfter([first = '']: readonly string[]): string {
  const isKnown = allCommands.some(({ name }) => name.split(' ')[0] === first);
  return isKnown ? listCommands(allCommands, first) : 'colophon help lists the commands.';
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

/** The text of an error: the message of an expected failure, otherwise the stack with all causes. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // What keeps a store from answering is outside this program, so its stack says nothing.
  if (isDomainError(error, 'store_busy')) return [error.message, ...reasonsOf(error.cause)].join(': ');
  const cause = error.cause === undefined ? '' : `\n  because: ${describe(error.cause)}`;
  const isExpected = isDomainError(error) || 'code' in error;
  const text = isExpected ? error.message : (error.stack ?? error.message);
  return `${describeSystemError(error) ?? text}${cause}`;
}

/** Lists the distinct messages of an error and its causes. */
function reasonsOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  return [...new Set([error.message, ...reasonsOf(error.cause)])];
}

/**
 * Takes the errors of standard output, which would end the process with a stack. A reader that closes the pipe, such as `head`, has what
 * it wanted; anything else, such as a full disk, makes the command fail. Returns what tells whether output was lost.
 */
function watchOutput(): () => boolean {
  let isLost = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || isLost) return;
    isLost = true;
    console.error(`colophon: standard output cannot be written: ${describe(error)}`);
  });
  process.stderr.on('error', () => {});
  return () => isLost;
}

const isOutputLost = watchOutput();
void main(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = isOutputLost() ? Math.max(exitCode, 1) : exitCode;
});
