/** `colophon-import`: sources of other systems become types that the server starts with, and assets that it takes without a loss. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { environmentOf, startCommand, startServing } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/opened.ts';
import { sqliteLocation } from '../../support/stores.ts';

const folder = temporaryFolder();

const main = join(import.meta.dirname, '../../../src/importers/main.ts');
const sourceOf = (name: string) => resolve(import.meta.dirname, 'sources', name);

interface Converted {
  readonly types: string;
  readonly content: readonly Record<string, unknown>[];
  readonly drafts: readonly Record<string, unknown>[];
  readonly report: string;
  readonly path: (name: string) => string;
}

let conversions = 0;

async function convert(format: string, source: string, ...options: string[]): Promise<Converted> {
  const out = join(folder, `${format}-${conversions++}`);
  await promisify(execFile)(process.execPath, [main, format, sourceOf(source), '--out', out, ...options]);
  const read = (name: string) => readFileSync(join(out, name), 'utf8');
  const lines = (name: string) => linesOf(read(name));
  return {
    types: read('types/content.graphql'),
    content: lines('content.jsonl'),
    drafts: lines('drafts.jsonl'),
    report: read('report.md'),
    path: (name) => join(out, name),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: assets differ from type to type
const linesOf = (text: string): any[] =>
  text
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** Fails as the command does, with its message. */
const refusal = (...words: string[]): Promise<string> =>
  promisify(execFile)(process.execPath, [main, ...words]).then(
    () => '',
    (error: { stderr: string }) => error.stderr,
  );

/** A text of a source, and what it becomes in a later export. */
type Change = readonly [file: string, text: string | RegExp, later: string];

interface Source {
  readonly format: string;
  readonly source: string;
  readonly published: number;
  readonly drafts: number;
  /** What a later export has changed. */
  readonly changes: readonly Change[];
  /** What `types check` says of its types. */
  readonly types?: string;
}

const sources: readonly Source[] = [
  {
    format: 'wxr',
    source: 'wordpress.xml',
    published: 14,
    drafts: 1,
    changes: [
      ['', '>The new ferry<', '>The newest ferry<'],
      ['', /<item><title>Home.*\n/, ''],
    ],
    types: 'com.example.MenuItem target  no longer refers to com.example.Page',
  },
  {
    format: 'contentful',
    source: 'contentful.json',
    published: 3,
    drafts: 1,
    changes: [
      ['', '"Die Fähre"', '"Die neue Fähre"'],
      ['', /"rating": \{[^}]*\},/, ''],
      ['', /"i1",\n *"version"/, '"i2", "version"'],
    ],
  },
  {
    format: 'sanity',
    source: 'sanity',
    published: 3,
    drafts: 1,
    changes: [
      ['data.ndjson', '"rating":4.5', '"rating":3'],
      ['data.ndjson', /.*"drafts.post-2".*\n/, ''],
    ],
    types: 'com.example.Post rating  is Int, and was Float',
  },
  {
    format: 'strapi',
    source: 'strapi',
    published: 5,
    drafts: 1,
    changes: [
      ['entities/entities_00001.jsonl', /"price":12.5,/g, ''],
      ['entities/entities_00001.jsonl', /.*"name":"sea".*\n/, ''],
    ],
  },
  {
    format: 'strapi',
    source: 'strapi-rest',
    published: 6,
    drafts: 1,
    changes: [
      ['article/1.json', '"Wet"', '"Dry"'],
      ['homepage.json', '"h1"', '"h2"'],
    ],
  },
  {
    format: 'strapi',
    source: 'strapi4',
    published: 3,
    drafts: 1,
    changes: [
      ['article.json', '"Ferry!"', '"Ferries"'],
      ['article.json', '"id": 2', '"id": 3'],
    ],
  },
  {
    format: 'directus',
    source: 'directus',
    published: 6,
    drafts: 1,
    changes: [
      ['articles.json', '"price": "12.50",', ''],
      ['articles_tags.json', /.*"id": 1\b.*\n/, ''],
    ],
  },
  {
    format: 'csv',
    source: 'products.csv',
    published: 2,
    drafts: 0,
    changes: [
      ['', '12.50', '13.50'],
      ['', /^008/m, '009'],
    ],
  },
  {
    format: 'json',
    source: 'talks.json',
    published: 2,
    drafts: 0,
    changes: [
      ['', '"score": 4.5,', ''],
      ['', '"id": 2', '"id": 3'],
    ],
    types: 'com.example.Talks score  is Int, and was Float',
  },
  {
    format: 'markdown',
    source: 'markdown',
    published: 3,
    drafts: 1,
    changes: [
      ['pages/about.md', 'weight = 3', 'order = 3'],
      ['_drafts/second.md', 'tags: []\n', ''],
    ],
    types: 'com.example.Page weight  is removed',
  },
];

