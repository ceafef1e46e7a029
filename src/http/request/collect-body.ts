/**
 * Collects the bytes of a body: no more than it may have, in no more time than it may take, and uncompressed.
 *
 * What is refused is refused at once: by the head if that says enough, or at the first byte too many. The rest of the body is then left
 * to whoever ends the connection.
 */
import {
  type BrotliDecompress,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
  type Gunzip,
  type Inflate,
  type ZstdDecompress,
} from 'node:zlib';
import type { Request, Response } from 'express';
import { bodyTooLarge, bodyTooSlow, invalidJson, unsupportedMediaType } from '../../base/errors.ts';

/** How large a body may be, as it arrives and once any compression is undone. */
export interface BodyLimits {
  readonly maxBodyBytes: number;
}

/** What a body has from the start, and what each 64 KiB that have arrived add. */
const firstMs = 10_000;
const msPer64Kib = 1000;

/** How long a body may take of which so many bytes have arrived. */
export function bodyTimeoutMs(receivedBytes: number): number {
  return firstMs + Math.ceil((receivedBytes / 65_536) * msPer64Kib);
}

/**
 * Reads a body to its end; a client that asked whether to send it is told to.
 *
 * Errors: body_too_large, body_too_slow, unsupported_media_type for an unknown compression, invalid_json when it ends too early or is
 * not compressed as it says.
 */
export async function collectBody(
  request: Request,
  response: Response,
  { maxBodyBytes }: BodyLimits,
): Promise<Buffer> {
  const createDecoder = findDecoder(request);
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) throw bodyTooLarge(maxBodyBytes);
  if (request.destroyed) throw brokenOff();
  const decoder = createDecoder?.();
  if (isContinueExpected(request)) response.writeContinue();
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();

  let receivedBytes = 0;
  const startedMs = performance.now();
  const checkTime = () => {
    const leftMs = bodyTimeoutMs(receivedBytes) - (performance.now() - startedMs);
    if (leftMs <= 0) reject(bodyTooSlow());
    else timer = setTimeout(checkTime, leftMs);
  };
  let timer = setTimeout(checkTime, firstMs);

  const chunks: Buffer[] = [];
  let bytes = 0;
  const receive = (chunk: Buffer) => {
    receivedBytes += chunk.length;
    if (receivedBytes > maxBodyBytes) reject(bodyTooLarge(maxBodyBytes));
  };
  const collect = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) reject(bodyTooLarge(maxBodyBytes));
    else chunks.push(chunk);
  };
  const fail = () => reject(brokenOff());
  request.on('data', receive).on('error', fail);
  const source = decoder ? request.pipe(decoder) : request;
  source.on('data', collect).on('error', fail);
  source.once('end', () => resolve(Buffer.concat(chunks)));

  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    request.off('data', receive).off('data', collect);
    if (decoder) request.unpipe(decoder);
    decoder?.destroy();
    // What still comes is dropped: a request that nobody reads would keep its connection waiting.
    request.resume();
  }
}

const brokenOff = () => invalidJson('it did not arrive as its headers say');

type Decoder = BrotliDecompress | Gunzip | Inflate | ZstdDecompress;

const decoders = new Map<string, () => Decoder>([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  ['zstd', createZstdDecompress],
]);

/** Finds what undoes the compression of a body, if it has one. */
function findDecoder({ headers }: Request) {
  const coding = (headers['content-encoding'] ?? 'identity').toLowerCase();
  const createDecoder = decoders.get(coding);
  if (!createDecoder && coding !== 'identity') throw unsupportedMediaType(`Content-Encoding ${coding}`);
  return createDecoder;
}

/** What Node takes for a client that waits before it sends the body. */
function isContinueExpected({ headers, httpVersion }: Request): boolean {
  return httpVersion === '1.1' && /(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect ?? '');
}
