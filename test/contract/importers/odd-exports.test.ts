/** `colophon-import` reads what exports of others have beside the usual: singletons with lists, documents without IDs, files by name. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { convertSource as convert } from '../../support/convert-source.ts';

const png = readFileSync(join(import.meta.dirname, 'sources/markdown/assets/pier.png'));

const table = (collection: string) => ({ collection, schema: { name: collection } });
const column = (collection: string, field: string, type = 'string', more = {}) => ({
  collection,
  field,
  type,
  ...more,
});
const key = { schema: { is_primary_key: true } };

it('carries a singleton of Directus with a list among its members', async () => {
  const { content, said } = await convert('directus', {
    'snapshot.json': {
      collections: [table('settings')],
      fields: [
        column('settings', 'id', 'integer', key),
        column('settings', 'links', 'json'),
        column('settings', 'motto'),
      ],
    },
    'settings.json': { id: 1, links: [{ to: '/ferry' }, { to: '/pier' }], motto: 'Slowly' },
  });
  expect(content).toMatchObject([{ links: [{ to: '/ferry' }, { to: '/pier' }], motto: 'Slowly' }]);
  expect(said.report.values).toEqual({ settings: { read: 4, carried: 4, reported: 0 } });
});

it('refuses a singleton of Directus of which data is one of several members', async () => {
  const refused = convert('directus', {
    'snapshot.json': { collections: [table('settings')], fields: [column('settings', 'id', 'integer', key)] },
    'settings.json': { id: 1, data: { x: 1 } },
  });
  await expect(refused).rejects.toThrow(/has id beside data in settings\.json: put a singleton/);
});

it('counts keys of a list of Directus as carried, since the items that are listed have the reference', async () => {
  const { said, report } = await convert('directus', {
    'snapshot.json': {
      collections: ['piers', 'boats'].map(table),
      fields: [
        column('piers', 'id', 'uuid', key),
        column('piers', 'boats', 'alias', { meta: { special: ['o2m'] } }),
        column('boats', 'id', 'uuid', key),
        column('boats', 'pier', 'uuid'),
      ],
      relations: [
        { collection: 'boats', field: 'pier', related_collection: 'piers', meta: { one_field: 'boats' } },
      ],
    },
    'piers.json': [{ id: 'pier-1', boats: ['boat-1', 'boat-gone'] }],
    'boats.json': [{ id: 'boat-1', pier: 'pier-1' }],
  });
  expect(said.report.values.piers).toEqual({ read: 3, carried: 2, reported: 1 });
  expect(report).toContain('| value without a place: piers.boats[] | 1 | piers pier-1: boats[1] |');
});

it('reports what stands beside the list of a JSON file', async () => {
  const files = { 'rows.json': { author: 'Ada', rows: [{ a: 1 }] } };
  expect((await convert('json', files, 'rows.json')).report).toContain(
    '| member beside the list | 1 | author |',
  );
});

it('reads documents of Sanity that have no _id, and pictures with an address', async () => {
  const picture = { _type: 'image', _sanityAsset: 'image@https://x.example/pier.png' };
  const code = { _type: 'code', code: 'say("a")\n  now' };
  const block = (text: string) => ({ _type: 'block', children: [{ _type: 'span', text }] });
  const post = { _type: 'post', title: 'Ferry', cover: picture, body: [block('one\ntwo'), picture, code] };
  const { content, said } = await convert('sanity', {
    'data.ndjson': [post, { ...post, title: 'Pier' }].map((one) => JSON.stringify(one)).join('\n'),
  });
  expect(content.map(({ title }) => title)).toEqual(['Ferry', 'Pier']);
  expect(content[0]).toMatchObject({ cover: { url: 'https://x.example/pier.png' } });
  expect(content[0].body).toMatch(
    /^<p>one<br>two<\/p><img src="https:\/\/x\.example\/pier\.png" alt=""><div data-block=/,
  );
  expect(said.report.values.post).toMatchObject({ reported: 0 });
});

it('has one line for what a system keeps for itself of all its items', async () => {
  const documents = ['post', 'page'].map((_type) => ({
    _id: _type,
    _type,
    _rev: `r-${_type}`,
    title: _type,
  }));
  const { report } = await convert('sanity', {
    'data.ndjson': documents.map((one) => JSON.stringify(one)).join('\n'),
  });
  expect(report).toContain('| value without a place: _rev | 2 |');
});

it('counts a time of Contentful without seconds as carried', async () => {
  const { said, content } = await convert(
    'contentful',
    {
      'export.json': {
        locales: [{ code: 'en', default: true }],
        contentTypes: [{ sys: { id: 'p' }, name: 'Page', fields: [{ id: 'day', type: 'Date' }] }],
        entries: [
          {
            sys: { id: 'e', contentType: { sys: { id: 'p' } } },
            fields: { day: { en: '2024-05-01T08:30+02:00' } },
          },
        ],
      },
    },
    'export.json',
  );
  expect(content).toEqual([]);
  expect(said.report.values.p).toMatchObject({ reported: 0 });
});

it('finds the files of wiki embeds by their names, and shows them as pictures of a paragraph', async () => {
  const { content, said } = await convert('markdown', {
    'notes/a.md': '![[pier at sea.png]]\n\n![[pier at sea.png|300]]\n\n| A |\n|---|\n| [[Page\\|text]] |\n',
    'media/pier at sea.png': png,
  });
  const [{ body }] = content;
  expect(body).toMatch(
    /^<p><img src="\/files\/[\da-f]{64}\/pier%20at%20sea\.png" alt="pier at sea\.png"><\/p>/,
  );
  expect(body).toMatch(/<p><img src="[^"]+" alt="pier at sea\.png" width="300"><\/p>/);
  expect(body).toContain('<a data-page="Page">text</a>');
  expect(JSON.stringify(said)).not.toMatch(/file that/);
});

it('writes characters of Markdown as the editor does', async () => {
  const { content } = await convert('markdown', {
    'a.md': 'A\u00a0b &mdash; c&#8217;s &amp;mdash; &constructor;',
  });
  expect(content[0].body).toBe('<p>A&nbsp;b — c’s &amp;mdash; &constructor;</p>\n');
});

it('carries what stands behind the language of a code block, and reports addresses that no link uses', async () => {
  const { content, report } = await convert('markdown', {
    'a.md':
      '```js {file="a<b.js"}\nx\n```\n\n[Used] <br>\n\n[used]: https://x.example/a?b=1&c=é\n[spare]: https://x.example/spare\n',
  });
  expect(content[0].body).toContain(
    '<pre data-info="{file=&quot;a&lt;b.js&quot;}"><code class="language-js">x\n</code></pre>',
  );
  expect(report).toContain('| address that no link uses | 1 | a.md: [spare] |');
});