describe.each(sources)('$format of $source', ({ format, source, published, drafts, changes, types }) => {
  it('gives types and assets that are imported and exported without a loss, again and in a later export', async () => {
    const first = await convert(format, source);
    expect(first.content).toHaveLength(published);
    expect(first.drafts).toHaveLength(drafts);
    const again = await convert(format, source);
    expect(again).toEqual({ ...first, path: again.path });
    const location = sqliteLocation();
    const environmentFor = ({ path }: Converted) => ({
      ...environmentOf(location),
      COLOPHON_TYPES: path('types'),
      COLOPHON_LOG_LEVEL: 'silent',
    });
    const run = async (converted: Converted, ...words: string[]) => {
      const { exitCode, stdout, stderr } = await startCommand(words, environmentFor(converted)).ended;
      return { exitCode, stdout, problems: exitCode === 0 ? '' : stderr };
    };
    const classes = [...first.types.matchAll(/@contentType\(class: "(.*?)"\)/g)].map(([, name]) => `${name}`);
    const from = classes.flatMap((name) => ['--from', name]);
    const inStep = ['--mode', 'replace', '--prune', '--restart', ...from];
    const count = published + drafts;
    const done = { exitCode: 0, problems: '' };
    expect(await run(first, ...importOf(first))).toEqual({
      ...done,
      stdout: `created ${count}, updated 0, failed 0\n`,
    });
    expect(await run(first, ...importOf(first), ...inStep)).toEqual({
      ...done,
      stdout: `created 0, updated 0, unchanged ${count}, failed 0\n`,
    });
    expect(withoutRest(await run(first, 'export', ...from), first)).toEqual(assetsOf(first));
    const later = await convert(format, changed(source, changes));
    expect(assetsOf(later)).not.toEqual(assetsOf(first));
    const check = await run(first, 'types', 'check', '--types', later.path('types'));
    expect(check.stdout).toContain(types ?? '0 breaking, 0 need attention');
    // The store is served with changed types before it takes assets of them.
    if (types) await (await startServing(environmentFor(later))).stop();
    expect(await run(later, ...importOf(later), ...inStep, '--prune-max', '100%')).toMatchObject(done);
    expect(withoutRest(await run(later, 'export', ...from), later)).toEqual(assetsOf(later));
    expect(await run(later, 'verify')).toMatchObject(done);
    await location.remove();
  });
});

/** The import of both files, since the source of a test has few drafts. */
function importOf({ path }: Converted): string[] {
  const all = ['content.jsonl', 'drafts.jsonl'].map((name) => readFileSync(path(name), 'utf8'));
  writeFileSync(path('all.jsonl'), all.join(''));
  return ['import', path('all.jsonl'), '--files', path('files')];
}

/** The assets of a conversion by their `_id`s. */
const assetsOf = ({ content, drafts }: Converted) =>
  Object.fromEntries([...content, ...drafts].map((asset) => [`${asset._id}`, asset]));

