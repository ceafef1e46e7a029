/** The rendered difference of two rich texts. */
import { expect, it } from 'vitest';
import { compareRichText } from '../../../../src/admin/parts/difference/compare-rich-text.ts';

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
