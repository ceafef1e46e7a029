import { describe, expect, it } from 'vitest';
import { type Command, getCommand, parseCommandLine } from '../../../src/cli/command.ts';
import { briefUsage, explain, listCommands } from '../../../src/cli/help.ts';

const command = (name: string, more: Partial<Command> = {}): Command => ({
  name,
  summary: `does ${name}`,
  options: {},
  examples: [`colophon ${name}`],
  run: async () => {},
  ...more,
});

const commands = [
  command('serve'),
  command('client', { arguments: [{ name: '<id>', summary: 'which' }] }),
  command('client make', {
    arguments: [{ name: '<name>', summary: 'what it is called' }],
    options: {
      json: { type: 'boolean', summary: 'print JSON' },
      scope: { type: 'string', multiple: true, value: '<scope>', summary: 'what it may do' },
      site: { type: 'string', value: '<site>', isRequired: true, summary: 'where' },
    },
  }),
];

describe('a command is found', () => {
  it.each<[words: string[], name: string, rest: string[]]>([
    [['serve'], 'serve', []],
    [['serve', '--json'], 'serve', ['--json']],
    [['client', 'make', 'x'], 'client make', ['x']],
    [['client', 'x', 'make'], 'client', ['x', 'make']],
  ])('%j', (words, name, rest) => {
    const found = getCommand(commands, words);
    expect([found.command.name, found.rest]).toEqual([name, rest]);
  });

  it.each([[['srve']], [['make']], [['']], [['--json', 'serve']], [[]]])('or not: %j', (words) => {
    expect(() => getCommand(commands, words)).toThrow(expect.objectContaining({ code: 'usage' }));
  });
});

describe('the words behind a command', () => {
  const parse = (...words: string[]) =>
    parseCommandLine(getCommand(commands, ['client', 'make']).command, words);

  it('are parsed into arguments and options', () => {
    const call = parse('--scope', 'a', 'name', '--scope=b', '--json', '--site', 's');
    expect(call.positionals).toEqual(['name']);
    expect(call.options('scope')).toEqual(['a', 'b']);
    expect(call.option('site')).toBe('s');
    expect(call.has('json')).toBe(true);
  });

  it('may omit all options, and an argument may look like an option', () => {
    const call = parse('--', '--json');
    expect(call.positionals).toEqual(['--json']);
    expect([call.has('json'), call.option('site'), call.options('scope')]).toEqual([false, undefined, []]);
  });

  it.each([
    [[]],
    [['a', 'b']],
    [['a', '--yaml']],
    [['a', '-j']],
    [['a', '--json=true']],
    [['a', '--scope']],
    [['a', '--site', '--json']],
    [['a', '--__proto__=x']],
  ])('are refused: %j', (words) => {
    expect(() => parse(...words)).toThrow(expect.objectContaining({ code: 'usage' }));
  });
});

describe('suggests the intended word', () => {
  const messageOf = (work: () => unknown) => {
    try {
      work();
    } catch (error) {
      return String(error instanceof Error ? error.message : error);
    }
    return undefined;
  };
  const { command: make } = getCommand(commands, ['client', 'make']);

  it.each([
    [['srve'], 'there is no command "srve". Did you mean "serve"?'],
    [['sevre', '--types', 'x'], 'there is no command "sevre --types". Did you mean "serve"?'],
    [['client-make'], 'there is no command "client-make". Did you mean "client make"?'],
    [['cleint', 'make'], 'there is no command "cleint make". Did you mean "client make" or "client"?'],
    [['frobnicate'], 'there is no command "frobnicate"'],
  ])('of the command %j', (words, message) => {
    expect(messageOf(() => getCommand(commands, words))).toBe(message);
  });

  it.each([
    [['a', '--jsno'], 'client make has no option --jsno. Did you mean "--json"?'],
    [['a', '--sco', 'x'], 'client make has no option --sco. Did you mean "--scope"?'],
    [['a', '--yaml'], 'client make has no option --yaml'],
  ])('of the option in %j', (words, message) => {
    expect(messageOf(() => parseCommandLine(make, words))).toBe(message);
  });

  it('and describes the arguments of a command', () => {
    expect(messageOf(() => parseCommandLine(make, ['a', 'b']))).toBe('client make takes <name>, not a b');
  });
});

describe('the help', () => {
  it('has a line for every command, or for those that begin with a word', () => {
    const lines = listCommands(commands).split('\n');
    expect(lines.slice(0, 4)).toEqual([
      'Usage:',
      '  colophon serve                             does serve',
      '  colophon client <id>                       does client',
      '  colophon client make <name> --site <site>  does client make',
    ]);
    const some = listCommands(commands, 'client').split('\n');
    expect(some.filter((line) => line.includes('does'))).toHaveLength(2);
  });

  it('explains one command with its arguments and options', () => {
    const { command: make } = getCommand(commands, ['client', 'make']);
    expect(explain(make).split('\n')).toEqual([
      'Usage: colophon client make <name> --site <site> [--json] [--scope <scope>]…',
      '',
      'Does client make.',
      '',
      'Arguments:',
      '  <name>  what it is called',
      '',
      'Options:',
      '  --json           print JSON',
      '  --scope <scope>  what it may do (may be repeated)',
      '  --site <site>    where (required)',
      '',
      'Example:',
      '  colophon client make',
    ]);
    expect(briefUsage(make)).toMatch(
      /^Usage: colophon client make .*\ncolophon help client make explains it\.$/,
    );
  });
});
