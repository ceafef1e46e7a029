import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addJsonSize, jsonBytes, jsonTexts, printInTurns } from '../../../src/base/json-bytes.ts';

const long = 'ü"'.repeat(40_000);
const values: [name: string, value: unknown][] = [
  ['a short value', { a: [1, null, 'x'], b: undefined, c: {} }],
  ['a long text', long],
  ['a long list of short items', Array.from({ length: 5_000 }, (_, n) => ({ n, even: n % 2 === 0 }))],
  [
    'lists and objects around long texts',
    { a: [[long], [], {}], b: { c: long, d: undefined, e: long }, f: null },
  ],
  ['a list with something that JSON lacks', [undefined, long]],
];

describe('jsonTexts', () => {
  it.each(values)('prints %s as JSON.stringify does', async (_name, value) => {
    expect((await printInTurns(value)) === JSON.stringify(value)).toBe(true);
  });

  it('prints in pieces, and leaves the event loop free between them', async () => {
    const list = Array.from({ length: 60 }, () => long);
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    let pieces = 0;
    for await (const piece of jsonTexts(list)) {
      pieces++;
      expect(piece.length).toBeLessThan(2 * JSON.stringify(long).length);
    }
    clearInterval(timer);
    expect(pieces).toBeGreaterThan(15);
    expect(turns).toBeGreaterThan(0);
  });
});

describe('addJsonSize', () => {
  it('counts no more and no fewer bytes than a value has', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 50 });
    const json = fc.jsonValue({ stringUnit: 'binary' });
    fc.assert(
      fc.property(fc.oneof(json, texts, fc.array(texts, { maxLength: 5 })), (value) => {
        const size = { least: 0, most: 0 };
        addJsonSize(size, value);
        expect(size.least).toBeLessThanOrEqual(jsonBytes(value));
        expect(size.most).toBeGreaterThanOrEqual(jsonBytes(value));
      }),
    );
  });
});
