import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toPathName } from '../../../src/text/path-name.ts';

it('is in lower case, hyphenated and without accents', () => {
  expect(toPathName('  Café News! ')).toBe('cafe-news');
});

it('contains no characters that a path must encode', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => /^(?!-)[a-z0-9_-]*(?<!-)$/.test(toPathName(name))),
  );
});
