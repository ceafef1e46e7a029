import { describe, expect, it } from 'vitest';
import { isDomainError } from '../../../src/base/errors.ts';
import { predicateLimits } from '../../../src/query/limits.ts';
import { type Operator, operatorSpellings, operators } from '../../../src/query/operators.ts';
import { parsePredicate } from '../../../src/query/parse.ts';
import { timesControl } from '../../support/control-work.ts';
import { withoutColumns } from '../../support/predicate-trees.ts';

const parse = (text: string) => withoutColumns(parsePredicate(text));

const is = (path: string, operand: object, operator: Operator = 'equals', ignoreCase = false) => ({
  kind: 'comparison',
  path,
  operator,
  ignoreCase,
  operand,
});
const text = (value: string) => ({ kind: 'text', text: value });
const number = (text: string) => ({ kind: 'number', text });
const list = (...items: object[]) => ({ kind: 'list', items });
const items = (path: string, quantifier: string, where: unknown) => ({
  kind: 'items',
  path,
  quantifier,
  where,
});
const [a, b, c] = ['a', 'b', 'c'].map((name) => is(name, number('1')));

describe('the logic of a predicate', () => {
  it.each<[string, unknown]>([
    ['a=1', a],
    ['a=1 and b=1 && c=1', { kind: 'and', terms: [a, b, c] }],
    ['a=1 or b=1||c=1', { kind: 'or', terms: [a, b, c] }],
    ['a=1 or b=1 and c=1', { kind: 'or', terms: [a, { kind: 'and', terms: [b, c] }] }],
    ['(a=1 or b=1) and c=1', { kind: 'and', terms: [{ kind: 'or', terms: [a, b] }, c] }],
    ['not a=1 and b=1', { kind: 'and', terms: [{ kind: 'not', term: a }, b] }],
    ['!(a=1 and b=1)', { kind: 'not', term: { kind: 'and', terms: [a, b] } }],
    ['not!a=1', { kind: 'not', term: { kind: 'not', term: a } }],
    [
      'NOT a=1 AND b=1 Or c=1',
      { kind: 'or', terms: [{ kind: 'and', terms: [{ kind: 'not', term: a }, b] }, c] },
    ],
    ['((a=1))', a],
    ['x any (a=1)', items('x', 'any', a)],
    [
      'x.y/z EVERY(a=1 and not b=1)',
      items('x.y/z', 'every', { kind: 'and', terms: [a, { kind: 'not', term: b }] }),
    ],
    ["'any' any (x none (a=1))", items('any', 'any', items('x', 'none', a))],
    ['not x any (a=1) or b=1', { kind: 'or', terms: [{ kind: 'not', term: items('x', 'any', a) }, b] }],
    ['true', { kind: 'constant', value: true }],
    ['FALSE or a=1', { kind: 'or', terms: [{ kind: 'constant', value: false }, a] }],
    ['  a\n=\t1\r\n', a],
  ])('%j', (predicate, tree) => {
    expect(parse(predicate)).toEqual(tree);
  });
});

describe('operators', () => {
  const spellings = operators.flatMap((operator) =>
    operatorSpellings[operator].map((spelling) => [spelling, operator] as const),
  );

  it.each(spellings)(
    '%s spells %s in any case, with and without blanks where they are not needed',
    (spelling, operator) => {
      for (const form of [spelling, spelling.toUpperCase(), spelling.toLowerCase()]) {
        expect(parse(`a ${form} 1`)).toEqual(is('a', number('1'), operator));
        expect(parse(`a ${form}'x'`)).toEqual(is('a', text('x'), operator));
        expect(parse(`a ${form}[c] 'x'`)).toEqual(is('a', text('x'), operator, true));
      }
    },
  );

  it.each<[string, unknown]>([
    ["a=[c]'x'", is('a', text('x'), 'equals', true)],
    ["a contains [C] 'x'", is('a', text('x'), 'contains', true)],
    ['a in[c] [b, c]', is('a', list(text('b'), text('c')), 'equals', true)],
    ['a in [c] [d]', is('a', list(text('d')), 'equals', true)],
    ['a = [c] ?', is('a', { kind: 'placeholder', index: 0 }, 'equals', true)],
    ['a = [ c ] 1', is('a', number('1'), 'equals', true)],
    ['a in [c]', is('a', list(text('c')))],
    ['a in [c] and b = 1', { kind: 'and', terms: [is('a', list(text('c'))), b] }],
    ['(a in [c])', is('a', list(text('c')))],
    ["a in ['c']", is('a', list(text('c')))],
    ['a in[c, d]', is('a', list(text('c'), text('d')))],
  ])(
    '%j reads [c] as a suffix where a value follows or no blank goes before, else as a list',
    (predicate, tree) => {
      expect(parse(predicate)).toEqual(tree);
    },
  );
});

