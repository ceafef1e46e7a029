import { expect, it } from 'vitest';
import { getCommand, parseCommandLine } from '../../../src/cli/command.ts';
import { allCommands } from '../../../src/cli/descriptions/all-commands.ts';
import { explain } from '../../../src/cli/help.ts';

/** The words of the call of colophon in a line of a shell, without redirections and quotes. */
function wordsOf(example: string): string[] {
  const [call = ''] = example.slice(example.indexOf('colophon ') + 'colophon '.length).split(/ [|>] /);
  return (call.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));
}

const examples = allCommands.flatMap(({ name, examples = [] }) =>
  examples.map((example) => [example, name] as const),
);

it.each(examples)('the example is a valid call: %s', (example, name) => {
  const { command, rest } = getCommand(allCommands, wordsOf(example));
  expect(command.name).toBe(name);
  expect(() => parseCommandLine(command, rest)).not.toThrow();
  expect(explain(command)).toContain(example);
});

it('every command that takes arguments has an example', () => {
  const withArguments = allCommands.filter((command) => command.arguments !== undefined);
  expect(withArguments.length).toBeGreaterThan(10);
  expect(withArguments.filter(({ examples }) => !examples).map(({ name }) => name)).toEqual([]);
});
