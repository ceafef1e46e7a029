import { describe, expect, it } from 'vitest';
import { type Command, findCommand, parseCommandLine, usageOf } from '../../../src/cli/command.ts';

const command = (name: string, more: Partial<Command> = {}): Command => ({
  name,
  synopsis: '',
  summary: `does ${name}`,
  positionals: 0,
  options: {},
  run: async () => {},
  ...more,
});

const commands = [
  command('serve'),
  command('client', { positionals: 1 }),
  command('client make', {
    synopsis: '<name> [--json]',
    positionals: 1,
    options: {
      json: { type: 'boolean' },
      scope: { type: 'string', multiple: true },
      site: { type: 'string' },
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
    const found = findCommand(commands, words);
    expect([found.command.name, found.rest]).toEqual([name, rest]);
  });

  it.each([[['srve']], [['make']], [['']], [['--json', 'serve']], [[]]])('or not: %j', (words) => {
    expect(() => findCommand(commands, words)).toThrow(expect.objectContaining({ code: 'usage' }));
  });
});

describe('the words behind a command', () => {
  const parse = (...words: string[]) =>
    parseCommandLine(findCommand(commands, ['client', 'make']).command, words);

  it('are sorted into arguments and options', () => {
    const call = parse('--scope', 'a', 'name', '--scope=b', '--json', '--site', 's');
    expect(call.positionals).toEqual(['name']);
    expect(call.options('scope')).toEqual(['a', 'b']);
    expect(call.option('site')).toBe('s');
    expect(call.has('json')).toBe(true);
  });

  it('may leave every option out, and an argument may look like one', () => {
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

describe('the usage', () => {
  const allLines = [
    'Usage:',
    '  colophon serve                        does serve',
    '  colophon client                       does client',
    '  colophon client make <name> [--json]  does client make',
  ];

  it('has a line for every command', () => {
    expect(usageOf(commands, []).split('\n')).toEqual(allLines);
    expect(usageOf(commands, ['nope']).split('\n')).toEqual(allLines);
  });

  it('has those alone that begin with the first word', () => {
    expect(usageOf(commands, ['client', 'make']).split('\n')).toEqual([
      allLines[0],
      allLines[2],
      allLines[3],
    ]);
    expect(usageOf(commands, ['serve']).split('\n')).toEqual(['Usage:', '  colophon serve  does serve']);
  });
});
