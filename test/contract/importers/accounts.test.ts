/** `colophon-import` accounts for every value of a source: each is in the result, or the report has its path. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { convertSource as convert } from '../../support/convert-source.ts';

/** Marks, each of which a source has in one place, with the end of their path there. */
function createMarks() {
  const marks = new Map<string, string>();
  return {
    marks,
    mark: (path: string): string => {
      const text = `mark${String(marks.size + 1).padStart(4, '0')}`;
      marks.set(text, path);
      return text;
    },
  };
}
type Mark = (path: string) => string;

const text = (type: string, value: string, data = {}) => ({ nodeType: 'text', value, marks: [], data, type });
const link = (linkType: string, id: string) => ({ sys: { type: 'Link', linkType, id } });

const key = { schema: { is_primary_key: true } };
const relation = (collection: string, field: string, related: string | null, meta: object) => ({
  collection,
  field,
  related_collection: related,
  meta,
});

/** Sources in which each value is a mark. */
const formats: readonly (readonly [string, (mark: Mark) => Record<string, unknown>, string?])[] = [
  [
    'sanity',
    (mark) => ({
      'data.ndjson': [
        { _id: 'a', _type: 'page', title: mark('title') },
        {
          _id: 'b',
          _type: 'post',
          _rev: mark('_rev'),
          slug: { _type: 'slug', current: mark('current'), source: mark('slug.source') },
          photo: { _type: 'image', asset: { _ref: 'image-gone' }, alt: mark('alt') },
          missing: { _type: 'reference', _ref: mark('missing') },
          body: [
            {
              _type: 'block',
              _key: 'k',
              style: mark('style'),
              markDefs: [
                { _key: 'm1', _type: 'internalLink', reference: { _ref: 'a' }, note: mark('note') },
                { _key: 'm2', _type: 'link', href: `https://x.example/${mark('href')}`, rel: mark('rel') },
                { _key: 'm3', _type: 'footnote', text: mark('footnote') },
              ],
              children: ['m1', 'm2', 'm3', 'odd'].map((one) => ({
                _type: 'span',
                marks: [one],
                text: `It's ${mark('text')}`,
              })),
            },
            { _type: 'callout', tone: mark('tone') },
          ],
        },
        { _id: 'c', _type: 'system.group', grants: mark('system.group') },
      ]
        .map((one) => JSON.stringify(one))
        .join('\n'),
    }),
  ],
  [
    'directus',
    (mark) => ({
      'snapshot.json': {
        collections: [
          'articles',
          'tags',
          'articles_tags',
          'articles_translations',
          'languages',
          'settings',
        ].map((collection) => ({ collection, schema: { name: collection } })),
        fields: [
          { collection: 'articles', field: 'id', type: 'integer', ...key },
          { collection: 'articles', field: 'title', type: 'string' },
          { collection: 'articles', field: 'tags', type: 'alias', meta: { special: ['m2m'] } },
          {
            collection: 'articles',
            field: 'translations',
            type: 'alias',
            meta: { special: ['translations'] },
          },
          { collection: 'tags', field: 'id', type: 'integer', ...key },
          { collection: 'tags', field: 'name', type: 'string' },
          { collection: 'languages', field: 'code', type: 'string', ...key },
          { collection: 'settings', field: 'id', type: 'integer', ...key },
          { collection: 'settings', field: 'motto', type: 'string' },
          { collection: 'articles_tags', field: 'id', type: 'integer', ...key },
          { collection: 'articles_tags', field: 'articles_id', type: 'integer' },
          { collection: 'articles_tags', field: 'tags_id', type: 'integer' },
          { collection: 'articles_tags', field: 'reason', type: 'string' },
          { collection: 'articles_translations', field: 'id', type: 'integer', ...key },
          { collection: 'articles_translations', field: 'articles_id', type: 'integer' },
          { collection: 'articles_translations', field: 'languages_code', type: 'string' },
          { collection: 'articles_translations', field: 'text', type: 'string' },
        ],
        relations: [
          relation('articles_tags', 'articles_id', 'articles', {
            one_field: 'tags',
            junction_field: 'tags_id',
          }),
          relation('articles_tags', 'tags_id', 'tags', { junction_field: 'articles_id' }),
          relation('articles_translations', 'articles_id', 'articles', {
            one_field: 'translations',
            junction_field: 'languages_code',
          }),
          relation('articles_translations', 'languages_code', 'languages', { junction_field: 'articles_id' }),
        ],
      },
      'articles.json': {
        data: [
          { id: 1, title: mark('title'), extra: mark('extra') },
          {
            id: 2,
            title: mark('title'),
            tags: [{ tags_id: { name: mark('articles.tags[].tags_id.name') } }],
          },
        ],
      },
      'tags.json': { data: [{ id: 5, name: mark('name') }] },
      'languages.json': { data: [{ code: 'de-DE' }, { code: 'en-US' }] },
      'settings.json': { data: { id: 1, motto: mark('motto') } },
      'articles_tags.json': {
        data: [
          { id: 1, articles_id: 1, tags_id: 5, reason: mark('reason') },
          { id: 2, articles_id: 99, tags_id: 5, reason: mark('articles_tags') },
        ],
      },
      'articles_translations.json': {
        data: ['de-DE', 'en-US'].map((languages_code, id) => ({
          id,
          articles_id: 1,
          languages_code,
          text: mark('text'),
        })),
      },
      'others.json': { data: [{ id: 1, x: mark('others') }] },
    }),
  ],
  [
    'contentful',
    (mark) => ({
      'export.json': {
        locales: [{ code: 'en', default: true }],
        contentTypes: [
          {
            sys: { id: 'page' },
            name: 'Page',
            fields: [
              { id: 'title', type: 'Symbol' },
              { id: 'body', type: 'RichText' },
              { id: 'far', type: 'ResourceLink' },
              { id: 'fars', type: 'Array', items: { type: 'ResourceLink' } },
            ],
          },
        ],
        entries: [
          {
            sys: { id: 'p', contentType: { sys: { id: 'page' } }, publishedVersion: 1, urn: mark('sys.urn') },
            fields: {
              title: { en: mark('title'), de: mark('title.de') },
              gone: { en: mark('gone') },
              far: { en: { sys: { type: 'ResourceLink', urn: mark('urn') } } },
              fars: { en: [{ sys: { type: 'ResourceLink', urn: mark('urn') } }] },
              body: {
                en: {
                  nodeType: 'document',
                  data: {},
                  content: [
                    {
                      nodeType: 'table',
                      data: {},
                      content: [
                        {
                          nodeType: 'table-row',
                          data: {},
                          content: [
                            {
                              nodeType: 'table-cell',
                              data: { colspan: 7531, rowspan: 1 },
                              content: [text('text', mark('cell'))],
                            },
                          ],
                        },
                      ],
                    },
                    {
                      nodeType: 'embedded-resource-block',
                      data: { target: { sys: { type: 'ResourceLink', urn: mark('urn') } } },
                      content: [],
                    },
                    { nodeType: 'tomorrow', data: { x: mark('x') }, content: [text('text', mark('value'))] },
                    {
                      nodeType: 'paragraph',
                      data: {},
                      content: [
                        {
                          nodeType: 'hyperlink',
                          data: { uri: `https://x.example/${mark('uri')}`, rel: mark('data.rel') },
                          content: [text('text', mark('value'))],
                        },
                        { nodeType: 'entry-hyperlink', data: { target: link('Entry', 'p') }, content: [] },
                      ],
                    },
                  ],
                },
              },
            },
          },
        ],
      },
    }),
    'export.json',
  ],
  [
    'strapi',
    (mark) => ({
      'schemas/1.jsonl': [
        { uid: 'shared.seo', modelType: 'component', attributes: { title: { type: 'string' } } },
        {
          uid: 'api::page.page',
          attributes: {
            title: { type: 'string' },
            text: { type: 'richtext' },
            seo: { type: 'component', component: 'shared.seo' },
            zone: { type: 'dynamiczone', components: ['shared.seo'] },
          },
        },
      ]
        .map((one) => JSON.stringify(one))
        .join('\n'),
      'entities/1.jsonl': [
        {
          type: 'api::page.page',
          id: 1,
          data: {
            title: mark('title'),
            text: `*${mark('text')}*`,
            seo: { id: 3, title: mark('seo.title'), lost: mark('seo.lost') },
            zone: [{ __component: 'shared.seo', title: mark('zone[].title'), lost: mark('zone[].lost') }],
            lost: mark('page.lost'),
            createdBy: mark('createdBy'),
          },
        },
        { type: 'api::odd.odd', id: 6, data: { x: mark('api::odd.odd') } },
        { type: 'admin::user', id: 4, data: { email: mark('admin::user') } },
        {
          type: 'plugin::upload.file',
          id: 5,
          data: { name: mark('name'), url: `/${mark('url')}`, mime: mark('mime') },
        },
      ]
        .map((one) => JSON.stringify(one))
        .join('\n'),
    }),
  ],
  [
    'strapi',
    (mark) => ({
      'page.json': {
        data: [
          {
            id: 1,
            documentId: 'd1',
            title: mark('title'),
            seo: { id: 3, title: mark('seo.title') },
            cover: {
              id: 9,
              hash: mark('hash'),
              ext: '.png',
              mime: mark('mime'),
              url: mark('url'),
              name: mark('name'),
            },
            other: { id: 7, documentId: 'gone', title: mark('other') },
          },
        ],
      },
    }),
  ],
  [
    'wxr',
    (mark) => ({
      'export.xml': `<rss><channel><title>${mark('site.title')}</title><wp:wxr_version>1.2</wp:wxr_version>
<wp:author><wp:author_id>1</wp:author_id><wp:author_login>${mark('login')}</wp:author_login><wp:author_rank>${mark('author_rank')}</wp:author_rank></wp:author>
<wp:category><wp:term_id>3</wp:term_id><wp:category_nicename>sea</wp:category_nicename><wp:cat_name>${mark('cat_name')}</wp:cat_name>
<wp:termmeta><wp:meta_key>${mark('meta_key')}</wp:meta_key><wp:meta_value>${mark('meta_value')}</wp:meta_value></wp:termmeta></wp:category>
<item><title>${mark('title')}</title><wp:post_id>10</wp:post_id><wp:post_type>post</wp:post_type><wp:status>publish</wp:status>
<content:encoded>&lt;p&gt;${mark('encoded')}&lt;/p&gt;</content:encoded><category domain="category" nicename="sea">Sea</category>
<wp:postmeta><wp:meta_key>${mark('meta_key')}</wp:meta_key><wp:meta_value>${mark('meta_value')}</wp:meta_value></wp:postmeta>
<wp:postmeta><wp:meta_key>_hidden</wp:meta_key><wp:meta_value>${mark('_hidden')}</wp:meta_value></wp:postmeta>
<wp:odd>${mark('wp:odd')}</wp:odd>
<wp:comment><wp:comment_id>1</wp:comment_id><wp:comment_approved>1</wp:comment_approved><wp:comment_content>${mark('content')}</wp:comment_content>
<wp:commentmeta><wp:meta_key>${mark('key')}</wp:meta_key><wp:meta_value>${mark('value')}</wp:meta_value></wp:commentmeta></wp:comment>
<wp:comment><wp:comment_id>2</wp:comment_id><wp:comment_approved>spam</wp:comment_approved><wp:comment_content>${mark('spam')}</wp:comment_content></wp:comment>
</item></channel></rss>`,
    }),
    'export.xml',
  ],
  ['csv', (mark) => ({ 'rows.csv': `a,b,a\n${mark('a')},"${mark('b')}\nline",${mark('a')}\n` }), 'rows.csv'],
  [
    'json',
    (mark) => ({
      'rows.json': [{ a: mark('a'), list: [mark('list'), { b: mark('b') }], c: { d: mark('d') } }],
    }),
    'rows.json',
  ],
  [
    'markdown',
    (mark) => ({
      'notes/a/same.md': `---\ntitle: ${mark('title')}\n---\n*${mark('body')}* [[${mark('page')}|${mark('label')}]] ![[${mark('file name')}.png]] \`[[code]]\``,
      'notes/b/same.md': `+++\nn = "${mark('n')}"\n+++\n![[${mark('embedded')}]]`,
    }),
  ],
];

