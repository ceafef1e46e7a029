/**
 * What a command is, and how words become a call of one.
 */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { usage } from '../base/errors.ts';

/** The words of a call, sorted into what the command declared. */
export interface CommandCall {
  readonly positionals: readonly string[];
  /** The text of an option that may be given once. */
  option(name: string): string | undefined;
  /** All texts of an option that may be repeated. */
  options(name: string): readonly string[];
  has(flag: string): boolean;
}

/** One command of the command line. */
export interface Command {
  /** Its words, such as `client create`. */
  readonly name: string;
  /** What follows the name in a usage line, such as `<class> [--json]`. */
  readonly synopsis: string;
  readonly summary: string;
  /** How many words it takes besides options. */
  readonly positionals: number;
  readonly options: ParseArgsOptionsConfig;
  run(call: CommandCall): Promise<void>;
}

/** Finds the command that the first words name, and what is left of the words. Errors: usage. */
export function findCommand(
  commands: readonly Command[],
  words: readonly string[],
): { command: Command; rest: readonly string[] } {
  for (const length of [2, 1]) {
    const command = commands.find(({ name }) => name === words.slice(0, length).join(' '));
    if (command) return { command, rest: words.slice(length) };
  }
  throw usage(`there is no command "${words.slice(0, 2).join(' ')}"`);
}

/** Sorts the words behind a command's name. Errors: usage. */
export function parseCommandLine(command: Command, words: readonly string[]): CommandCall {
  const { values, positionals } = parseWords(command, words);
  if (positionals.length !== command.positionals) {
    throw usage(`${command.name} takes ${command.positionals} arguments, not ${positionals.length}`);
  }
  const texts = (name: string) => [values[name] ?? []].flat().filter((value) => typeof value === 'string');
  return {
    positionals,
    option: (name) => texts(name)[0],
    options: texts,
    has: (flag) => values[flag] === true,
  };
}

function parseWords({ options }: Command, words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw usage(error instanceof Error ? error.message : String(error));
  }
}

/** The usage text of all commands, or of those that begin with the given words. */
export function usageOf(commands: readonly Command[], words: readonly string[]): string {
  const asked = commands.filter(({ name }) => words[0] !== undefined && name.split(' ')[0] === words[0]);
  const shown = asked.length > 0 ? asked : commands;
  const lines = shown.map((command) => [
    `colophon ${command.name} ${command.synopsis}`.trim(),
    command.summary,
  ]);
  const width = Math.max(...lines.map(([call = '']) => call.length));
  return ['Usage:', ...lines.map(([call = '', summary]) => `  ${call.padEnd(width)}  ${summary}`)].join('\n');
}
