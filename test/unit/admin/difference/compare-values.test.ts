/** What the difference of two values shows: of lists, of rich text, and of plain text. */
import { describe, expect, it } from 'vitest';
import { compareRichText } from '../../../../src/admin/parts/difference/compare-rich-text.ts';
import { compareText } from '../../../../src/admin/parts/difference/compare-text.ts';
import { compareLists } from '../../../../src/admin/parts/difference/compare-values.ts';

describe('lists', () => {
  it('finds added and removed items', () => {
    expect(compareLists(['a', 'b', 'c'], ['b', 'c', 'd'])).toEqual([
      { kind: 'removed', position: 1, before: 'a' },
      { kind: 'same', count: 2 },
      { kind: 'added', position: 3, after: 'd' },
    ]);
  });

  it('pairs an item with the one that replaces it, and lists what is left over', () => {
    expect(compareLists(['a', 'b', 'c', 'z'], ['x', 'z'])).toEqual([
      { kind: 'changed', position: 1, before: 'a', after: 'x' },
      { kind: 'removed', position: 2, before: 'b' },
      { kind: 'removed', position: 3, before: 'c' },
      { kind: 'same', count: 1 },
    ]);
    expect(compareLists(['z', 'a'], ['z', 'x', 'y'])).toEqual([
      { kind: 'same', count: 1 },
      { kind: 'changed', position: 2, before: 'a', after: 'x' },
      { kind: 'added', position: 3, after: 'y' },
    ]);
  });

  it('compares objects by their members, in any order', () => {
    expect(compareLists([{ a: 1, b: 2 }], [{ b: 2, a: 1 }])).toEqual([{ kind: 'same', count: 1 }]);
  });

  it('lists every item of long lists with nothing in common', () => {
    const before = Array.from({ length: 600 }, (_, index) => `a${index}`);
    const changes = compareLists(before, ['x']);
    expect(changes).toHaveLength(600);
    expect(changes[0]).toEqual({ kind: 'changed', position: 1, before: 'a0', after: 'x' });
  });
});

describe('rich text', () => {
  it('marks words within the structure of the later text', () => {
    expect(compareRichText('<p>The sea rises.</p>', '<p>The sea <em>falls</em>.</p>')).toMatch(
      /^<p>The sea <(?:del>rises\.<\/del><em><ins>falls<\/ins><\/em><ins>\.<\/ins>|.*)<\/p>$/,
    );
    expect(compareRichText('<p>One two</p>', '<p>One three two</p>')).toBe('<p>One <ins>three </ins>two</p>');
  });

  it('keeps the tags of what was added, and leaves out those of what was removed', () => {
    expect(compareRichText('<p>One</p>', '<p>One</p><p>Two</p>')).toBe('<p>One</p><p><ins>Two</ins></p>');
    expect(compareRichText('<p>One</p><p>Two</p><p>Three</p>', '<p>One</p><p>Three</p>')).toMatch(
      /^<p>One<\/p><p>(?:<del> ?Two ?<\/del>)Three<\/p>$/,
    );
    expect(compareRichText('<p>A<img src="a.png" alt="x > y"></p>', '<p>A</p>')).toBe(
      '<p>A<del><img src="a.png" alt="x > y"></del></p>',
    );
  });

  it('is none where only the markup differs, or too much', () => {
    expect(compareRichText('<p>One</p>', '<p><b>One</b></p>')).toBeUndefined();
    const many = (word: string) => Array.from({ length: 2_000 }, (_, n) => `${word}${n}`).join(' ');
    expect(compareRichText(many('a'), many('b'))).toBeUndefined();
  });
});

describe('plain text', () => {
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
    expect(parts.map(({ kind, text }) => (kind === 'added' ? '' : text)).join('')).toBe(
      `${long}old${long}end`,
    );
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
});
