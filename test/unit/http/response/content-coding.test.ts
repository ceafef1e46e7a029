import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { compress, createCodingChooser } from '../../../../src/http/response/send-response.ts';

describe('the coding of a response', () => {
  const choose = createCodingChooser();

  it.each([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['deflate, zstd', undefined],
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0.8, gzip;q=0.80', 'br'],
    ['gzip ; q=0.001', 'gzip'],
    ['br;q=0, gzip;q=0', undefined],
    ['br;q=0, *', 'gzip'],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['gzip;q=0.5, identity', undefined],
    ['gzip;q=0.5, identity;q=0.5', 'gzip'],
    ['gzip, identity;q=0', 'gzip'],
    ['identity;q=0', undefined],
    ['gzip;q=x', undefined],
  ])('for Accept-Encoding %j is %j, also when it is asked again', (header, coding) => {
    expect([choose(header), choose(header)]).toEqual([coding, coding]);
  });
});

it('a compressed body is the same after decompression', async () => {
  const text = '{"ä":"🙂"}'.repeat(500);
  expect(gunzipSync(await compress(text, 'gzip')).toString()).toBe(text);
  expect(brotliDecompressSync(await compress(text, 'br')).toString()).toBe(text);
});
