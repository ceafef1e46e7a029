/** The tokens of words: made of letters and digits alone, and bound to the number of their rules. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toWords } from '../../../src/query/text.ts';
import { toToken, wordRules } from '../../../src/store/word-tokens.ts';

const letters = fc.string({
  unit: fc.constantFrom(
    'a',
    'Z',
    '7',
    '\u65e5',
    '\u0e20',
    '\u0e35',
    '\u1112',
    '\u1161',
    '\u3099',
    '\u00fc',
    '\u{1f600}',
    ' ',
    '-',
  ),
});
const texts = fc.oneof(
  letters,
  letters.map((text) => text.repeat(70)),
  fc.string({ unit: 'binary' }),
);

test('a token has only letters, marks and digits, and is its own only word', () => {
  fc.assert(
    fc.property(texts, (text) => {
      for (const word of toWords(text, { richText: false })) {
        const token = toToken(word);
        expect(toWords(token, { richText: false })).toEqual([token]);
        const { length } = Array.from(token);
        expect(length <= 64 || length === 128).toBe(true);
        // No word is kept as the token of another one.
        if (length === 128) expect(toToken(token)).not.toBe(token);
      }
    }),
  );
});

test('a change of the rules needs a new number', () => {
  const samples = [
    'Ab\u0130 \u03a3\u03c3-x_y',
    `${'\u65e5\u672c'.repeat(40)}. 12\u0661`,
    'e\u0301 <b>&eacute;</b>a',
    'l'.repeat(65),
    'J\u00fcrgen \u00bd \u00adshy <script>x</script>H<sub>2</sub>O \u0e14\u0e35 \uff76\uff9e \u1112\u1161 \u05e9\u05b8',
  ];
  const tokens = samples.flatMap((text) =>
    [true, false].map((richText) => toWords(text, { richText }).map(toToken)),
  );
  const digest = createHash('sha256').update(JSON.stringify(tokens)).digest('hex').slice(0, 16);
  expect([wordRules, digest]).toEqual([3, '9eb3d2ee05a3a638']);
});
