/** `colophon-import` on sources that others have made to harm: paths and links that lead out of them, and a few bytes that become many. */
import { execFile } from 'node:child_process';
import {
  cpSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/opened.ts';

const main = join(import.meta.dirname, '../../../src/importers/main.ts');
const folder = temporaryFolder();

const secret = 'what nobody outside may read';
const secretFile = join(folder, 'secret.txt');
writeFileSync(secretFile, secret);

let sources = 0;

/** Makes a folder two levels below that of the secret, with these files. */
function makeSource(files: Readonly<Record<string, string>>): string {
  const source = join(folder, `source-${sources++}`, 'export');
  mkdirSync(source, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(source, path)), { recursive: true });
    writeFileSync(join(source, path), text);
  }
  return source;
}

/** Copies a source of the other tests. */
function copySource(name: string): string {
  const source = makeSource({});
  cpSync(join(import.meta.dirname, 'sources', name), source, { recursive: true });
  return source;
}

function link(place: string): void {
  mkdirSync(dirname(place), { recursive: true });
  rmSync(place, { force: true });
  symlinkSync(secretFile, place);
}

/** Runs a conversion with a separate folder for temporary files. */
async function run(format: string, source: string, ...options: string[]) {
  const out = join(folder, `out-${sources++}`);
  const temporary = mkdtempSync(join(folder, 'tmp-'));
  const words = [main, format, source, '--out', out, ...options];
  const env = { ...process.env, TMPDIR: temporary };
  const { code = 0, stderr } = await promisify(execFile)(process.execPath, words, { env }).then(
    (ended) => ({ ...ended, code: 0 }),
    (error: { code: number; stderr: string }) => error,
  );
  const left = readdirSync(temporary);
  // Nothing is written before the types are known.
  mkdirSync(out, { recursive: true });
  const files = readdirSync(out, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
  const report = texts[files.findIndex(({ name }) => name === 'report.md')] ?? '';
  return { code, stderr, left, report, leaks: texts.some((text) => text.includes(secret)) };
}

const sanity = (asset: string) =>
  `{"_id":"p","_type":"post","picture":{"_type":"image","_sanityAsset":"${asset}"}}\n`;

const outside = 'path that leads out of the source, and is not followed';
const unfollowed = 'link, which is not followed';

/** An entry of an archive; `0`, or without a type, is a file, `1` is a hard link, `2` a symbolic one, `x` a header of attributes. */
interface Entry {
  readonly name: string;
  readonly type?: '0' | '1' | '2' | 'x';
  readonly linkname?: string;
  readonly text?: string;
}

/** Writes an entry as POSIX says, with a length and a checksum in octal digits. */
function toTar({ name, type = '0', linkname = '', text = '' }: Entry): Buffer {
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`;
  const fill = (value: string, length: number) => value.padEnd(length, '\0');
  const begin = `${fill(name, 100)}${octal(0o644, 8)}${octal(0, 8)}${octal(0, 8)}${octal(text.length, 12)}${octal(0, 12)}`;
  const end = `${type}${fill(linkname, 100)}ustar\x0000`;
  const sum = Buffer.from(`${begin}        ${end}`).reduce((total, byte) => total + byte, 0);
  const header = fill(`${begin}${octal(sum, 7)} ${end}`, 512);
  return Buffer.from(header + fill(text, Math.ceil(text.length / 512) * 512), 'latin1');
}

function makeArchive(entries: readonly Entry[]): string {
  const path = join(makeSource({}), 'export.tar.gz');
  writeFileSync(path, gzipSync(Buffer.concat([...entries.map(toTar), Buffer.alloc(1024)])));
  return path;
}

describe('a path that leads out of a source is not followed, and reported', () => {
  it.each([
    'image@file://./../../secret.txt',
    'file@file://../../secret.txt',
    `image@file://./images/../../../secret.txt`,
    `image@file:///${secretFile}`,
  ])('Sanity, %s', async (asset) => {
    const { code, leaks, report } = await run('sanity', makeSource({ 'data.ndjson': sanity(asset) }));
    expect([code, leaks]).toEqual([0, false]);
    if (!asset.includes(':///')) expect(report).toContain(`| ${outside} | 1 |`);
    expect(report).toContain('| picture or file that the export lacks | 1 |');
  });

  it('Sanity, in an archive, whose entries may be links or lead out themselves', async () => {
    const archive = makeArchive([
      { name: 'production/data.ndjson', text: sanity(`image@file://./../../../../../../..${secretFile}`) },
      { name: 'production/images/link.png', type: '2', linkname: secretFile },
      { name: 'production/images/hard.png', type: '1', linkname: secretFile },
      { name: '../../escaped.txt', text: 'escaped' },
    ]);
    const { code, leaks, report, left } = await run('sanity', archive);
    expect([code, leaks, left]).toEqual([0, false, []]);
    expect(report).toContain(`| ${outside} | 1 |`);
    expect(report).toContain(`| ${unfollowed} | 3 |`);
    expect(readdirSync(folder)).not.toContain('escaped.txt');
  });

  it.each([
    ['sanity', 'sanity', 'images/abc-640x640.png'],
    ['strapi', 'strapi', 'assets/uploads/ferry_1a2b.png'],
    ['strapi', 'strapi', 'entities/entities_00009.jsonl'],
    ['strapi', 'strapi-rest', 'uploads/ferry_1a2b.png'],
    ['strapi', 'strapi-rest', 'secret.json'],
    ['directus', 'directus', 'uploads/11111111-1111-4111-8111-111111111111.png'],
    ['directus', 'directus', 'tags.json'],
    ['markdown', 'markdown', '_posts/map one.png'],
    ['markdown', 'markdown', '_posts/2024-07-01-secret.md'],
  ])('%s, with a link in %s at %s', async (format, name, place) => {
    const source = copySource(name);
    link(join(source, place));
    const { code, leaks, report } = await run(format, source);
    expect([code, leaks]).toEqual([0, false]);
    expect(report).toMatch(new RegExp(`\\| (${outside}|${unfollowed}) \\| 1 \\| ${place}`));
  });

  it('a link to a folder outside, and one to a file within, which is followed', async () => {
    const source = makeSource({
      'data.ndjson':
        sanity('image@file://./images/secret.txt') +
        sanity('image@file://./inside.png').replace('"p"', '"q"'),
      'kept.png': 'bytes that are kept',
    });
    symlinkSync(folder, join(source, 'images'));
    symlinkSync('kept.png', join(source, 'inside.png'));
    const { code, leaks, report } = await run('sanity', source);
    expect([code, leaks]).toEqual([0, false]);
    expect(report).toContain(`| ${outside} | 1 | images/secret.txt |`);
    expect(report).not.toContain('inside.png');
  });

  it('Contentful, by the name of a host and by percent signs', async () => {
    const file = (id: string, url: string) => ({
      sys: { id, publishedVersion: 1, version: 2 },
      fields: { file: { 'en-US': { url, fileName: 'a.txt' } } },
    });
    const source = makeSource({
      'images.ctfassets.net/a.txt': 'kept',
      'export.json': JSON.stringify({
        contentTypes: [{ sys: { id: 'page' }, name: 'Page', fields: [] }],
        locales: [{ code: 'en-US', default: true }],
        assets: [
          file('a', '//../secret.txt'),
          file('b', '//images.ctfassets.net/..%2f..%2f..%2fsecret.txt'),
          file('c', '//linked.ctfassets.net/secret.txt'),
        ],
      }),
    });
    writeFileSync(join(dirname(source), 'secret.txt'), secret);
    symlinkSync(folder, join(source, 'linked.ctfassets.net'));
    const { code, leaks, report } = await run('contentful', join(source, 'export.json'));
    expect([code, leaks]).toEqual([0, false]);
    expect(report).toContain('| file whose bytes the export lacks | 3 |');
    expect(report).toContain(`| ${outside} |`);
  });

  it('a hard link in a folder is a file of it', async () => {
    const source = makeSource({
      'data.ndjson': sanity('image@file://./kept.png'),
      'first.png': 'kept bytes',
    });
    linkSync(join(source, 'first.png'), join(source, 'kept.png'));
    expect((await run('sanity', source)).report).toContain('Everything was carried over.');
  });
});

