/**
 * Collects the bytes of a body and decompresses them, within limits of size and time.
 *
 * A body that exceeds a limit is rejected at once: because of its headers, or at the first byte beyond the limit. The rest of the body
 * is not read here; `app/connection.ts` discards it.
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
import { bodyTooLarge, bodyTooSlow, invalidJson, unsupportedMediaType } from '../../base/errors.ts';
import type { Request, Response } from './http-request.ts';

/** The maximum size of a body, as it arrives and after it is decompressed. */
export interface BodyLimits {
  readonly maxBodyBytes: number;
}

/** The time that each body has, and the time that each 64 KiB that have arrived add to it. */
const firstMs = 10_000;
const msPer64Kib = 1000;

/** Returns the time limit of a body, given the number of bytes that have arrived. */
export function bodyTimeoutMs(receivedBytes: number): number {
  return firstMs + Math.ceil((receivedBytes / 65_536) * msPer64Kib);
}

/**
 * Reads a complete body. If the client sent `Expect: 100-continue`, it is first asked for the body.
 *
 * Errors: body_too_large, body_too_slow, unsupported_media_type for an unknown compression, invalid_json when the body ends too early
 * or is not compressed as its header says.
 */
export async function collectBody(
  request: Request,
  response: Response,
  { maxBodyBytes }: BodyLimits,
): Promise<Buffer> {
  const createDecoder = findDecoder(request);
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) throw bodyTooLarge(maxBodyBytes);
  if (request.destroyed) throw incompleteBody();
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
  const fail = () => reject(incompleteBody());
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
    // Discard what still arrives: a request that is not read to its end would block its connection.
    request.resume();
  }
}

const incompleteBody = () => invalidJson('its length or compression is not what its headers say');

type Decoder = BrotliDecompress | Gunzip | Inflate | ZstdDecompress;

const decoders = new Map<string, () => Decoder>([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  ['zstd', createZstdDecompress],
]);

/** Finds the function that creates the decoder of a compressed body. */
function findDecoder({ headers }: Request) {
  const coding = (headers['content-encoding'] ?? 'identity').toLowerCase();
  const createDecoder = decoders.get(coding);
  if (!createDecoder && coding !== 'identity') throw unsupportedMediaType(`Content-Encoding ${coding}`);
  return createDecoder;
}

/** Tells whether the client waits for permission to send the body, by the same test as Node.js. */
function isContinueExpected({ headers, httpVersion }: Request): boolean {
  return httpVersion === '1.1' && /(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect ?? '');
}