/** The exported assets by their `_id`s, without what the server adds: dates, and what it knows of files. */
function withoutRest({ stdout }: { stdout: string }, converted: Converted) {
  const known = assetsOf(converted);
  const assets = linesOf(stdout).map((asset) => {
    const members = Object.entries(asset).filter(
      ([name]) => !name.startsWith('cms.') || name in (known[asset._id] ?? {}),
    );
    return [asset._id, Object.fromEntries(members)] as const;
  });
  const withoutSizes = (_name: string, value: { hash?: string; name?: string } | null) =>
    typeof value?.hash === 'string' ? { hash: value.hash, name: value.name } : value;
  return JSON.parse(JSON.stringify(Object.fromEntries(assets), withoutSizes));
}

/** Copies a source, and changes it. */
function changed(source: string, changes: readonly Change[]): string {
  const copy = join(folder, `later-${conversions}`, source);
  cpSync(sourceOf(source), copy, { recursive: true });
  for (const [name, text, later] of changes) {
    const before = readFileSync(join(copy, name), 'utf8');
    const after = before.replace(text, later);
    if (after === before) throw new Error(`${source} has no ${text}`);
    writeFileSync(join(copy, name), after);
  }
  return copy;
}

describe('WordPress', () => {
  it('keeps HTML exactly, zones, former slugs, custom fields and threads of comments', async () => {
    const { content, drafts } = await convert('wxr', 'wordpress.xml');
    const find = (type: string, fields: object) =>
      content.find((asset) => asset._type === `com.example.${type}` && matches(asset, fields));
    const post = find('Post', { slug: 'ferry' });
    expect(post).toMatchObject({
      body: '<!-- wp:paragraph {"align":"left"} -->\n<p class="has-text">It sails <b>today</b>.</p>\n<!-- /wp:paragraph -->',
      published: '2024-05-01T10:00:00+02:00',
      'cms.content.publishDate': Date.UTC(2024, 4, 1, 8),
      oldSlugs: ['old-ferry'],
      meta: [{ key: 'mood', value: 'calm' }],
      featuredImage: { _ref: find('Media', { title: 'ferry.jpg' })?._id },
      seriesTerms: [{ _ref: find('Series', { slug: 'summer' })?._id }],
    });
    const first = find('Comment', { content: 'Nice & quick' });
    expect(first).not.toHaveProperty('authorUrl');
    expect(find('Comment', { content: 'Thanks' })).toMatchObject({
      parent: { _ref: first?._id },
      about: { _ref: post?._id },
      author: { _ref: find('Author', { login: 'ada' })?._id },
    });
    expect(find('MenuItem', { title: 'Local' })).toMatchObject({
      target: { _ref: find('Category', { slug: 'local' })?._id },
    });
    expect(drafts).toMatchObject([
      { title: 'A page about us', author: { _ref: find('Author', { login: 'ghost' })?._id } },
    ]);
  });

  it('says in its report what it could not carry over, by kind, with an example', async () => {
    const { report } = await convert('wxr', 'wordpress.xml');
    for (const line of [
      '| comment that is spam | 1 | comment 102 | post.wp:comment[] |',
      '| item of the type revision | 1 | revision 15 | revision |',
      '| parent that the export lacks | 1 | page 11: 99 | page.wp:post_parent |',
      '| repeated ID, of which the second got another one | 1 | nav_menu_item 13 |',
      '| date without its time in UTC | 1 | page 11: wp:post_date | page.wp:post_date |',
    ])
      expect(report).toContain(line);
  });
});

