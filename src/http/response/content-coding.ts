/**
 * The content codings of responses: which one a request prefers, and compression.
 *
 * Compression runs on threads of Node.js, so that it never holds the event loop. The quality is the one at which a better result
 * would take several times as long.
 */
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlibConstants } from 'node:zlib';
import { LRUCache } from 'lru-cache';

/** The supported content codings of HTTP, the best first. */
export const codings = ['br', 'gzip'] as const;
export type Coding = (typeof codings)[number];

/** Bodies of at most this many bytes are not compressed. */
export const uncompressedBytes = 1024;

/** Returns the supported coding that an `Accept-Encoding` prefers; `undefined` means not compressed. */
export type CodingChooser = (acceptEncoding: string | undefined) => Coding | undefined;

/** Creates a chooser. It remembers the recent headers, since few different ones are in use. */
export function createCodingChooser(): CodingChooser {
  const chosen = new LRUCache<string, Coding | 'identity'>({ max: 100 });
  return (acceptEncoding) => {
    if (acceptEncoding === undefined) return undefined;
    const coding = chosen.get(acceptEncoding) ?? negotiate(acceptEncoding);
    if (acceptEncoding.length <= maxKeptCharacters) chosen.set(acceptEncoding, coding);
    return coding === 'identity' ? undefined : coding;
  };
}

const maxKeptCharacters = 200;

/** Chooses by quality. Without any acceptable coding, RFC 9110 allows an uncompressed response. */
function negotiate(acceptEncoding: string): Coding | 'identity' {
  const qualities = new Map(acceptEncoding.toLowerCase().split(',').map(parseElement));
  const qualityOf = (coding: string) => qualities.get(coding) ?? qualities.get('*') ?? 0;
  const [best] = codings.toSorted((one, other) => qualityOf(other) - qualityOf(one));
  const isAccepted = best !== undefined && qualityOf(best) > 0;
  return isAccepted && qualityOf(best) >= (qualities.get('identity') ?? 0) ? best : 'identity';
}

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

const brotliParams = { [zlibConstants.BROTLI_PARAM_QUALITY]: 4 };
