import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openInput, openStream } from '../../../../src/transfer/import/input.ts';
import { temporaryFolder } from '../../../support/opened.ts';

const folder = temporaryFolder();
const path = join(folder, 'input.ndjson');

const open = (bytes: Buffer | string) => {
  writeFileSync(path, bytes);
  return openInput(path);
};
const readAll = async (chunks: AsyncIterable<Buffer>) =>
  Buffer.concat(await Readable.from(chunks).toArray()).toString();
const line = '{"_type":"T"}\n';

describe('an input', () => {
  it('can be read from any position of a file, up to its size when opened', async () => {
    const input = await open('abcdef');
    writeFileSync(path, 'abcdefghi');
    expect(await readAll(input.chunks(2))).toBe('cdef');
    expect(await readAll(input.chunks(6))).toBe('');
  });

  it('has an identity that depends on its content', async () => {
    const identities = [(await open('a')).identity, (await open('b')).identity, (await open('ab')).identity];
    expect(new Set(identities).size).toBe(3);
  });

  it('can be read again from a stream, whose copy is deleted', async () => {
    const pieces = Array.from({ length: 50 }, (_, n) => Buffer.from(String(n).repeat(3000)));
    const input = await openStream('it', Readable.from(pieces));
    const whole = Buffer.concat(pieces).toString();
    expect([input.size, input.isTerminated]).toEqual([whole.length, false]);
    for (const from of [0, 0, 9]) expect(await readAll(input.chunks(from))).toBe(whole.slice(from));
    input.close();
    await expect(readAll(input.chunks(0))).rejects.toThrow('ENOENT');
    const empty = await openStream('it', Readable.from([]));
    expect(await readAll(empty.chunks(0))).toBe('');
    empty.close();
  });

  it.each([
    ['little-endian UTF-16 with a byte order mark', Buffer.from(`\ufeff${line}`, 'utf16le'), /is in UTF-16/],
    [
      'big-endian UTF-16 with a byte order mark',
      Buffer.from(`\ufeff${line}`, 'utf16le').swap16(),
      /is in UTF-16/,
    ],
    ['UTF-16', Buffer.from(line, 'utf16le'), /is in UTF-16/],
    ['big-endian UTF-16 without a byte order mark', Buffer.from(line, 'utf16le').swap16(), /is in UTF-16/],
    ['gzip', gzipSync(line), /gunzip/],
    ['zstd', Buffer.from('28b52ffd00', 'hex'), /zstd/],
    ['a ZIP archive', Buffer.from('504b030400', 'hex'), /ZIP/],
    ['a list over many lines', `[\n  ${line}]`, /one JSON list/],
    ['a list', `[${line.trim()},${line.trim()}]`, /one JSON list/],
    ['an object over many lines', '{\n  "_type": "T"\n}', /one JSON object over several lines/],
    ['WXR', '<?xml version="1.0"?>\n<rss xmlns:wp="http://wordpress.org/export/1.2/">', /WordPress/],
    ['XML', '<a/>', /is XML or HTML/],
    ['Contentful', '{"contentTypes":[],"entries":[]}', /export of Contentful/],
    ['CSV', '"slug",headline,body text\na,b,c\n', /a table/],
  ])('of %s is refused', async (_, bytes, reason) => {
    await expect(open(bytes)).rejects.toThrow(reason);
    await expect(openStream('it', Readable.from([Buffer.from(bytes)]))).rejects.toThrow(reason);
  });

  it.each([line, `\ufeff${line}`, '', 'nonsense\n', '{\n', '\n'])('%j is not', async (text) => {
    expect(await readAll((await open(text)).chunks(0))).toBe(text);
  });

  it('fails when it does not exist or is a folder', async () => {
    await expect(openInput(join(folder, 'nowhere'))).rejects.toThrow('ENOENT');
    await expect(openInput(folder)).rejects.toThrow('EISDIR');
  });
});