describe('every value of a source', () => {
  it.each(formats.map(([format, files, source = '']) => ({ format, files, source })))(
    '$format: is in the result, or its path is in the report',
    async ({ format, files, source }) => {
      const { marks, mark } = createMarks();
      const { written, report, said } = await convert(format, files(mark), source);
      const lost = [...marks].filter(([text]) => !written.includes(text));
      const lines = report.replaceAll(/\[\d+\]/g, '[]');
      expect(lost.filter(([, path]) => !lines.includes(path))).toEqual([]);
      // The report has the name of a file or an item that is missing, but no other value.
      const shown = [...marks].filter(
        ([text, path]) => !['file name', 'missing'].includes(path) && report.includes(text),
      );
      expect(shown).toEqual([]);
      for (const { read, carried, reported } of Object.values(said.report.values))
        expect(carried + reported).toBe(read);
      expect(Object.keys(said.report.values).length).toBeGreaterThan(0);
    },
  );

  it('has the digits of numbers that JavaScript rounds', async () => {
    const { content } = await convert(
      'json',
      { 'rows.json': '[{"n": 12345678901234567890, "f": 0.1, "t": "[9007199254740993]"}]' },
      'rows.json',
    );
    expect(content).toMatchObject([{ n: '12345678901234567890', f: 0.1, t: '[9007199254740993]' }]);
  });

  it('of Directus is with its language, or with the item that a row is about', async () => {
    const { mark } = createMarks();
    const [, files] = formats[1] ?? [];
    const { content, types } = await convert('directus', files?.(mark) ?? {});
    const article = content.find(({ _type }) => _type === 'com.example.Articles');
    expect(article).toMatchObject({
      tags: [{ item: { _type: 'com.example.Tags' }, reason: /mark/ }].map((tag) => ({
        ...tag,
        reason: expect.stringMatching(tag.reason),
      })),
      translations: { 'de-DE': { text: expect.any(String) }, 'en-US': { text: expect.any(String) } },
    });
    expect(types).toContain('de_DE: ArticlesTranslationsRow @json(name: "de-DE")');
  });

  it('of Markdown has its path', async () => {
    const { mark } = createMarks();
    const { content } = await convert('markdown', formats.at(-1)?.[1](mark) ?? {});
    expect(content.map(({ path }) => path)).toEqual(['notes/a/same.md', 'notes/b/same.md']);
    expect(content[0].body).toContain('<code>[[code]]</code>');
  });
});

