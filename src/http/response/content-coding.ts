/**
 * The content codings of responses: which one a request prefers, and compression.
 *
 * Compression runs on threads of Node.js, so that it never holds the event loop. The quality is the one at which a better result
 * would take several times as long.
 */
import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import {
  brotliCompress,
  createBrotliCompress,
  createGzip,
  gzip,
  constants as zlibConstants,
} from 'node:zlib';
import { LRUCache } from 'lru-cache';

/** The supported content codings of HTTP, the best first. */
const codings = ['br', 'gzip'] as const;
export type Coding = (typeof codings)[number];

/** Bodies of at most this many bytes are not compressed. */
export const uncompressedBytes = 1024;

/** Returns the supported coding that an `Accept-Encoding` prefers; `undefined` means not compressed. */
export type CodingChooser = (acceptEncoding: string | undefined) => Coding | undefined;

/** Creates a chooser that remembers the recent headers, since few different ones are in use. */
export function createCodingChooser(): CodingChooser {
  const chosen = new LRUCache<string, { readonly coding: Coding | undefined }>({ max: 100 });
  return (acceptEncoding) => {
    if (acceptEncoding === undefined) return undefined;
    const known = chosen.get(acceptEncoding);
    if (known) return known.coding;
    const coding = chooseCoding(acceptEncoding);
    if (acceptEncoding.length <= maxCachedCharacters) chosen.set(acceptEncoding, { coding });
    return coding;
  };
}

const maxCachedCharacters = 200;

/** Chooses by quality. Without any acceptable coding, RFC 9110 allows an uncompressed response. */
export const chooseCoding: CodingChooser = (acceptEncoding = '') => {
  const qualities = new Map(acceptEncoding.toLowerCase().split(',').map(parseElement));
  const qualityOf = (coding: string) => qualities.get(coding) ?? qualities.get('*') ?? 0;
  const [best] = codings.toSorted((one, other) => qualityOf(other) - qualityOf(one));
  const isAccepted = best !== undefined && qualityOf(best) > 0;
  return isAccepted && qualityOf(best) >= (qualities.get('identity') ?? 0) ? best : undefined;
};

/** Parses one element, such as `gzip;q=0.5`. An invalid quality counts as 0. */
function parseElement(element: string): [coding: string, quality: number] {
  const [coding = '', ...parameters] = element.split(';').map((part) => part.trim());
  const quality = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '');
  return [coding, quality === undefined ? 1 : Number(quality) || 0];
}

const [toBrotli, toGzip] = [promisify(brotliCompress), promisify(gzip)];

/** Compresses a body. */
export function compress(body: string | Buffer, coding: Coding): Promise<Buffer> {
  return coding === 'gzip' ? toGzip(body) : toBrotli(body, { params: brotliParams });
}

/** Creates a stream that compresses. Each piece that is written can be decompressed when it arrives. */
export function createEncoder(coding: Coding): Transform {
  return coding === 'gzip'
    ? createGzip({ flush: zlibConstants.Z_SYNC_FLUSH })
    : createBrotliCompress({ flush: zlibConstants.BROTLI_OPERATION_FLUSH, params: brotliParams });
}

const brotliParams = { [zlibConstants.BROTLI_PARAM_QUALITY]: 4 };
