/**
 * The texts that explain commands, made from their descriptions.
 */
import type { Command, OptionDescription, OptionDescriptions } from './command.ts';

/** How a command is called: its words, its arguments, its options. */
function callOf({ name, arguments: words = [], options }: Command): string {
  const parts = Object.entries(options)
    .toSorted(([, a], [, b]) => Number(b.isRequired ?? false) - Number(a.isRequired ?? false))
    .map(([option, description]) => {
      const text = spell(option, description);
      return `${description.isRequired ? text : `[${text}]`}${description.multiple ? '…' : ''}`;
    });
  return ['colophon', name, ...words.map((word) => word.name), ...parts].join(' ');
}

/** A line for each command, or for those that begin with the given word. */
export function listCommands(commands: readonly Command[], word?: string): string {
  const asked = commands.filter(({ name }) => name.split(' ')[0] === word);
  const shown = asked.length > 0 ? asked : commands;
  const lines = shown.map(
    ({ name, arguments: words = [], options, summary }) =>
      [
        ['colophon', name, ...words.map((argument) => argument.name), ...requiredOf(options)].join(' '),
        summary,
      ] as const,
  );
  return [
    'Usage:',
    ...inColumns(lines),
    '',
    'colophon help <command> explains the options of a command, colophon --version prints the version.',
    'docs/configuration.md, or /docs/guide of a running server, lists the COLOPHON_* variables, which configure all of them.',
  ].join('\n');
}

/** What a command does, and what each of its options is for. */
export function explain(command: Command): string {
  const { examples = [] } = command;
  const words = (command.arguments ?? []).map(({ name, summary }) => [name, summary] as const);
  const options = Object.entries(command.options).map(
    ([name, option]) =>
      [
        spell(name, option),
        `${option.summary}${option.isRequired ? ' (required)' : ''}${option.multiple ? ' (may be repeated)' : ''}`,
      ] as const,
  );
  return [
    `Usage: ${callOf(command)}`,
    '',
    `${command.summary.charAt(0).toUpperCase()}${command.summary.slice(1)}.`,
    ...(words.length > 0 ? ['', 'Arguments:', ...inColumns(words)] : []),
    ...(options.length > 0 ? ['', 'Options:', ...inColumns(options)] : []),
    ...(examples.length > 0
      ? ['', examples.length > 1 ? 'Examples:' : 'Example:', ...examples.map((example) => `  ${example}`)]
      : []),
  ].join('\n');
}

/** What follows the message about a call that went wrong. */
export const briefUsage = (command: Command) =>
  `Usage: ${callOf(command)}\ncolophon help ${command.name} explains it.`;

const requiredOf = (options: OptionDescriptions) =>
  Object.entries(options).flatMap(([name, option]) => (option.isRequired ? [spell(name, option)] : []));

const spell = (name: string, { value }: OptionDescription) =>
  `--${name}${value === undefined ? '' : ` ${value}`}`;

function inColumns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