describe('Contentful', () => {
  it('keeps validations as constraints and enums, and names the others', async () => {
    const { types, report } = await convert('contentful', 'contentful.json');
    for (const line of [
      '  slug: String! @indexed(unique: true) @constraint(pattern: "^[a-z-]+$")',
      '  rating: Int @constraint(min: 1, max: 5)',
      '  author: Person @indexed',
      '  related: [BlogPostRelated!] @constraint(maxItems: 4)',
      '  topics: [BlogPostTopics!]',
      '  form: String @constraint(pattern: "^(long form|note)$")',
      '  kind: BlogPostKind\n',
      '  words: [String!] @constraint(minItems: 1, maxItems: 3, minLength: 2)',
      'enum BlogPostKind {\n  NEWS\n  STORY\n}',
    ])
      expect(types).toContain(line);
    for (const line of [
      '| validation enabledMarks | 1 | BlogPost.body |',
      '| validation linkMimetypeGroup | 1 | BlogPost.hero |',
      '| validation regexp | 1 | BlogPost.words |',
      '| validation size of a field with locales | 1 | BlogPost.title |',
    ])
      expect(report).toContain(line);
  });

  it('has the files that were downloaded with an export', async () => {
    const place = join(folder, 'contentful-files');
    mkdirSync(join(place, 'images.ctfassets.net/x'), { recursive: true });
    cpSync(sourceOf('contentful.json'), join(place, 'contentful.json'));
    cpSync(sourceOf('markdown/assets/pier.png'), join(place, 'images.ctfassets.net/x/ferry.jpg'));
    const { types, content } = await convert('contentful', join(place, 'contentful.json'));
    expect(types).toContain('  file: LocalizedFile\n');
    expect(content.find(({ _type }) => _type === 'com.example.Asset')).toMatchObject({
      url: { 'en-US': 'https://images.ctfassets.net/x/ferry.jpg' },
      file: { 'en-US': { name: 'ferry.jpg', hash: expect.stringMatching(/^[0-9a-f]{64}$/) } },
    });
  });
});

describe('Sanity, Strapi and Directus', () => {
  it('have blocks, pictures and Portable Text of Sanity', async () => {
    const { types, content, report } = await convert('sanity', 'sanity');
    expect(types).toContain('union PostSections = PostSectionsHero | PostSectionsQuote');
    expect(content.find(({ title }) => title === 'The ferry')).toMatchObject({
      body: expect.stringContaining('<h2><strong>It sails</strong></h2>'),
      sections: [
        { _type: 'PostSectionsHero', heading: 'Hi' },
        { _type: 'PostSectionsQuote', text: 'Wet' },
      ],
    });
    expect(content.find(({ name }) => name === 'Ada')).toMatchObject({
      slug: 'ada',
      bio: 'one\u2028two',
      photo: { file: { name: 'abc-640x640.png' }, alt: 'Ada' },
    });
    expect(report).toContain('| reference to what the export lacks | 1 | post post-1: gone |');
  });

  it('have components, dynamic zones, media and locales of Strapi, and no draft that is as published', async () => {
    const { content, drafts } = await convert('strapi', 'strapi');
    const media = content.find(({ _type }) => _type === 'com.example.Media');
    expect(media).toMatchObject({ file: { name: 'ferry.png' }, alternativeText: 'A ferry' });
    expect(content.find(({ title }) => title === 'The ferry')).toMatchObject({
      text: '<p>It sails <strong>today</strong>.</p>\n',
      cover: { _ref: media?._id },
      seo: { metaTitle: 'Ferry!', shareImage: { _ref: media?._id } },
      zone: [
        { _type: 'SharedQuote', text: 'Wet' },
        { _type: 'SharedGallery', images: [{ _ref: media?._id }] },
      ],
      tags: ['sea', 'boats'].map((name) => ({ _ref: content.find((tag) => tag.name === name)?._id })),
    });
    expect(drafts).toMatchObject([{ title: 'Die Fähre', locale: 'de', documentId: 'doc1' }]);
    const fewer = changed('strapi', [['links/links_00001.jsonl', /.*"ref":1,"field":"author".*\n/, '']]);
    const [draft] = (await convert('strapi', fewer)).drafts;
    expect(draft).toMatchObject({ title: 'The ferry', locale: 'en', tags: [{}, {}] });
    expect(draft).not.toHaveProperty('author');
  });

  it('have relations, media, components and drafts of the REST API of Strapi, and say which pages are missing', async () => {
    const { content, drafts, report } = await convert('strapi', 'strapi-rest');
    const find = (name: string, value: string) => content.find((asset) => asset[name] === value)?._id;
    expect(content.find(({ title }) => title === 'The ferry')).toMatchObject({
      text: [{ type: 'paragraph', children: [{ type: 'text', text: 'It sails', bold: true }] }],
      cover: { _ref: find('name', 'ferry.png') },
      author: { _ref: find('name', 'Ada') },
      related: [{ _ref: find('slug', 'pier') }],
      seo: { metaTitle: 'Ferry!' },
      zone: [
        { _type: 'ArticleZoneSharedQuote', text: 'Wet' },
        { images: [{ _ref: find('url', 'https://cdn.example/map_77.png') }] },
      ],
    });
    expect(content.find(({ name }) => name === 'ferry.png')).toHaveProperty('file');
    expect(drafts).toMatchObject([{ title: 'The ferries', author: { _ref: find('name', 'Ada') } }]);
    expect(report).toContain('| entries on pages that are missing | 1 | article: 1 of 5 |');
    expect(report).toContain(
      '| relation to what the export lacks | 1 | article j2k8wq1ferry.related[1]: gone | article.related[] |',
    );
  });

  it('have the relations of Directus turned round', async () => {
    const { types, content, drafts } = await convert('directus', 'directus');
    expect(types).toContain('articles: [Articles!] @inverse(field: "author")');
    expect(types).toContain('author: Authors @indexed @onDelete(action: RESTRICT)');
    expect(types).toContain('tags: [Tags!] @indexed @onDelete(action: RESTRICT)');
    expect(types).toMatch(/cover: \w+ @indexed\n/);
    const find = (name: string) => content.find((asset) => asset.name === name || asset.text === name)?._id;
    expect(content.find(({ slug }) => slug === 'ferry')).toMatchObject({
      tags: [{ _ref: find('sea') }, { _ref: find('boats') }],
      blocks: [{ _ref: find('Wet') }, { _ref: find('Ada') }],
      price: '12.50',
    });
    expect(drafts).toMatchObject([{ slug: 'draft', status: 'draft' }]);
  });
});