describe('what a source may become is limited', () => {
  const zeros = (bytes: number) => '0'.repeat(bytes);

  it('the bytes of an archive, of which nothing is left', async () => {
    const archive = makeArchive([
      { name: 'data.ndjson', text: sanity('') },
      { name: 'images/a.png', text: zeros(30_000_000) },
    ]);
    const refused = await run('sanity', archive, '--max-bytes', '20000000');
    expect(refused).toMatchObject({ code: 1, left: [] });
    expect(refused.stderr).toBe(
      `colophon-import: ${archive} unpacks to more than 20000000 bytes: --max-bytes sets another limit, if you trust the archive\n`,
    );
    expect(await run('sanity', archive, '--max-bytes', '40000000')).toMatchObject({ code: 0, left: [] });
  });

  it('the number of files in an archive', async () => {
    const empty = Array.from({ length: 1_000 }, (_, number) => ({ name: `${number}.txt` }));
    const refused = await run('sanity', makeArchive(empty), '--max-bytes', '4000000');
    expect(refused.stderr).toContain('unpacks to more than 4000000 bytes');
  });

  it('the header of an entry', async () => {
    const archive = makeArchive([{ name: 'a', type: 'x', text: zeros(20_000_000) }]);
    const refused = await run('sanity', archive);
    expect(refused).toMatchObject({ code: 1, left: [] });
    expect(refused.stderr).toContain('is no archive: Header exceeds max size');
  });

  it.each(['0', '-1', '20GB', '1e9'])('--max-bytes %s is refused', async (given) => {
    const { stderr } = await promisify(execFile)(process.execPath, [
      main,
      'sanity',
      folder,
      '--out',
      join(folder, 'none'),
      `--max-bytes=${given}`,
    ]).catch((error: { stderr: string }) => error);
    expect(stderr).toContain(`--max-bytes must be a number of bytes, not ${given}`);
  });

  const long = zeros(70_000_000);
  it.each([
    [
      'sanity',
      'data.ndjson',
      `{"_id":"a","_type":"b"}\n{"a":"${long}"}`,
      'has a line of more than 64000000 characters, line 2',
    ],
    ['json', 'items.json', `[{"a":"${long}"}]`, 'has an item of more than 64000000 characters'],
    ['json', 'items.json', `[{"a":"${long}`, 'has an item of more than 64000000 characters'],
    ['csv', 'items.csv', `a,b\n1,"${long}"\n`, 'has a row of more than 64000000 characters'],
    [
      'wxr',
      'items.xml',
      `<rss><channel><item><title>${long}</title></item></channel></rss>`,
      'has an element of more than 64000000 characters',
    ],
    [
      'wxr',
      'items.xml',
      `<rss><channel><!--${long}--></channel></rss>`,
      'has an element of more than 64000000 characters',
    ],
    [
      'json',
      'items.json',
      `[${'['.repeat(200_000)}${']'.repeat(200_000)}]`,
      'has values that are nested too deeply',
    ],
    [
      'json',
      'items.json',
      `[{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}]`,
      'has values that are nested too deeply',
    ],
  ])('%s: a value in %s', async (format, name, text, message) => {
    const source = join(makeSource({ [name]: text }), name);
    const refused = await run(format, source);
    expect([refused.code, refused.stderr.slice(0, 400)]).toEqual([1, expect.stringContaining(message)]);
  });

  it('a file of text', async () => {
    const source = makeSource({ 'posts/a.md': '# A' });
    truncateSync(join(source, 'posts/a.md'), 65_000_000);
    expect((await run('markdown', source)).stderr).toContain('has a file of more than 64000000 bytes');
  });
});
