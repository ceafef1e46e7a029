/** What names of files say about media types. */
import { expect, it } from 'vitest';
import { endingOf, isShown, mediaTypeOf } from '../../../src/text/media-types.ts';

const unknown = 'application/octet-stream';

it.each([
  ['image/png', 'notes.txt', 'image/png'],
  [unknown, 'Notes.TXT', 'text/plain'],
  [unknown, 'a.csv', 'text/csv'],
  [unknown, 'notes', unknown],
  [unknown, 'page.html', unknown],
  [unknown, 'a.svg', unknown],
  [unknown, 'a.constructor', unknown],
])('makes of %s under the name %s the type %s', (detected, name, type) => {
  expect(mediaTypeOf(detected, name)).toBe(type);
});

it('finds the ending of a name in lower case', () => {
  expect(['a.PNG', 'a.tar.gz', 'a', '.profile'].map(endingOf)).toEqual(['png', 'gz', '', '']);
});

it('lets a browser show pictures, sounds, films and PDF, but no SVG', () => {
  const shown = ['image/png', 'image/avif', 'audio/mpeg', 'video/mp4', 'application/pdf'];
  const saved = ['image/svg+xml', 'text/html', 'application/xml', 'text/plain', unknown];
  expect([...shown, ...saved].filter(isShown)).toEqual(shown);
});
