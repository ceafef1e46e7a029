/**
 * `node test/bench/importers.ts [items] [format]`: converts a source of each system, or of one, with so many items, by default 50,000, and
 * one with a tenth of them, with `colophon-import`, and imports them over HTTP into a server on SQLite. Shows how many items are converted
 * and imported in a second, and the peaks of the memory of the processes for both.
 */
import { once } from 'node:events';
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { finished } from 'node:stream/promises';
import { credentials, runCommand, serve } from './processes.ts';

const items = Number(process.argv[2] ?? 50_000);
const main = join(import.meta.dirname, '../../src/importers/main.ts');
const place = mkdtempSync(join(tmpdir(), 'colophon-bench-importers-'));

const day = '2024-05-01T08:00:00.000Z';
const paragraph = 'It sails today, and again tomorrow, when the tide allows it. ';
const textOf = (n: number) => `Item ${n}. ${paragraph.repeat(10)}`;
const json = JSON.stringify;

/** The files of a source: their paths, and their lines one after the other. */
type Files = Readonly<Record<string, Iterable<string>>>;

function* each(count: number, toText: (n: number) => string, head = '', tail = ''): Generator<string> {
  yield head;
  for (let n = 1; n <= count; n++) yield toText(n);
  yield tail;
}

/** Separates the items of a list. */
const listed = (toValue: (n: number) => unknown) => (n: number) =>
  `${n === 1 ? '' : ',\n'}${json(toValue(n))}`;

/** Sources by format: the path to convert, and the files. */
const sources: readonly {
  readonly format: string;
  readonly path: string;
  readonly files: (count: number) => Files;
}[] = [
  {
    format: 'wxr',
    path: 'export.xml',
    files: (count) => ({
      'export.xml': each(
        count,
        (n) =>
          `<item><title>Post ${n}</title><dc:creator>ada</dc:creator><content:encoded><![CDATA[<p>${textOf(n)}</p>]]></content:encoded><wp:post_id>${n}</wp:post_id><wp:post_date>2024-05-01 10:00:00</wp:post_date><wp:post_date_gmt>2024-05-01 08:00:00</wp:post_date_gmt><wp:post_name>post-${n}</wp:post_name><wp:status>publish</wp:status><wp:post_type>post</wp:post_type><category domain="category" nicename="c${n % 20}"><![CDATA[C ${n % 20}]]></category></item>\n`,
        '<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/"><channel><wp:wxr_version>1.2</wp:wxr_version>\n',
        '</channel></rss>\n',
      ),
    }),
  },
  {
    format: 'contentful',
    path: 'export.json',
    files: (count) => ({
      'export.json': each(
        count,
        listed((n) => ({
          sys: {
            id: `e${n}`,
            contentType: { sys: { id: 'post' } },
            version: 2,
            publishedVersion: 1,
            publishedAt: day,
          },
          fields: {
            title: { 'en-US': `Post ${n}` },
            body: { 'en-US': textOf(n) },
            next: { 'en-US': { sys: { type: 'Link', linkType: 'Entry', id: `e${(n % count) + 1}` } } },
          },
        })),
        `{"contentTypes":[${json({
          sys: { id: 'post' },
          name: 'Post',
          displayField: 'title',
          fields: [
            { id: 'title', type: 'Symbol' },
            { id: 'body', type: 'Text' },
            { id: 'next', type: 'Link', linkType: 'Entry' },
          ],
        })}],"locales":[{"code":"en-US","default":true}],"assets":[],"entries":[`,
        ']}',
      ),
    }),
  },
  {
    format: 'sanity',
    path: 'data.ndjson',
    files: (count) => ({
      'data.ndjson': each(
        count,
        (n) =>
          `${json({
            _id: `p${n}`,
            _type: 'post',
            _createdAt: day,
            title: `Post ${n}`,
            body: [{ _type: 'block', style: 'normal', children: [{ _type: 'span', text: textOf(n) }] }],
            next: { _type: 'reference', _ref: `p${(n % count) + 1}` },
          })}\n`,
      ),
    }),
  },
  {
    format: 'strapi',
    path: '.',
    files: (count) => ({
      'schemas/1.jsonl': [
        `${json({
          uid: 'api::post.post',
          modelType: 'contentType',
          info: { singularName: 'post' },
          attributes: {
            title: { type: 'string' },
            body: { type: 'text' },
            next: { type: 'relation', relation: 'oneToOne', target: 'api::post.post' },
          },
        })}\n`,
      ],
      'entities/1.jsonl': each(
        count,
        (n) =>
          `${json({ type: 'api::post.post', id: n, data: { documentId: `d${n}`, title: `Post ${n}`, body: textOf(n), publishedAt: day } })}\n`,
      ),
      'links/1.jsonl': each(
        count,
        (n) =>
          `${json({
            kind: 'relation.basic',
            left: { type: 'api::post.post', ref: n, field: 'next' },
            right: { type: 'api::post.post', ref: (n % count) + 1 },
          })}\n`,
      ),
    }),
  },
  {
    format: 'strapi (REST)',
    path: '.',
    files: (count) => ({
      'post.json': each(
        count,
        listed((n) => ({
          id: n,
          documentId: `d${n}`,
          title: `Post ${n}`,
          body: textOf(n),
          publishedAt: day,
          next: { id: (n % count) + 1, documentId: `d${(n % count) + 1}`, title: 'Next' },
        })),
        '{"data":[',
        '],"meta":{}}',
      ),
    }),
  },
  {
    format: 'directus',
    path: '.',
    files: (count) => ({
      'snapshot.json': [
        json({
          collections: [{ collection: 'posts', schema: { name: 'posts' } }],
          fields: [
            { collection: 'posts', field: 'id', type: 'integer', schema: { is_primary_key: true } },
            { collection: 'posts', field: 'title', type: 'string', schema: {} },
            { collection: 'posts', field: 'body', type: 'text', schema: {} },
          ],
          relations: [],
        }),
      ],
      'posts.json': each(
        count,
        listed((n) => ({ id: n, title: `Post ${n}`, body: textOf(n) })),
        '{"data":[',
        ']}',
      ),
    }),
  },
  {
    format: 'csv',
    path: 'posts.csv',
    files: (count) => ({
      'posts.csv': each(count, (n) => `${n},Post ${n},"${textOf(n)}"\n`, 'id,title,body\n'),
    }),
  },
  {
    format: 'json',
    path: 'posts.json',
    files: (count) => ({
      'posts.json': each(
        count,
        listed((n) => ({ id: n, title: `Post ${n}`, body: textOf(n), tags: ['a', 'b'] })),
        '[',
        ']',
      ),
    }),
  },
  {
    format: 'markdown',
    path: '.',
    files: (count) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, n) => [
          `posts/${n % 100}/post-${n}.md`,
          [`---\ntitle: Post ${n}\ndate: 2024-05-01\n---\n${textOf(n)}\n`],
        ]),
      ),
  },
];

