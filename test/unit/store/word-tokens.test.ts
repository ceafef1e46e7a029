/** The tokens of words: made of letters and digits alone, and bound to the number of their rules. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toWords } from '../../../src/query/text.ts';
import { toToken, wordRules } from '../../../src/store/word-tokens.ts';

const letters = fc.string({
  unit: fc.constantFrom('a', 'Z', '7', '\u65e5', '\u0e20', '\u{1f600}', ' ', '-'),
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
        expect(token.length).toBeLessThanOrEqual(65);
        // No word is kept as the token of another one.
        if (token.length === 65) expect(toToken(token)).not.toBe(token);
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
  ];
  const tokens = samples.flatMap((text) =>
    [true, false].map((richText) => toWords(text, { richText }).map(toToken)),
  );
  const digest = createHash('sha256').update(JSON.stringify(tokens)).digest('hex').slice(0, 16);
  expect([wordRules, digest]).toEqual([2, 'd2f763ccd36d7e41']);
});
