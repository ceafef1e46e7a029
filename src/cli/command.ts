/**
 * Describes commands and parses their arguments. One description of a command's options serves parsing, usage and help.
 */
import { parseArgs } from 'node:util';
import { usage } from '../base/errors.ts';
import { suggest } from '../text/suggest.ts';

export interface OptionDescription {
  readonly type: 'string' | 'boolean';
  /** The values that it may have; completion offers them. */
  readonly choices?: readonly string[];
  /** Whether its value is the class name of a content type or an interface; completion offers those of the types folder. */
  readonly isClass?: boolean;
  /** Whether it may be given more than once. */
  readonly multiple?: boolean;
  /** The placeholder of its value in help, such as `<folder>`. */
  readonly value?: string;
  readonly isRequired?: boolean;
  /** What it is for, in a few words. */
  readonly summary: string;
}

/** The options of a command by name. */
export type OptionDescriptions = Readonly<Record<string, OptionDescription>>;

/** A positional argument of a command. */
export interface ArgumentDescription {
  /** Such as `<class>`. */
  readonly name: string;
  readonly summary: string;
  /** Only the last argument may be left out; its name has brackets then, such as `[folder]`. */
  readonly isOptional?: boolean;
  readonly choices?: readonly string[];
  /** As that of an option. */
  readonly isClass?: boolean;
}

/** The parsed arguments of a call. */
export interface CommandCall {
  /** The name of the command. */
  readonly command: string;
  /** All commands, for the command that prints their completion. */
  readonly commands: readonly Command[];
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
  readonly summary: string;
  readonly arguments?: readonly ArgumentDescription[];
  readonly options: OptionDescriptions;
  /** Complete calls, for help. */
  readonly examples?: readonly string[];
  run(call: CommandCall): Promise<void>;
}

/** The option of every command that prints data. */
export const jsonOption = {
  json: { type: 'boolean', summary: 'print JSON' },
} as const satisfies OptionDescriptions;

/** Finds the command that the first words name, and what is left of the words. */
export function findCommand(
  commands: readonly Command[],
  words: readonly string[],
): { command: Command; rest: readonly string[] } | undefined {
  for (const length of [2, 1]) {
    const command = commands.find(({ name }) => name === words.slice(0, length).join(' '));
    if (command) return { command, rest: words.slice(length) };
  }
  return undefined;
}

/** Finds it. Errors: usage, with what may have been meant. */
export function getCommand(commands: readonly Command[], words: readonly string[]) {
  const found = findCommand(commands, words);
  if (found) return found;
  const said = words.slice(0, 2).join(' ');
  const names = commands.map(({ name }) => name);
  throw usage(`there is no command "${said}"${suggest([said, words[0] ?? ''], names)}`);
}

/** Sorts the words behind a command's name. Errors: usage. */
export function parseCommandLine(
  command: Command,
  words: readonly string[],
  commands: readonly Command[] = [],
): CommandCall {
  const { values, positionals } = parseWords(command, words);
  const wanted = command.arguments ?? [];
  const required = wanted.filter(({ isOptional }) => !isOptional);
  if (positionals.length > wanted.length || positionals.length < required.length) {
    const names = wanted.map(({ name }) => name).join(' ') || 'no arguments';
    throw usage(`${command.name} takes ${names}, not ${positionals.join(' ') || 'nothing'}`);
  }
  const texts = (name: string) => [values[name] ?? []].flat().filter((value) => typeof value === 'string');
  return {
    command: command.name,
    commands,
    positionals,
    option: (name) => texts(name)[0],
    options: texts,
    has: (flag) => values[flag] === true,
  };
}

function parseWords(command: Command, words: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, { type, multiple = false }]) => [name, { type, multiple }]),
  );
  const parsing = { args: [...words], options, allowPositionals: true } as const;
  const { tokens } = parseArgs({ ...parsing, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind !== 'option' || Object.hasOwn(options, token.name)) continue;
    const known = Object.keys(options).map((name) => `--${name}`);
    throw usage(`${command.name} has no option ${token.rawName}${suggest([token.rawName], known)}`);
  }
  try {
    return parseArgs({ ...parsing, strict: true });
  } catch (error) {
    throw usage(error instanceof Error ? error.message : String(error));
  }
}

/** Reads an option such as `2026-11-22T09:30:00Z`, or in milliseconds since 1970; `undefined` when it is absent. Errors: usage. */
export function readTime(call: CommandCall, name: string): number | undefined {
  const text = call.option(name);
  if (text === undefined) return undefined;
  const timeMs = /^\d+$/.test(text) ? Number(text) : Date.parse(text);
  if (Number.isSafeInteger(timeMs) && timeMs >= 0) return timeMs;
  throw usage(`--${name} must be a time such as 2026-11-22T09:30:00Z, or milliseconds since 1970`);
}

/** The number of an option, or its fallback. Errors: usage. */
export function readWholeNumber(
  call: CommandCall,
  name: string,
  { fallback, min, max }: { fallback: number; min: number; max: number },
): number {
  const text = call.option(name);
  if (text === undefined) return fallback;
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= min && number <= max) return number;
  throw usage(`--${name} must be a whole number from ${min} to ${max}`);
}
