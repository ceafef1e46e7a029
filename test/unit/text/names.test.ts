/** Names: free ones, those in paths, and the suggestion for a wrong one. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createNamer } from '../../../src/text/free-name.ts';
import { toPathName } from '../../../src/text/path-name.ts';
import { suggest, withoutSuggestion } from '../../../src/text/suggest.ts';

describe('a free name', () => {
  it('numbers repeated names, ignoring letter case', () => {
    const name = createNamer();
    expect(['byId', 'ById', 'byid2', 'byId'].map(name)).toEqual(['byId', 'ById2', 'byid22', 'byId3']);
  });

  it('avoids names that are already taken', () => {
    const name = createNamer({ taken: ['Text'] });
    expect([name('Text'), name('Article')]).toEqual(['Text2', 'Article']);
  });

  it('treats names with the same key as equal', () => {
    const name = createNamer({ toKey: (text) => text.replaceAll('_', '') });
    expect([name('my_type'), name('mytype'), name('MyType')]).toEqual(['my_type', 'mytype2', 'MyType']);
  });
});

describe('a name in a path', () => {
  it('is in lower case, hyphenated and without accents', () => {
    expect(toPathName('  Café News! ')).toBe('cafe-news');
  });

  it('contains no characters that a path must encode', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => /^(?!-)[a-z0-9_-]*(?<!-)$/.test(toPathName(name))),
    );
  });
});

const known = ['title', 'subtitle', 'com.example.Event', 'cms.site.owner', 'tags', 'constructor'];

describe('suggest', () => {
  it.each([
    ['titel', '. Did you mean "title"?'],
    ['TITLE', '. Did you mean "title"?'],
    ['subtite', '. Did you mean "subtitle"?'],
    ['Event', '. Did you mean "com.example.Event"?'],
    ['com.exmple.Evnt', '. Did you mean "com.example.Event"?'],
    ['ownr', '. Did you mean "cms.site.owner"?'],
    ['cms_site_owner', '. Did you mean "cms.site.owner"?'],
    ['tag', '. Did you mean "tags"?'],
    ['constuctor', '. Did you mean "constructor"?'],
    ['sub', '. Did you mean "subtitle"?'],
    ['x', ''],
    ['', ''],
    ['headline', ''],
    ['toString', ''],
    ['t'.repeat(65), ''],
    ['title'.repeat(13_000), ''],
  ])('names what may have been meant by %s', (said, hint) => {
    expect(suggest([said], known)).toBe(hint);
  });

  it('names the nearest of several, and no more than asked for', () => {
    expect(suggest(['cat'], ['bat', 'cart', 'cat s', 'cat'], 2)).toBe('. Did you mean "cat" or "bat"?');
  });
});

describe('withoutSuggestion', () => {
  it('removes the end of a message that suggests something', () => {
    const message = 'x has no field "titel"';
    expect(withoutSuggestion(message + suggest(['titel'], known))).toBe(message);
    expect(withoutSuggestion(message)).toBe(message);
  });
});
