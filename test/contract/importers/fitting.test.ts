/** `colophon-import` on sources whose types or items the server would refuse: it adapts them until the server takes all, and says so. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAssetValidators } from '../../../src/model/values/validate-asset.ts';
import { loadTypes } from '../../../src/types/load-types.ts';
import { readTypeSources } from '../../../src/types/type-sources.ts';
import { convertSource } from '../../support/convert-source.ts';

/** Converts a source of these files, loads the types as the server does, and checks each asset. */
async function convert(format: string, files: Readonly<Record<string, unknown>>, source = '') {
  const converted = await convertSource(format, files, source);
  const validators = createAssetValidators(loadTypes(readTypeSources(join(converted.out, 'types'))));
  for (const asset of converted.content)
    expect(validators.get(asset._type)?.checkNew(asset).problems, JSON.stringify(asset)).toEqual([]);
  return converted;
}

const isKey = { schema: { is_primary_key: true } };

describe('types', () => {
  it('of Directus have no folders of collections, however they are written', async () => {
    const { types, report } = await convert('directus', {
      'snapshot.json': {
        collections: [
          { collection: 'posts', schema: { name: 'posts' } },
          { collection: 'blocks', meta: { note: 'A folder' } },
          { collection: 'pages', meta: {}, schema: null },
        ],
        fields: [{ collection: 'posts', field: 'id', type: 'integer', ...isKey }],
        relations: [],
      },
      'posts.json': { data: [{ id: 1 }] },
    });
    expect(types).not.toMatch(/Blocks|Pages/);
    expect(report).toContain('| folder of collections | 2 | blocks |');
  });

  it('of tables without fields have those of all content', async () => {
    const { types } = await convert('directus', {
      'snapshot.json': {
        collections: ['posts', 'marks'].map((collection) => ({ collection, schema: { name: collection } })),
        fields: [{ collection: 'posts', field: 'id', type: 'integer', ...isKey }],
        relations: [],
      },
      'posts.json': { data: [{ id: 1 }] },
      'marks.json': { data: [] },
    });
    expect(types).toContain('type Marks @contentType(class: "com.example.Marks")\n');
  });

  it('of blocks have no name for a field of two types', async () => {
    const component = (name: string, attributes: object) => ({
      uid: `shared.${name}`,
      modelType: 'component',
      attributes,
    });
    const media = (multiple: boolean) => ({ type: 'media', multiple });
    const schemas = [
      component('plain', { text: { type: 'string' }, picture: media(false), link: { type: 'string' } }),
      component('rich', { text: { type: 'richtext' }, picture: media(true) }),
      component('to', { link: { type: 'relation', relation: 'oneToOne', target: 'api::page.page' } }),
      {
        uid: 'api::page.page',
        attributes: {
          zone: {
            type: 'dynamiczone',
            components: ['shared.plain', 'shared.rich', 'shared.to', 'shared.gone'],
          },
          none: { type: 'dynamiczone', components: [] },
        },
      },
    ];
    const { types, content, report } = await convert('strapi', {
      'schemas/1.jsonl': schemas.map((one) => JSON.stringify(one)).join('\n'),
      'entities/1.jsonl': JSON.stringify({
        type: 'api::page.page',
        id: 1,
        data: {
          zone: [
            { id: 1, __component: 'shared.plain', text: 'One' },
            { id: 2, __component: 'shared.rich', text: '*Two*' },
          ],
        },
      }),
    });
    expect(types).toContain('  text_richText: RichText @json(name: "text-richText") @searchable\n');
    expect(types).toContain('  picture_mediaList: [Media!] @json(name: "picture-mediaList") @indexed\n');
    expect(types).toContain('  link_page: Page @json(name: "link-page") @indexed\n');
    expect(types).toContain('  none: JSON\n');
    expect(content[0].zone).toEqual([
      { _type: 'SharedPlain', text: 'One' },
      { _type: 'SharedRich', 'text-richText': '<p><em>Two</em></p>\n' },
    ]);
    expect(report).toContain('field of blocks with another name');
  });

  it('of Contentful keep what they require where there are no entries', async () => {
    const { types } = await convert(
      'contentful',
      {
        'export.json': {
          contentTypes: [
            { sys: { id: 'page' }, name: 'Page', fields: [{ id: 'title', type: 'Symbol', required: true }] },
          ],
        },
      },
      'export.json',
    );
    expect(types).toContain('  title: String!\n');
  });

  it('whose names would be those of others in GraphQL have others', async () => {
    const { types } = await convert('sanity', {
      'data.ndjson': ['post', 'postList', 'postBy', 'postFilter']
        .map((_type) => JSON.stringify({ _id: _type, _type, title: _type }))
        .join('\n'),
    });
    expect(types.match(/@contentType/g)).toHaveLength(4);
  });
});

