/** Where the fields of a form stand. */

import { expect, it } from 'vitest';
import { arrangeFields, isShort } from '../../../src/admin/pages/content/draft/arrange-fields.ts';

type Field = Parameters<typeof isShort>[0];

const field = (name: string, type: string | Field['type'] = 'String', more: Partial<Field> = {}): Field => ({
  name,
  graphqlName: name,
  type: typeof type === 'string' ? { kind: 'scalar', name: type } : type,
  list: false,
  required: false,
  constraint: {},
  ...more,
});
const author = { kind: 'reference', name: 'Author' } as const;

it('puts the title first, what an asset is beside the rest, and grouped fields into sections', () => {
  const fields = [
    field('slug'),
    field('body', 'RichText'),
    field('title'),
    field('author', author),
    field('readers', author, { list: true }),
    field('opens', 'Date'),
    field('closes', 'Date', { group: 'Planning' }),
    field('seo.title'),
    field('seo.noIndex', 'Boolean'),
    field('cms.site.owner', author),
  ];
  const { main, side, system } = arrangeFields({ fields, titleField: 'title' });
  const names = (some: readonly Field[]) => some.map(({ name }) => name);
  expect(main.map(({ name, fields: inside }) => [name, names(inside)])).toEqual([
    [undefined, ['title', 'body', 'readers']],
    ['Planning', ['closes']],
    ['Seo', ['seo.title', 'seo.noIndex']],
  ]);
  expect(names(side)).toEqual(['slug', 'author', 'opens']);
  expect(names(system)).toEqual(['cms.site.owner']);
});

it('gives half a row to short values only', () => {
  const short = [
    field('count', 'Int'),
    field('day', 'Date'),
    field('code', 'String', { constraint: { maxLength: 60 } }),
  ];
  const long = [
    field('text'),
    field('code', 'String', { constraint: { maxLength: 61 } }),
    field('counts', 'Int', { list: true }),
    field('body', 'RichText', { constraint: { maxLength: 9 } }),
  ];
  expect(short.filter((each) => !isShort(each))).toEqual([]);
  expect(long.filter(isShort)).toEqual([]);
});