describe('tables, lists and Markdown', () => {
  it('keep digits as they are written, and guess types from all values', async () => {
    const { types, content } = await convert(
      'csv',
      'products.csv',
      '--type',
      'Product',
      '--map',
      'Name=title',
      '--id',
      'sku',
    );
    expect(types).toContain(
      'type Product @contentType(class: "com.example.Product") {\n  sku: String\n  title: String\n  price: Decimal',
    );
    expect(content[1]).toMatchObject({ sku: '008', price: '1200.00', in_stock: false, note: 'said "heavy"' });
  });

  it('have embedded values, lists of them, and JSON where values differ', async () => {
    const { types, content } = await convert('json', 'talks.json');
    expect(types).toContain('  slots: [TalksSlots!]\n  odd: JSON');
    expect(content[1]).toMatchObject({
      tags: [],
      odd: { a: 1 },
      body: '<p>Ropes, [brackets] and {braces}</p>',
    });
  });

  it('have front matter in YAML and TOML, dates with zones, and drafts', async () => {
    const { content, drafts, report } = await convert('markdown', 'markdown');
    expect(content.find(({ slug }) => slug === 'first-ferry')).toMatchObject({
      _type: 'com.example.Post',
      published_at: '2024-05-01T10:00:00+02:00',
      body: expect.stringContaining('<p>It sails <strong>today</strong>'),
    });
    expect(drafts).toMatchObject([{ _type: 'com.example.Post', title: 'Second' }]);
    expect(report).toContain('template tag or component left in a text');
  });

  it('have the files that Markdown names, and say which are missing, unused or outside of the folder', async () => {
    const { types, content, report } = await convert('markdown', 'markdown');
    expect(types).toContain('  cover: File\n  gallery: [File!]\n');
    const pier = content.find(({ slug }) => slug === 'the-pier');
    const hash = createHash('sha256')
      .update(readFileSync(sourceOf('markdown/assets/pier.png')))
      .digest('hex');
    expect(pier).toMatchObject({
      cover: { hash, name: 'pier.png' },
      gallery: [{ hash, name: 'pier.png' }],
      photo: 'https://cdn.example/pier.jpg',
      body: expect.stringMatching(
        new RegExp(
          `<img src="/files/${hash}/pier.png" alt="Pier"> <img src="/files/[0-9a-f]{64}/map%20one.png"`,
        ),
      ),
    });
    // Another post has an address here, so the field is a text.
    expect(content.find(({ slug }) => slug === 'first-ferry')?.photo).toBe(`/files/${hash}/pier.png`);
    const example = '_posts/2024-06-01-the-pier.md:';
    for (const line of [
      `| file that the folder lacks | 1 | ${example} gone.png |`,
      `| file outside of the folder | 1 | ${example} ../../../products.png |`,
      '| file that no Markdown names | 1 | assets/unused.png |',
    ])
      expect(report).toContain(line);
  });

  it('have the content of a site of Hugo, with the files of its bundles and its static folder, and none by links out of it', async () => {
    const site = join(folder, 'site');
    const png = readFileSync(sourceOf('markdown/assets/pier.png'));
    const write = (path: string, data: string | Buffer) => {
      mkdirSync(dirname(join(site, path)), { recursive: true });
      writeFileSync(join(site, path), data);
    };
    write('README.md', 'About the site');
    write(
      'content/posts/ferry/index.md',
      '---\nimages: [boat.png]\nlogo: img/logo.png\nsecret: out.png\n---\n![](/img/logo.png)',
    );
    write('content/posts/ferry/boat.png', png);
    write('static/img/logo.png', png);
    write('../secret.png', png);
    symlinkSync(join(folder, 'secret.png'), join(site, 'content/posts/ferry/out.png'));
    const { content, report } = await convert('markdown', site);
    expect(content).toMatchObject([
      {
        _type: 'com.example.Post',
        slug: 'ferry',
        images: [{ name: 'boat.png' }],
        logo: { name: 'logo.png' },
        secret: 'out.png',
        body: expect.stringMatching(/src="\/files\/[0-9a-f]{64}\/logo\.png"/),
      },
    ]);
    expect(report).toContain('| Markdown file outside of content/ | 1 | README.md |');
    expect(report).toContain('| file that the folder lacks | 1 | content/posts/ferry/index.md: out.png |');
  });
});

