import { describe, expect, it } from 'vitest';
import {
  caseVariants,
  compareText,
  countCharacters,
  foldCase,
  toSearchedTerms,
  toWords,
} from '../../../src/query/text.ts';
import { timesControl } from '../../support/control-work.ts';

/** Every code point of the two planes that have letters with case, except surrogates. */
const everyCharacter = Array.from({ length: 0x20000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));

/** The definition of case folding, for one character. */
const folded = (character: string) => {
  const lower = character.toLowerCase();
  return [...lower].length === 1 ? lower : character;
};

describe('foldCase', () => {
  it.each([
    ['HELLO', 'hello'],
    ['ẞ', 'ß'],
    ['İI', 'İi'],
    ['ı', 'ı'],
    ['\u212a\u212b\u2126', 'kåω'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευσ'],
    ['ς', 'ς'],
    ['ǅ', 'ǆ'],
    ['𐐀', '𐐨'],
    ['ΣİΣ AİΣ', 'σİσ aİσ'],
    ['A\ud800B', 'a\ud800b'],
    ['', ''],
  ])('folds %j to %j', (text, expected) => {
    expect(foldCase(text)).toBe(expected);
  });

  it('folds every character independently of its neighbours', () => {
    const wrong = everyCharacter.filter((character) => {
      const expected = folded(character);
      return foldCase(character) !== expected || foldCase(`AΣ${character}`) !== `aσ${expected}`;
    });
    expect(wrong).toEqual([]);
  });

  it('leaves the other planes as they are', () => {
    for (let plane = 2; plane <= 16; plane++) {
      const text = Array.from({ length: 0x10000 }, (_, code) =>
        String.fromCodePoint(plane * 0x10000 + code),
      ).join('');
      expect(foldCase(text) === text).toBe(true);
    }
  });

  it('is idempotent', () => {
    expect(everyCharacter.filter((character) => foldCase(folded(character)) !== folded(character))).toEqual(
      [],
    );
  });
});

describe('caseVariants', () => {
  it.each([
    ['k', ['k', 'K', '\u212a']],
    ['\u212a', ['k', 'K', '\u212a']],
    ['ß', ['ß', 'ẞ']],
    ['ǆ', ['ǆ', 'Ǆ', 'ǅ']],
    ['σ', ['σ', 'Σ']],
    ['ς', ['ς']],
    ['İ', ['İ']],
    ['ı', ['ı']],
    ['5', ['5']],
    ['%', ['%']],
  ])('of %j are %j', (character, expected) => {
    expect(caseVariants(character)).toEqual(expected);
  });

  it('returns exactly the characters with the same folded form', () => {
    const alike = Map.groupBy(everyCharacter, folded);
    const wrong = everyCharacter.filter((character) => {
      const variants = caseVariants(character);
      const expected = alike.get(folded(character)) ?? [];
      return variants.length !== expected.length || !expected.every((each) => variants.includes(each));
    });
    expect(wrong).toEqual([]);
  });
});

describe('toWords', () => {
  it.each([
    ['Hello, World! 42', ['hello', 'world', '42']],
    ["don't e\u0301tude_b", ['don', 't', 'etude', 'b']],
    ['北京 市\u00a0x', ['北京', '市', 'x']],
    ['Jürgen López ÅNGSTRÖM Ёж ﬁn ½', ['jurgen', 'lopez', 'angstrom', 'еж', 'fin', '1', '2']],
    ['Ver\u00adfassung zero\u200bwidth\ufeff', ['verfassung', 'zerowidth']],
    ['日本語テキスト 3月', ['日本', '本語', '語テ', 'テキ', 'キス', 'スト', '3', '月']],
    ['한국어 ﾃｷｽﾄ ガス が', ['한국', '국어', 'テキ', 'キス', 'スト', 'ガス', 'が']],
    ['ดีมาก ລາວ', ['ดี', 'ีม', 'มา', 'าก', 'ລາ', 'າວ']],
    ['हिन्दी שָׁלוֹם', ['हिन्दी', 'שלום']],
    ['<b>a</b> &amp;', ['b', 'a', 'b', 'amp']],
    ['... %_ 😀 \0', []],
    ['', []],
  ])('takes the words of the text %j', (text, expected) => {
    expect(toWords(text, { richText: false })).toEqual(expected);
  });

  it.each([
    ['<p>Hello <b>World</b></p>', ['hello', 'world']],
    ['a<br>b<br/>c', ['a', 'b', 'c']],
    ['<img alt="a > b">c', ['c']],
    ['<a title=\'x>y\' b = "d>e" f=g>z</a>', ['z']],
    ["<p don't>a</p> it's", ['a', 'it', 's']],
    ['<!-- a > b -->c<!---->d<!-->e<!--->f<!-- g --!>h', ['c', 'd', 'e', 'f', 'h']],
    ['<!DOCTYPE html><?php x ?>y', ['y']],
    ['a < b and 3<4 <>', ['a', 'b', 'and', '3', '4']],
    ['a <b href="c', ['a']],
    ['a <!-- b', ['a']],
    ['&Eacute;tude &#x41;&#98; &amp;lt;b &lt;i&gt;', ['etude', 'ab', 'lt', 'b', 'i']],
    ['<span>O</span>nce H<sub>2</sub>O <B\nid="a">b</B>c', ['once', 'h2o', 'bc']],
    ['<p>a</p>b<li>c</li>d<x-b>e</x-b>f<bx>g', ['a', 'b', 'c', 'd', 'e', 'f', 'g']],
    ['a<script type="x>y">b</b> "</script >c<STYLE>p{}</style>d', ['a', 'c', 'd']],
    ['a<script>b</scripts>', ['a']],
    ['<scripts>a</scripts>b&shy;c', ['a', 'bc']],
    ['x&nbsp;y &bogus; &#0; &#xd800;', ['x', 'y', 'bogus']],
  ])('takes the words of the rich text %j', (text, expected) => {
    expect(toWords(text, { richText: true })).toEqual(expected);
  });

  it.each([
    '<a ',
    '<!--',
    '<a b="',
    "<a b='",
    '<script>',
    '<script a="',
    '</script',
    '= ',
    '<a = ',
    '&amp',
    '&#',
    '<',
    '</',
    '"',
  ])('reads half a megabyte of %j without delay', (piece) => {
    const read = () => {
      toWords(piece.repeat(500_000 / piece.length), { richText: true });
      toWords(`<a ${piece.repeat(500_000 / piece.length)}`, { richText: true });
    };
    // Linear work takes less than the control, a quadratic step minutes.
    expect(timesControl(read)).toBeLessThan(50);
  });
});

describe('toSearchedTerms', () => {
  it.each([
    ['Jürgen LOP*', [['jurgen'], ['lop*']]],
    ['日本語 x*y', [['日本', '本語'], ['x*'], ['y']]],
    ['日 日* 日本*', [['日*'], ['日*'], ['日本']]],
    ['* 😀 -', []],
  ])('divides %j', (text, expected) => {
    expect(toSearchedTerms(text)).toEqual(expected);
  });

  it('compares the first characters of a prefix', () => {
    expect(toSearchedTerms(`${'𐐨'.repeat(70)}*`)).toEqual([[`${'𐐨'.repeat(64)}*`]]);
  });
});

describe('compareText', () => {
  const ordered = [
    '',
    '\0',
    '\n',
    'A',
    'AB',
    'Z',
    'a',
    'a\0',
    'aa',
    'b',
    'ß',
    '\ud7ff',
    '\ue000',
    '\uffff',
    '𐀀',
    '😀',
    '😀a',
    '\u{10ffff}',
  ];

  it('orders by code point, including those beyond U+FFFF', () => {
    expect(ordered.toReversed().sort(compareText)).toEqual(ordered);
    expect(ordered.toReversed().sort()).not.toEqual(ordered);
  });

  it('returns 0 for equal texts', () => {
    expect(ordered.map((text) => compareText(text, `${text}`))).toEqual(ordered.map(() => 0));
  });

  it('agrees with the order of UTF-8 bytes', () => {
    const bytes = (text: string) => Buffer.from(text);
    for (const a of ordered) {
      for (const b of ordered) {
        expect(Math.sign(compareText(a, b))).toBe(Buffer.compare(bytes(a), bytes(b)));
      }
    }
  });
});

it('countCharacters counts code points', () => {
  expect(['', 'ab', '😀é', '\ud800a'].map(countCharacters)).toEqual([0, 2, 2, 2]);
});