async function write(path: string, lines: Iterable<string>): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  const file = createWriteStream(path);
  for (const line of lines) if (!file.write(line)) await once(file, 'drain');
  file.end();
  await finished(file);
}

/** What a step took: the seconds, and the peaks of the memory of its processes in MB. */
interface Step {
  readonly seconds: number;
  readonly peaks: readonly number[];
}

/** Converts a source, and imports what was written into a new store. */
async function move({ format, path, files }: (typeof sources)[number], count: number): Promise<Step[]> {
  const [folder, out] = [join(place, 'source'), join(place, 'out')];
  for (const [name, lines] of Object.entries(files(count))) await write(join(folder, name), lines);
  const words = [format.replace(/ .*/, ''), join(folder, path), '--out', out];
  const converted = await runCommand(words, {}, main);
  const [, written] = /has (\d+) assets/.exec(converted.output) ?? [];
  if (Number(written) < count) throw new Error(`${format}: ${converted.output}`);
  const data = { COLOPHON_DATA_DIR: join(place, 'data') };
  const server = await serve(data, ['--types', join(out, 'types')]);
  const content = ['import', join(out, 'content.jsonl'), '--url', server.url, '--json'];
  const imported = await runCommand(content, { ...data, ...credentials });
  const { created } = JSON.parse(imported.output);
  const serverMb = await server.stop();
  if (created !== Number(written)) throw new Error(`${format}: ${imported.output}`);
  for (const name of ['source', 'out', 'data']) rmSync(join(place, name), { recursive: true });
  return [
    { seconds: converted.seconds, peaks: [converted.peakMb] },
    { seconds: imported.seconds, peaks: [imported.peakMb, serverMb] },
  ];
}

const chosen = process.argv[3];
const few = `for ${(items / 10).toLocaleString('en')}`;
console.log(`| ${items.toLocaleString('en')} items | converted/s | MB ${few} | MB | imported/s | import: MB ${few} | MB | server: MB ${few} | MB |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |`);
try {
  for (const source of sources.filter(({ format }) => chosen === undefined || format === chosen)) {
    const small = await move(source, items / 10);
    const cells = (await move(source, items)).flatMap(({ seconds, peaks }, step) => [
      Math.round(items / seconds),
      ...peaks.flatMap((peak, index) => [small[step]?.peaks[index] ?? 0, peak].map(Math.round)),
    ]);
    console.log(`| ${source.format} | ${cells.map((cell) => cell.toLocaleString('en')).join(' | ')} |`);
  }
} finally {
  rmSync(place, { recursive: true });
}
