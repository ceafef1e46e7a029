import { expect, it } from 'vitest';
import { compareText } from '../../../../src/admin/parts/difference/compare-text.ts';

const plain = (before: string, after: string) =>
  compareText(before, after).map(({ kind, text }) => [kind, text]);

it('compares word by word', () => {
  expect(plain('The harbour is open', 'The harbour was open')).toEqual([
    ['same', 'The harbour '],
    ['removed', 'is'],
    ['added', 'was'],
    ['same', ' open'],
  ]);
});

it('counts blanks and line breaks as changes', () => {
  expect(plain('one two', 'one\ntwo').map(([kind]) => kind)).toEqual(['same', 'removed', 'added', 'same']);
});

it('leaves out long equal text, but never cuts a word', () => {
  const long = 'word '.repeat(100);
  const parts = compareText(`${long}old${long}end`, `${long}new${long}end`);
  expect(parts.map(({ kind }) => kind)).toEqual(['gap', 'same', 'removed', 'added', 'same', 'gap']);
  expect(parts[1]?.text).toMatch(/^ (word )+$/);
  expect(parts.map(({ kind, text }) => (kind === 'added' ? '' : text)).join('')).toBe(`${long}old${long}end`);
});

it('shows long texts with nothing in common as replaced', () => {
  const before = Array.from({ length: 3000 }, (_, index) => `a${index}`).join(' ');
  const after = Array.from({ length: 3000 }, (_, index) => `b${index}`).join('\n');
  expect(plain(before, after)).toEqual([
    ['removed', before],
    ['added', after],
  ]);
});

it('shows sentences that share a few words only as replaced', () => {
  const [before, after] = ['Ships come and go after the storm.', 'My summary of all the damage.'];
  expect(plain(before, after)).toEqual([
    ['removed', before],
    ['added', after],
  ]);
});