describe('paths and values', () => {
  it.each<[string, string, unknown]>([
    ['a JSON name with dots', 'cms.content.publishDate = 1', is('cms.content.publishDate', number('1'))],
    ['a path through a reference', 'author/name = 1', is('author/name', number('1'))],
    ['a path named like an operator', 'in in 1', is('in', number('1'))],
    ['a path named like a value', 'null = 1', is('null', number('1'))],
    ['a quoted path', `'not' = 1`, is('not', number('1'))],
    ['hostile names as they are', '__proto__ = constructor', is('__proto__', text('constructor'))],
    ['a class name', '_type = com.example.news.Article', is('_type', text('com.example.news.Article'))],
    [
      'a UUID',
      'a = 0191f3a0-5b7e-7c11-9d2e-000000000001',
      is('a', text('0191f3a0-5b7e-7c11-9d2e-000000000001')),
    ],
    ['a number', 'a = -1.5e3', is('a', number('-1.5e3'))],
    ['minus zero', 'a = -0', is('a', number('-0'))],
    ['digits that are no JSON number as a text', 'a = 007', is('a', text('007'))],
    [
      'booleans in any case',
      'a = [TRUE, false]',
      is('a', list({ kind: 'boolean', boolean: true }, { kind: 'boolean', boolean: false })),
    ],
    [
      'null and missing alike',
      'a in [null, Missing]',
      is('a', list({ kind: 'missing' }, { kind: 'missing' })),
    ],
    [
      'quoted keywords as texts',
      `a = ["null", 'and', 'true']`,
      is('a', list(text('null'), text('and'), text('true'))),
    ],
    ['an empty list', 'a in []', is('a', list())],
    [
      'a text with every kind of character',
      `a = '\\u{0}\u200f\ud83d\ude00$where'`,
      is('a', text('\0\u200f😀$where')),
    ],
    [
      'placeholders by order',
      'a in [?, ?]',
      is('a', list({ kind: 'placeholder', index: 0 }, { kind: 'placeholder', index: 1 })),
    ],
    [
      'placeholders by number, more than once',
      'a in [?1, ?0, ?1]',
      is('a', list(...[1, 0, 1].map((index) => ({ kind: 'placeholder', index })))),
    ],
  ])('reads %s', (_, predicate, tree) => {
    expect(parse(predicate)).toEqual(tree);
  });

  it('records the columns of paths and values', () => {
    const tree = parsePredicate(`'😀' = 1 or b in [ 'x', ?]`);
    expect(tree).toEqual({
      kind: 'or',
      terms: [
        { ...is('😀', { ...number('1'), column: 7 }), column: 1 },
        {
          ...is('b', {
            kind: 'list',
            column: 17,
            items: [
              { ...text('x'), column: 19 },
              { kind: 'placeholder', index: 0, column: 24 },
            ],
          }),
          column: 12,
        },
      ],
    });
  });
});

describe('a predicate with a syntax error', () => {
  it.each([
    ['', 1, 'a comparison', 'the end'],
    ['   ', 4, 'a comparison', 'the end'],
    ['a', 2, 'an operator', 'the end'],
    ['a b', 3, 'an operator', '"b"'],
    [`a 'eq' 1`, 3, 'an operator', `"'eq'"`],
    ['a ==1', 4, 'a value', '"="'],
    ['a =', 4, 'a value', 'the end'],
    ['a=[c]', 6, 'a value', 'the end'],
    ['a = ]', 5, 'a value', '"]"'],
    ['a = and b = 1', 5, 'a value ("and" as a string needs quotes)', '"and"'],
    ['a is not null', 3, '"!=" in place of "is not"', '"is"'],
    ['a is b', 3, '"="', '"is"'],
    ['a <> b', 4, '"!=" in place of "<>"', '">"'],
    ['a NotEquals b', 3, '"!="', '"NotEquals"'],
    ['a ge 1', 3, '">="', '"ge"'],
    ['a = 1 b = 2', 7, '"and", "or" or the end', '"b"'],
    ['a = 1)', 6, '"and", "or" or the end', '")"'],
    ['(a = 1', 7, '"and", "or" or ")"', 'the end'],
    ['(a = 1]', 7, '"and", "or" or ")"', '"]"'],
    ['()', 2, 'a comparison', '")"'],
    ['a = 1 and', 10, 'a comparison', 'the end'],
    ['or a = 1', 1, 'a comparison', '"or"'],
    ['not', 4, 'a comparison', 'the end'],
    ['true = 1', 6, '"and", "or" or the end', '"="'],
    ['1 = 1', 1, 'a comparison', '"1"'],
    ['? = 1', 1, 'a comparison', '"?"'],
    ['a in [1', 8, '"," or "]"', 'the end'],
    ['a in [1 2]', 9, '"," or "]"', '"2"'],
    ['a in [1,]', 9, 'a value', '"]"'],
    ['a in [,1]', 7, 'a value', '","'],
    ['a in [[1]]', 7, 'a value', '"["'],
    ['a in (1, 2)', 6, 'a value', '"("'],
    ['a any b = 1', 7, '"(" and a condition on one item', '"b"'],
    ['a any ()', 8, 'a comparison', '")"'],
    ['a any (b = 1', 13, '"and", "or" or ")"', 'the end'],
    ['a some (b = 1)', 3, '"any" and a condition on one item', '"some"'],
    ['a all (b = 1)', 3, '"every" and a condition on one item', '"all"'],
    ['a = 1e999', 5, 'a number that a 64-bit float can hold', '"1e999"'],
    ['a in [?, ?0]', 10, 'only "?" or only numbers', '"?0"'],
    ['a in [?0, ?]', 11, 'only "?" or only numbers', '"?"'],
    ['a = ?1', 5, 'a use of "?0"', '"?1"'],
    ['a in [?0, ?2]', 7, 'a use of "?1"', '"?0"'],
    ['a = ?99999999999999999999', 5, 'a use of "?0"', '"?99999999999999999999"'],
    ['a = ?x', 6, '"and", "or" or the end', '"x"'],
    [`😀 = 1`, 1, 'a word', '"😀"'],
  ])('%j is refused at column %i', (predicate, column, expected, found) => {
    const error = refusal(predicate);
    expect(error).toMatchObject({ code: 'predicate_syntax', details: { column } });
    expect(error.details.expected).toContain(expected);
    expect(error.message).toMatch(new RegExp(`found ${found.replace(/[?$()[\]]/g, '\\$&')}$`));
  });
});