describe('rules that items break', () => {
  it('are left out of the types, with the names of these items in the report', async () => {
    const entry = (id: string, title: string, tags: string[]) => ({
      sys: { id, contentType: { sys: { id: 'page' } }, publishedVersion: 1 },
      fields: { title: { en: title }, tags: { en: tags } },
    });
    const { types, content, report } = await convert(
      'contentful',
      {
        'export.json': {
          locales: [{ code: 'en', default: true }],
          contentTypes: [
            {
              sys: { id: 'page' },
              name: 'Page',
              fields: [
                {
                  id: 'title',
                  type: 'Symbol',
                  required: true,
                  validations: [{ unique: true }, { regexp: { pattern: '^[a-z]+$' } }, { size: { max: 9 } }],
                },
                {
                  id: 'tags',
                  type: 'Array',
                  items: { type: 'Symbol', validations: [] },
                  validations: [{ size: { min: 1, max: 2 } }],
                },
              ],
            },
          ],
          entries: [entry('1', 'a', ['x']), entry('2', 'a', ['x', 'y', 'z']), entry('3', 'B', ['x'])],
        },
      },
      'export.json',
    );
    expect(types).toContain(
      '  title: String! @indexed @constraint(maxLength: 9)\n  tags: [String!] @constraint(minItems: 1)\n',
    );
    const [, second, third] = content.map(({ _id }) => _id);
    for (const [rule, id] of [
      ['title unique', second],
      ['title pattern', third],
      ['tags maxItems', second],
    ])
      expect(report).toContain(
        `| rule that items break, left out of the types: Page.${rule} | 1 | com.example.Page ${id} |`,
      );
  });
});

describe('odd values', () => {
  const items = (count: number, odd: (index: number) => object | undefined) =>
    Array.from({ length: count }, (_, index) =>
      JSON.stringify({
        _id: `p${index}`,
        _type: 'post',
        title: `T${index}`,
        content: { text: 'x' },
        ...odd(index),
      }),
    ).join('\n');

  it('are left out of their items, and are in rejected.jsonl with their path', async () => {
    const { types, content, rejected, report } = await convert('sanity', {
      'data.ndjson': items(500, (index) => (index % 250 === 7 ? { content: [] } : undefined)),
    });
    expect(types).toContain('  content: PostContentItem\n');
    expect(content).toHaveLength(500);
    expect(content.filter((asset) => 'content' in asset)).toHaveLength(498);
    expect(rejected).toEqual(
      [7, 257].map((index) => ({
        _id: content[index]._id,
        _type: 'com.example.Post',
        path: 'content',
        reason: 'must be an object',
        value: [],
      })),
    );
    expect(report).toContain('| value that is in rejected.jsonl | 2 |');
  });

  it('are JSON where there are more', async () => {
    const { types, content, rejected } = await convert('sanity', {
      'data.ndjson': items(500, (index) => (index < 11 ? { content: [] } : undefined)),
    });
    expect(types).toContain('  content: JSON\n');
    expect(content[0].content).toEqual([]);
    expect(rejected).toEqual([]);
  });

  it('such as a reference without a target make no JSON of a field', async () => {
    const reference = { _type: 'reference', _ref: 'p0' };
    const { types, content } = await convert('sanity', {
      'data.ndjson': items(5, (index) => ({
        next: index === 3 ? { _type: 'reference' } : reference,
        list: [reference, ...(index === 2 ? [null] : []), reference],
      })),
    });
    expect(types).toContain('  next: Post @indexed\n');
    expect(types).toContain('  list: [Post!] @indexed\n');
    expect(content[3]).not.toHaveProperty('next');
    expect(content[2].list).toHaveLength(2);
  });

  it('that are nested deeper than the server takes reject the item; less deep ones are JSON from some level on', async () => {
    const nested = (levels: number): object => (levels === 0 ? { end: 1 } : { in: nested(levels - 1) });
    const { content, rejected, types } = await convert('sanity', {
      'data.ndjson': [10, 40, 100]
        .map((levels) => JSON.stringify({ _id: `${levels}`, _type: 'post', deep: nested(levels) }))
        .join('\n'),
    });
    expect(content.map(({ deep }) => deep)).toEqual([nested(10), nested(40)]);
    expect(rejected).toMatchObject([{ path: '', asset: { deep: {} } }]);
    expect(types).toContain(': JSON\n');
  });

  it('of what must be there reject the item', async () => {
    const { content, rejected } = await convert(
      'contentful',
      {
        'export.json': {
          locales: [{ code: 'en', default: true }],
          contentTypes: [
            {
              sys: { id: 'page' },
              name: 'Page',
              fields: [
                { id: 'title', type: 'Symbol', required: true },
                { id: 'next', type: 'Link', linkType: 'Entry' },
              ],
            },
          ],
          entries: [1, 2, 3].map((id) => ({
            sys: { id: `${id}`, contentType: { sys: { id: 'page' } }, publishedVersion: 1 },
            fields: {
              title: { en: id === 2 ? { odd: true } : 'T' },
              next: { en: { sys: { type: 'Link', linkType: 'Entry', id: '2' } } },
            },
          })),
        },
      },
      'export.json',
    );
    expect(content).toHaveLength(2);
    // What refers to it is left without the reference.
    expect(content.filter((asset) => 'next' in asset)).toEqual([]);
    expect(rejected).toMatchObject([
      { path: 'title', asset: { title: { odd: true } } },
      { path: 'next', reason: 'refers to an asset that there is not' },
      { path: 'next' },
    ]);
  });
});