describe('a source that cannot be read', () => {
  it.each([
    ['wxr', 'talks.json', 'is not valid XML'],
    ['json', 'products.csv', 'is no JSON: it must begin with [ or {'],
    ['json', 'wordpress.xml', 'is no JSON'],
    ['markdown', '../../client', 'has no Markdown files'],
  ])('is refused: %s of %s', async (format, source, message) => {
    const path = sourceOf(source);
    expect(await refusal(format, path, '--out', join(folder, 'refused'))).toContain(
      `colophon-import: ${path} ${message}`,
    );
  });

  it('has a message for a format, a source or an option that does not exist', async () => {
    expect(await refusal('word', 'x', '--out', folder)).toContain('There is no format word; there are');
    expect(await refusal('csv', '/nowhere.csv', '--out', folder)).toBe(
      'colophon-import: /nowhere.csv does not exist\n',
    );
    expect(await refusal('csv', sourceOf('products.csv'), '--out', folder)).toContain('is not empty');
    expect(
      await refusal('csv', sourceOf('products.csv'), '--out', join(folder, 'x'), '--map', 'a'),
    ).toContain('--map must be');
    expect(
      await refusal('csv', sourceOf('products.csv'), '--out', join(folder, 'y'), '--id', 'weightless'),
    ).toContain('without a different weightless');
  });
});

const matches = (asset: Record<string, unknown>, fields: object) =>
  Object.entries(fields).every(([name, value]) => asset[name] === value);