describe('the limits of a predicate', () => {
  const repeated = (term: string, count: number, between: string) => Array(count).fill(term).join(between);
  const { comparisons, nesting, operands, characters } = predicateLimits;

  it.each<[string, string]>([
    ['comparisons', repeated('a=1', comparisons, ' or ')],
    ['values', `a in [${repeated('1', operands, ',')}]`],
    ['parentheses', `${'('.repeat(nesting)}a=1${')'.repeat(nesting)}`],
    ['levels of not', `${'!'.repeat(nesting)}a=1`],
    ['levels of items', `${'a any ('.repeat(nesting)}a=1${')'.repeat(nesting)}`],
    ['characters', `a='${'😀'.repeat(characters - 4)}'`],
    ['names in a path', `${repeated('a', 32, '.')}=1`],
    ['references in a path', `${repeated('a', 9, '/')}=1`],
  ])('%s: as many as are allowed are read', (_, predicate) => {
    expect(() => parsePredicate(predicate)).not.toThrow();
  });

  it.each<[string, string, number]>([
    ['1000 comparisons', repeated('a=1', comparisons + 1, ' or '), 7001],
    ['1000 comparisons', repeated('true', comparisons + 1, ' or '), 8001],
    ['1000 comparisons', repeated('a=1', 10_000, '&&'), 5001],
    ['5000 values', `a in [${repeated('1', operands + 1, ',')}]`, 10_007],
    ['32 levels of parentheses and "not"', '('.repeat(100_000), 33],
    ['32 levels of parentheses and "not"', 'not '.repeat(30_000), 129],
    ['32 levels of parentheses and "not"', `${'(!'.repeat(17)}a=1`, 33],
    ['131072 characters', `a='${'😀'.repeat(characters - 3)}'`, 131_073],
    ['131072 characters', ' '.repeat(characters + 1), 131_073],
    ['32 names in a path', `x=1 or ${repeated('a', 33, '.')}=1`, 8],
    ['32 names in a path', `${repeated('a', 60_000, '/')}=1`, 1],
    ['8 references in a path', `${repeated('a', 10, '/')}=1`, 1],
  ])('beyond %s it is refused by name (case %#)', (limit, predicate, column) => {
    expect(refusal(predicate)).toMatchObject({
      code: 'predicate_syntax',
      details: { column, expected: `at most ${limit}` },
    });
  });

  it.each([
    ['one text', `a='${'x'.repeat(100_000)}'`],
    ['one text never closed', `a='${'\\n'.repeat(50_000)}`],
    ['one word', `a=${'x'.repeat(100_000)}`],
    ['one number', `a=0.${'0'.repeat(100_000)}1`],
    ['quotes', `'"`.repeat(50_000)],
    ['blanks', `a=1${' '.repeat(100_000)}b`],
    ['brackets', '['.repeat(100_000)],
    ['suffixes', 'a=[c]'.repeat(20_000)],
    ['10,000 terms', repeated("headline = 'a'", 7_000, ' or ')],
  ])('100 KB of %s are answered or refused at once', (_, predicate) => {
    const parse = () => {
      try {
        parsePredicate(predicate);
      } catch {
        // A refusal is as good as a result.
      }
    };
    // A few milliseconds; any quadratic step would take seconds.
    expect(timesControl(parse)).toBeLessThan(20);
  });
});

function refusal(predicate: string) {
  try {
    parsePredicate(predicate);
  } catch (error) {
    if (isDomainError(error, 'predicate_syntax')) return error;
    throw error;
  }
  return expect.fail(`not refused: ${predicate}`);
}