describe('a table', () => {
  it.each([
    ['with a line that names the separator', 'sep=;\r\nName;Text\r\n"Ä, b";"two\nlines"\r\n', 'utf8'],
    ['with a byte order mark', '\uFEFFName;Text\n"Ä, b";"two\nlines"\n', 'utf8'],
    ['in Windows-1252', 'Name;Text\n"Ä, b";"two\nlines"\n', 'latin1'],
    ['in UTF-16', '\uFEFFName\tText\n"Ä, b"\t"two\nlines"\n', 'utf16le'],
  ] as const)('is read %s', async (_case, table, encoding) => {
    const { content } = await convert('csv', { 'rows.csv': Buffer.from(table, encoding) }, 'rows.csv');
    expect(content).toMatchObject([{ Name: 'Ä, b', Text: 'two\nlines' }]);
  });
});

describe('rich text', () => {
  it.each([
    ['markdown', { 'a.md': `It's "so" & <b>so</b>\n\n![p](https://x.example/p.png "it's")` }, ''],
    [
      'sanity',
      {
        'data.ndjson': JSON.stringify({
          _id: 'a',
          _type: 'p',
          body: [{ _type: 'block', children: [{ _type: 'span', marks: [], text: `It's "so" & <so>` }] }],
        }),
      },
      '',
    ],
  ] as const)('of %s has no entities that the editor does not write', async (format, files, source) => {
    const { content } = await convert(format, files, source);
    expect(content[0].body).toMatch(/It's "so" &amp; /);
    expect(content[0].body).not.toMatch(/&#|\/>/);
  });

  it('of an archive of Sanity has its pictures as files', async () => {
    const png = readFileSync(join(import.meta.dirname, 'sources/markdown/assets/pier.png'));
    const image = { _type: 'image', _sanityAsset: 'image@file://./images/pier.png', alt: 'Pier' };
    const { content } = await convert('sanity', {
      'data.ndjson': JSON.stringify({
        _id: 'a',
        _type: 'p',
        body: [{ _type: 'block', children: [{ _type: 'span', marks: [], text: 'x' }] }, image],
      }),
      'images/pier.png': png,
    });
    expect(content[0].body).toMatch(/<img src="\/files\/[0-9a-f]{64}\/pier.png" alt="Pier">/);
  });

  it('of Contentful has the pictures that were downloaded as files', async () => {
    const png = readFileSync(join(import.meta.dirname, 'sources/markdown/assets/pier.png'));
    const asset = { nodeType: 'embedded-asset-block', data: { target: link('Asset', 'i') }, content: [] };
    const { content } = await convert(
      'contentful',
      {
        'images.ctfassets.net/x/pier.png': png,
        'export.json': {
          locales: [{ code: 'en', default: true }],
          contentTypes: [{ sys: { id: 'p' }, name: 'Page', fields: [{ id: 'body', type: 'RichText' }] }],
          entries: [
            {
              sys: { id: 'e', contentType: { sys: { id: 'p' } }, publishedVersion: 1 },
              fields: { body: { en: { nodeType: 'document', data: {}, content: [asset] } } },
            },
          ],
          assets: [
            {
              sys: { id: 'i', publishedVersion: 1 },
              fields: {
                file: {
                  en: {
                    url: '//images.ctfassets.net/x/pier.png',
                    fileName: 'pier.png',
                    contentType: 'image/png',
                  },
                },
              },
            },
          ],
        },
      },
      'export.json',
    );
    expect(content[0].body).toMatch(
      /^<p><img src="\/files\/[0-9a-f]{64}\/pier.png" alt="" data-asset="[0-9a-f-]{36}"><\/p>$/,
    );
  });
});
