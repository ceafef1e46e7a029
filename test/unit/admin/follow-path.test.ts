/** Where the place of a problem is after the draft has changed. */
import { expect, it } from 'vitest';
import { followPath } from '../../../src/admin/pages/content/draft/follow-path.ts';

const list = (...items: [key: number, value: string][]) =>
  items.map(([key, text]) => ({ key, value: { text, place: { city: 'Rome' } } }));
const before = {
  title: 'One',
  'cms.content.publishDate': 5,
  tags: [
    { key: 0, value: 'a' },
    { key: 1, value: 'b' },
  ],
  parts: list([0, 'one'], [1, 'two']),
  author: { _ref: '1', _type: 'Author' },
  missing: undefined,
};

it.each([
  ['title', { summary: 'changed' }, 'title'],
  ['title', { title: 'Two' }, undefined],
  ['cms.content.publishDate', { title: 'Two' }, 'cms.content.publishDate'],
  ['missing', {}, 'missing'],
  ['missing', { missing: 'there' }, undefined],
  ['author', { author: { _ref: '2', _type: 'Author' } }, undefined],
  ['tags', { tags: before.tags.slice(0, 1) }, undefined],
  ['tags[1]', { tags: before.tags.slice(1) }, 'tags[0]'],
  ['tags[0]', { tags: before.tags.slice(1) }, undefined],
  ['parts[0].text', { parts: list([1, 'two'], [0, 'one']) }, 'parts[1].text'],
  ['parts[0].text', { parts: list([0, 'other'], [1, 'two']) }, undefined],
  ['parts[1].text', { parts: list([0, 'other'], [1, 'two']) }, 'parts[1].text'],
  ['parts[1].place.city', { parts: list([2, 'new'], [0, 'one'], [1, 'two']) }, 'parts[2].place.city'],
  ['parts[1].place', { parts: undefined }, undefined],
  ['parts[0]', { parts: list([0, 'other'], [1, 'two']) }, undefined],
  ['parts[9].text', { parts: list([0, 'other'], [1, 'two']) }, undefined],
  ['unknown', { title: 'Two' }, 'unknown'],
])('the place %s, after %j', (path, changes, expected) => {
  expect(followPath(path, before, { ...before, ...changes })).toBe(expected);
});
