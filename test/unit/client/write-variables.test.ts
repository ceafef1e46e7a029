/** Query strings of mapped routes: the server reads back the variables that the client writes. */
import { describe, expect, it } from 'vitest';
import { type VariableSyntax, writeVariables } from '../../../src/client/write-variables.ts';
import { createVariableReader } from '../../../src/mapping/variables/variables.ts';
import { describedOperation } from '../../support/described-operation.ts';

const sdl = `
scalar JSON
enum Level { LOW HIGH }
input Inner { text: String int: Int texts: [String!] matrix: [[Int!]!] inner: Inner inners: [Inner!] constructor: String toString: Int }
type Query {
  echo(
    text: String, int: Int, float: Float, flag: Boolean, level: Level, json: JSON, id: ID
    texts: [String!], ints: [Int!], matrix: [[Int!]!], inner: Inner, inners: [Inner!]
  ): Int
}`;
const { variables } = describedOperation(
  sdl,
  `query Echo(
    $text: String, $int: Int, $float: Float, $flag: Boolean, $level: Level, $json: JSON, $id: ID
    $texts: [String!], $ints: [Int!], $matrix: [[Int!]!], $inner: Inner, $inners: [Inner!]
  ) { echo(text: $text, int: $int, float: $float, flag: $flag, level: $level, json: $json, id: $id,
    texts: $texts, ints: $ints, matrix: $matrix, inner: $inner, inners: $inners) }`,
);

function roundTrip(given: object, syntax: VariableSyntax): unknown {
  const reader = createVariableReader({ variables, disableSlashSyntax: syntax === 'json' });
  return reader.read({ query: writeVariables(given, syntax).slice(1) });
}

const writable: readonly object[] = [
  {},
  { text: '', int: -5, float: 1e21, flag: false, level: 'HIGH', json: 'any text', id: 'x' },
  { text: ' a+b & c=d/ü[] %41 \u0000 "\'\\ \u{1f600}' },
  { float: 0.1, int: 0, flag: true },
  { texts: ['a'], ints: [3, 2, 1] },
  { texts: ['', 'a,b', 'c&d[]'] },
  { matrix: [[1, 2], [3]] },
  { inner: { constructor: 'a' } },
  { inner: { toString: 1 }, inners: [{ constructor: 'b' }, { text: 'c' }] },
  { inner: { text: 'a', int: 1, inner: { texts: ['b', 'c'], inner: { text: 'd' } } } },
  { inners: [{ text: 'a' }, { int: 2, inners: [{ text: 'b' }, { texts: ['c'] }] }] },
  { inners: [{ matrix: [[1], [2, 3]] }] },
  { texts: [], ints: [], matrix: [], inners: [], json: [] },
  { matrix: [[1], []], inner: { texts: [] }, json: { a: [], b: ['', []] } },
];

describe.each(['slash', 'json'] as const)('writeVariables in %s syntax', (syntax) => {
  it.each(writable.map((given) => [given]))('is read back as given: %j', (given) => {
    expect(roundTrip(given, syntax)).toEqual(given);
  });

  it('omits undefined values', () => {
    expect(writeVariables({ text: undefined }, syntax)).toBe('');
    expect(roundTrip({ text: undefined, inner: { text: 'a', int: undefined } }, syntax)).toEqual({
      inner: { text: 'a' },
    });
  });
});

describe('writeVariables', () => {
  it.each<[given: object, message: string]>([
    [{ text: null }, '"text" cannot be null'],
    [{ inner: { text: null } }, '"inner/text" cannot be null'],
    [{ inners: [{ text: 'a' }, {}] }, '"inners[1]" cannot be an empty object'],
    [{ texts: ['a', null] }, '"texts[1]" cannot be null'],
    [{ float: Number.NaN }, '"float" cannot be NaN'],
    [{ json: { 'a/b': 1 } }, '"json" cannot be a member named "a/b"'],
    [{ json: { '': 1 } }, '"json" cannot be a member named ""'],
    [{ json: 5n }, '"json" cannot be a bigint'],
  ])('refuses what slash syntax has no way to write: %o', (given, message) => {
    expect(() => writeVariables(given, 'slash')).toThrow(message);
    expect(() => writeVariables(given, 'slash')).toThrow(TypeError);
  });

  it('keeps an empty list apart from one with an empty text', () => {
    expect(writeVariables({ texts: [] }, 'slash')).toBe('?texts%5B%5D');
    expect(writeVariables({ texts: [''] }, 'slash')).toBe('?texts%5B%5D=');
  });

  it('writes null and empty values as JSON', () => {
    const given = { text: null, texts: [], json: { 'a/b': [{}, null] } };
    expect(roundTrip(given, 'json')).toEqual(given);
  });
});
