/**
 * Collects the bytes of a body and decompresses them, within limits of size and time.
 *
 * A body that exceeds a limit is rejected at once: because of its headers, or at the first byte beyond the limit. The rest of the body
 * is not read here; `app/server/connection.ts` discards it.
 */
import type { Readable } from 'node:stream';
import {
  type BrotliDecompress,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
  type Gunzip,
  type Inflate,
  type ZstdDecompress,
  constants as zlibConstants,
} from 'node:zlib';
import {
  bodyTooLarge,
  bodyTooSlow,
  invalidJson,
  tooManyRequests,
  unsupportedMediaType,
} from '../../base/errors.ts';
import type { BodyMemory, HeldBody } from './body-memory.ts';
import type { Request, Response } from './http-request.ts';

/** The limits of bodies. */
export interface BodyLimits {
  /** The maximum size of a body, as it arrives and after it is decompressed. */
  readonly maxBodyBytes: number;
  /** The maximum size of an uploaded file, whose body is never collected. */
  readonly maxFileBytes: number;
  /** Bounds what all bodies hold together. */
  readonly memory: BodyMemory;
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
 * or is not compressed as its header says, too_many_requests when all bodies together need too much memory.
 */
export async function collectBody(
  request: Request,
  response: Response,
  { maxBodyBytes, memory }: Pick<BodyLimits, 'maxBodyBytes' | 'memory'>,
): Promise<Buffer> {
  const createDecoder = findDecoder(request);
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) throw bodyTooLarge(maxBodyBytes);
  if (request.destroyed) throw incompleteBody();
  const arrived = createDecoder ? undefined : readArrived(request);
  if (arrived) return arrived;
  if (isContinueExpected(request)) response.writeContinue();
  const { promise: refusal, reject: refuse } = Promise.withResolvers<never>();
  const held = memory.hold(() => refuse(tooManyRequests()));
  response.once('close', held.release);
  const limits = { maxBodyBytes, held, refusal };
  try {
    const stopClock = limitTime(request, refuse);
    const sent = await collect(request, limits).finally(stopClock);
    // A compressed body is decompressed when it is complete, so that one that never ends holds no more than was sent.
    return createDecoder ? await decode(sent, createDecoder(), limits) : sent;
  } finally {
    held.complete();
    // Discard what still arrives: a request that is not read to its end would block its connection.
    request.resume();
  }
}

/** A body of at most this many bytes is not counted as held. */
const uncountedBytes = 16_384;

/** Reads a body that arrived together with the head of its request, as small ones do; `undefined` for others. */
function readArrived(request: Request): Buffer | undefined {
  if (!request.complete || request.readableLength > uncountedBytes) return undefined;
  return request.read() ?? Buffer.alloc(0);
}

/** Calls `refuse` when a body has not arrived within its time. Returns the function that stops the clock. */
export function limitTime(request: Request, refuse: (error: Error) => void): () => void {
  const startedMs = performance.now();
  let receivedBytes = 0;
  const count = (chunk: Buffer) => {
    receivedBytes += chunk.length;
  };
  const checkTime = () => {
    const leftMs = bodyTimeoutMs(receivedBytes) - (performance.now() - startedMs);
    if (leftMs <= 0) refuse(bodyTooSlow());
    else timer = setTimeout(checkTime, leftMs);
  };
  let timer = setTimeout(checkTime, firstMs);
  request.on('data', count);
  return () => {
    clearTimeout(timer);
    request.off('data', count);
  };
}

interface CollectLimits {
  readonly maxBodyBytes: number;
  readonly held: HeldBody;
  /** Rejected when the body must be given up. */
  readonly refusal: Promise<never>;
}

/**
 * Collects the bytes of a stream. They are copied into one buffer that grows, because each chunk is an object of several hundred bytes,
 * and a chunk can be a single byte.
 */
async function collect(source: Readable, { maxBodyBytes, held, refusal }: CollectLimits): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  let buffer = Buffer.alloc(0);
  let length = 0;
  const append = (chunk: Buffer) => {
    const needed = length + chunk.length;
    if (needed > maxBodyBytes) {
      reject(bodyTooLarge(maxBodyBytes));
      return;
    }
    if (needed > buffer.length) {
      const grown = Buffer.allocUnsafe(Math.min(Math.max(needed, 2 * buffer.length), maxBodyBytes));
      buffer.copy(grown, 0, 0, length);
      buffer = grown;
      held.resize(buffer.length);
    }
    chunk.copy(buffer, length);
    length = needed;
  };
  source
    .on('data', append)
    .on('error', () => reject(incompleteBody()))
    .once('end', () => resolve(buffer.subarray(0, length)));
  try {
    return await Promise.race([promise, refusal]);
  } finally {
    source.off('data', append);
  }
}

async function decode(sent: Buffer, decoder: Decoder, limits: CollectLimits): Promise<Buffer> {
  decoder.end(sent);
  try {
    return await collect(decoder, limits);
  } finally {
    decoder.destroy();
  }
}

const incompleteBody = () => invalidJson('its length or compression is not what its headers say');

type Decoder = BrotliDecompress | Gunzip | Inflate | ZstdDecompress;

const decoders = new Map<string, () => Decoder>([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  // The window of a frame is memory that its header asks for. RFC 8878 recommends 8 MB as the maximum.
  ['zstd', () => createZstdDecompress({ params: { [zlibConstants.ZSTD_d_windowLogMax]: 23 } })],
]);

/** Finds the function that creates the decoder of a compressed body. */
function findDecoder({ headers }: Request) {
  const coding = (headers['content-encoding'] ?? 'identity').toLowerCase();
  const createDecoder = decoders.get(coding);
  if (!createDecoder && coding !== 'identity') throw unsupportedMediaType(`Content-Encoding ${coding}`);
  return createDecoder;
}

/** Tells whether the client waits for permission to send the body, by the same test as Node.js. */
export function isContinueExpected({ headers, httpVersion }: Request): boolean {
  return httpVersion === '1.1' && /(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect ?? '');
}
