/** Replacing words in the texts of assets. */
import { expect, it } from 'vitest';
import { replaceTexts, textPaths } from '../../../src/admin/pages/content/list/bulk/replace-text.ts';

const scalar = (name: string, type: string, list = false) => ({
  name,
  type: { kind: 'scalar', name: type },
  list,
});
// The parts of a type that the function reads.
const type = {
  fields: [
    scalar('title', 'String'),
    scalar('tags', 'String', true),
    scalar('body', 'RichText'),
    scalar('minutes', 'Int'),
    { name: 'parts', type: { kind: 'embedded', name: 'Part' }, list: true },
  ],
  embeddedTypes: [{ name: 'Part', fields: [scalar('note', 'String')] }],
} as unknown as Parameters<typeof textPaths>[0];
const paths = textPaths(type);
const replace = (asset: object, find: string, by: string, options: object = {}) =>
  replaceTexts({ _id: '1', _type: 'T', ...asset }, paths, {
    find,
    by,
    isCaseKept: true,
    isWholeWord: false,
    ...options,
  });

it('replaces in texts, lists, and embedded values, and counts the places', () => {
  const asset = { title: 'a cat', tags: ['cat', 'dog'], parts: [{ note: 'cat cat', other: 1 }], minutes: 1 };
  expect(replace(asset, 'cat', '$&')).toEqual({
    fields: { title: 'a $&', tags: ['$&', 'dog'], parts: [{ note: '$& $&', other: 1 }] },
    places: 4,
  });
  expect(replace(asset, 'bird', 'x')).toBeUndefined();
  expect(replace(asset, '', 'x')).toBeUndefined();
});

it.each([
  ['<p class="b">b<!-- b > "b --></p>', 'b', 'c', '<p class="b">c<!-- b > "b --></p>'],
  ['<a title="1 > b">b</a>', 'b', 'c', '<a title="1 > b">c</a>'],
  ['R&amp;D &ampere;', 'R&D', 'A<B', 'A&lt;B &ampere;'],
])('replaces in the rich text %s only what people read', (body, find, by, after) => {
  expect(replace({ body }, find, by)?.fields.body).toBe(after);
});

it('leaves character references as they are', () => {
  expect(replace({ body: 'R&amp;D' }, 'amp', 'x')).toBeUndefined();
});

it('reads the words as they stand, in any letter case and as whole words if wanted', () => {
  expect(replace({ title: 'a.b axb' }, 'a.b', 'c')?.fields.title).toBe('c axb');
  expect(replace({ title: 'Ärger ärger' }, 'ärger', 'x', { isCaseKept: false })?.fields.title).toBe('x x');
  expect(replace({ title: 'art part éart art' }, 'art', 'x', { isWholeWord: true })?.fields.title).toBe(
    'x part éart x',
  );
});
