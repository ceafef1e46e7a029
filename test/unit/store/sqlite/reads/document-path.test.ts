import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memberOf, reachValues, typedValue } from '../../../../../src/store/sqlite/reads/document-path.ts';

const database = new DatabaseSync(':memory:');
const read = (sql: string, document: unknown) =>
  database.prepare(`SELECT ${sql} AS value FROM (SELECT ?1 AS document)`).get(JSON.stringify(document))
    ?.value;

const hostileNames = [
  "a'b",
  'a"b',
  'a\\b',
  'a\\"b',
  'a.b',
  'a]b',
  '[0]',
  '',
  '$',
  '#',
  '*',
  '?1',
  ':a',
  '--',
  "'; DROP TABLE assets; --",
  '__proto__',
  'a\nb',
  'é',
  '😀',
  '\u2028',
  '$."x"',
];

describe('a member', () => {
  test.each(hostileNames)('named %j is found, and nothing else is', (name) => {
    const { value } = memberOf('document', [name, name]);
    const other = `${name}x`;
    const inner = Object.fromEntries([
      [other, 'wrong'],
      [name, 'right'],
    ]);
    const document = Object.fromEntries([
      [other, { [name]: 'wrong' }],
      ['x', 1],
      [name, inner],
    ]);
    expect(read(value, document)).toBe('right');
    expect(read(value, { [other]: inner })).toBeNull();
  });

  test('of any name is found', () => {
    const isFound = (name: string) =>
      read(memberOf('document', [name]).value, Object.fromEntries([[name, 'it']])) === 'it';
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), isFound), { numRuns: 500 });
  });

  test('of another JSON type than wanted reads as NULL', () => {
    const values = { text: 'a', number: 1.5, boolean: true };
    for (const kind of ['text', 'number', 'boolean'] as const) {
      for (const value of [...Object.values(values), null, [], ['a'], {}, { a: 1 }, '1', 0, false]) {
        const got = read(typedValue(memberOf('document', ['x']), kind), { x: value });
        const isOfKind = typeof value === typeof values[kind];
        expect(got).toEqual(isOfKind ? (typeof value === 'boolean' ? Number(value) : value) : null);
      }
    }
  });
});

test('any number equals itself as a parameter', () => {
  const sql = typedValue(memberOf('?1', ['x']), 'number');
  const statement = database.prepare(`SELECT ${sql} = ?2 AS same`);
  const isSame = (x: number) => statement.get(JSON.stringify({ x }), x)?.same === 1;
  const edges = [
    5e-324,
    -5e-324,
    1.7976931348623157e308,
    0.1 + 0.2,
    2 ** 53 + 2,
    2 ** 63,
    1234567890123456800,
    1e21,
    1e23,
  ];
  expect(edges.filter((x) => !isSame(x))).toEqual([]);
  fc.assert(fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), isSame), { numRuns: 5_000 });
  fc.assert(fc.property(fc.maxSafeInteger(), isSame), { numRuns: 2_000 });
});

test('lists are walked only where there is a list', () => {
  const { from, where, value } = reachValues('document', [
    { name: 'stops', list: true },
    { name: 'tags', list: true },
  ]);
  const sql = `(SELECT group_concat(${value.value}) FROM ${from.join(', ')} WHERE ${where.join(' AND ')})`;
  expect(read(sql, { stops: [{ tags: ['a', 'b'] }, { tags: ['c'] }, {}] })).toBe('a,b,c');
  for (const stops of [
    { tags: ['a'] },
    'a',
    ['a', '{"tags":["a"]}', ['b']],
    [{ tags: 'a' }],
    [{ tags: { a: 'a' } }],
    null,
  ]) {
    expect(read(sql, { stops })).toBeNull();
  }
});
