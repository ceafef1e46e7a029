import { describe, expect, it } from 'vitest';
import { isBareWord, readTokens, type Token } from '../../../src/query/tokens.ts';

/** All tokens before the end. */
function tokensOf(text: string): Token[] {
  const reader = readTokens(text);
  const tokens: Token[] = [];
  for (let token = reader.next(); token.kind !== 'end'; token = reader.next()) tokens.push(token);
  return tokens;
}

const written = (text: string) => tokensOf(text).map(({ kind, text: content }) => `${kind} ${content}`);

describe('tokens', () => {
  it.each([
    ['cms.content.publishDate', ['word cms.content.publishDate']],
    ['author/name', ['word author/name']],
    [
      '_id=0191f3a0-5b7e-7c11-9d2e-000000000001',
      ['word _id', 'symbol =', 'word 0191f3a0-5b7e-7c11-9d2e-000000000001'],
    ],
    ['a@b.example +49:30', ['word a@b.example', 'word +49:30']],
    ['Straße 北京 e\u0301', ['word Straße', 'word 北京', 'word e\u0301']],
    ['0 -1.5e3 1E+2 0.5', ['number 0', 'number -1.5e3', 'number 1E+2', 'number 0.5']],
    [
      '007 .5 5. +5 1e 0x1 --1',
      ['word 007', 'word .5', 'word 5.', 'word +5', 'word 1e', 'word 0x1', 'word --1'],
    ],
    ['a>=-1', ['word a', 'symbol >=', 'number -1']],
    [
      '= != < <= > >= || && ! ( ) [ ] ,',
      [...'=|!=|<|<=|>|>='.split('|'), '||', '&&', ...'!()[],'].map((each) => `symbol ${each}`),
    ],
    ['? ?0 ?12', ['placeholder ', 'placeholder 0', 'placeholder 12']],
    ['contains[c]', ['word contains', 'symbol [', 'word c', 'symbol ]']],
    [' \t\r\n\u00a0\u3000\ufeff', []],
  ])('reads %j', (text, expected) => {
    expect(written(text)).toEqual(expected);
  });

  it.each([
    [`'a\\\\b'`, 'a\\b'],
    [`'it\\'s'`, `it's`],
    [`"say \\"x\\""`, 'say "x"'],
    [`"it's"`, `it's`],
    [`'a\\nb\\tc\\r'`, 'a\nb\tc\r'],
    [`'\\u00e9\\u{1F600}\\ud83d\\ude00'`, 'é😀😀'],
    [`'\\ud800'`, '\ud800'],
    [`'%_.*$where and or \u200f'`, '%_.*$where and or \u200f'],
    [`''`, ''],
    [`'\\u0000'`, '\0'],
  ])('reads the quoted text %s', (text, expected) => {
    expect(tokensOf(text)).toMatchObject([{ kind: 'quoted', text: expected, source: text }]);
  });

  it('counts columns in characters, not in UTF-16 units', () => {
    expect(tokensOf(`'😀😀' x\n𐐀 "\\u{1F600}" y`).map(({ column }) => column)).toEqual([1, 6, 8, 10, 22]);
  });

  it('marks a token that no blank precedes', () => {
    expect(tokensOf('a=[c] b').map(({ followsDirectly }) => followsDirectly)).toEqual([
      false,
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  it('peeks without consuming, and repeats the end token', () => {
    const reader = readTokens('a b');
    expect([reader.peek(1).text, reader.peek(5).kind, reader.next().text]).toEqual(['b', 'end', 'a']);
    expect([reader.next().text, reader.next().kind, reader.next().column]).toEqual(['b', 'end', 4]);
  });

  it.each([
    [`😀😀`, 1, '"😀"'],
    [`a\0b`, 2, 'U+0000'],
    [`a = \u200fb`, 5, 'U+200F'],
    ['a = \ud800', 5, 'U+D800'],
    ['$where', 1, '"$"'],
    ['a | b', 3, '"|"'],
    [`'😀' 'open`, 5, 'none'],
    [`x = 'a\\'`, 5, 'none'],
    [`"`, 1, 'none'],
    [`'ab\\x41'`, 4, '"\\\\x"'],
    [`'😀\\q'`, 3, '"\\\\q"'],
    [`'\\u{110000}'`, 2, '"\\\\u{110000}"'],
    [`'\\u12'`, 2, '"\\\\u"'],
    [`'\\U0041'`, 2, '"\\\\U"'],
  ])('refuses %j at column %i', (text, column, found) => {
    expect(() => tokensOf(text)).toThrow(
      expect.objectContaining({
        code: 'predicate_syntax',
        details: expect.objectContaining({ column }),
        message: expect.stringMatching(`^Column ${column}: .*found ${found.replace(/[\\{}$|+]/g, '\\$&')}$`),
      }),
    );
  });
});

describe('a bare word', () => {
  it.each(['a', 'a.b/c', '_id', 'x@y', 'é', '007'])('%s needs no quotes', (text) => {
    expect(isBareWord(text)).toBe(true);
  });
  it.each(['', '1', '-2.5e3', 'a b', "it's", 'a=b', '$x', '\0', '😀'])('%j does not', (text) => {
    expect(isBareWord(text)).toBe(false);
  });
});
