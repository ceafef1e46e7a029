import { describe, expect, it } from 'vitest';
import { suggest, withoutSuggestion } from '../../../src/text/suggest.ts';

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
