/**
 * Reads bodies by their media type, within limits of size and time. The bytes of JSON are collected and decompressed; those of a file are
 * streamed and never collected. `model/values/parse-json.ts` decides which JSON is allowed.
 *
 * A body that exceeds a limit is rejected at once: because of its headers, or at the first byte beyond the limit. The rest of the body
 * is not read here; `app/server/server.ts` discards it.
 */

import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
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
import { parse } from 'content-type';
import {
  bodyTooLarge,
  bodyTooSlow,
  invalidBody,
  invalidJson,
  invalidParameter,
  tooManyRequests,
  unsupportedMediaType,
} from '../../base/errors.ts';
import type { RequestBody } from '../../documents/document-parts.ts';
import type { Json, JsonObject } from '../../model/content-type.ts';
import { parseJson, parseJsonObject } from '../../model/values/parse-json.ts';
import type { BodyMemory, HeldBody } from './limit-requests.ts';
import type { Request, RequestLocals, Response } from './request-head.ts';

export type BodyReader<Body = Json> = (request: Request, response: Response) => Promise<Body>;

/**
 * A function that reads the body of a request to an API, of one of the media types that its operation has: JSON, or bytes, which the
 * handler streams. A body that may be absent is `undefined` then.
 */
export type ApiBodyReader = (
  request: Request,
  response: Response,
  body: RequestBody,
) => Promise<Json | UploadBody | undefined>;

/**
 * Creates a reader for bodies that are JSON objects.
 *
 * Errors: unsupported_media_type, body_too_large, body_too_slow, invalid_json, invalid_body, too_many_values.
 */
export function createJsonReader(limits: BodyLimits): BodyReader<JsonObject> {
  return async (request, response) => {
    assertMediaType(request, [jsonType]);
    return parseJsonObject(await readBytes(request, response, limits));
  };
}

/** Creates a reader for the bodies of an API. Errors: as above. */
export function createApiBodyReader(limits: BodyLimits): ApiBodyReader {
  return async (request, response, { isRequired, kinds }) => {
    if (!isRequired && !hasBody(request)) return undefined;
    if (kinds.has(anyType)) return prepareUpload(request, response, limits);
    const kind = kinds.get(assertMediaType(request, [...kinds.keys()]));
    if (kind === 'binary') return prepareUpload(request, response, limits);
    const bytes = await readBytes(request, response, limits);
    return kind === 'json' ? parseJson(bytes) : parseJsonObject(bytes);
  };
}

/** The variables in a body: the members of a JSON object, or a form that is not decoded yet. */
interface VariablesBody {
  readonly body?: JsonObject;
  readonly form?: string;
}

/** Creates a reader for variables in an optional body, which is JSON or a form. Errors: as those of createJsonReader. */
export function createVariablesReader(limits: BodyLimits): BodyReader<VariablesBody> {
  return async (request, response) => {
    if (!hasBody(request)) return {};
    const type = assertMediaType(request, [jsonType, formType]);
    const bytes = await readBytes(request, response, limits);
    return type === jsonType ? { body: parseJsonObject(bytes) } : { form: decodeForm(bytes) };
  };
}

/** Collects a body, and then has the request go on. */
async function readBytes(request: Request, response: Response, limits: BodyLimits): Promise<Buffer> {
  const bytes = await collectBody(request, response, limits);
  // The application sets the locals.
  (response.locals as RequestLocals).continueWork?.();
  return bytes;
}

const anyType = '*/*';
const jsonType = 'application/json';
const jsonPatchType = 'application/json-patch+json';

/** Whether the body of a request that was read is a JSON Patch. */
export const isJsonPatch = (contentType: string) => parse(contentType).type === jsonPatchType;

const formType = 'application/x-www-form-urlencoded';

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function decodeForm(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw invalidParameter('The form', 'is not UTF-8');
  return bytes.toString();
}

/** Returns the media type of the body, which must be one of `types`, in UTF-8. Errors: unsupported_media_type. */
function assertMediaType({ headers }: Request, types: readonly string[]): string {
  const received = headers['content-type'] ?? '';
  const { type, parameters } = parse(received);
  const { charset = 'utf-8' } = parameters;
  // The parser returns only the first of several character sets.
  const isUtf8Only = charset.toLowerCase() === 'utf-8' && received.split(/;\s*charset\s*=/i).length <= 2;
  if (!types.includes(type) || !isUtf8Only) throw unsupportedMediaType(headers['content-type'], types);
  return type;
}

// The body of an upload: the bytes of a file, which are streamed and never collected.
//
// Its headers are checked when it is prepared; it is read, and a client that waits for `100 Continue` is asked for it, when the handler
// opens it. Then it has the time that every body has for the bytes that have arrived.

export type UploadBody = ReturnType<typeof prepareUpload>;

/** Prepares the body of a request. Errors: unsupported_media_type for a content coding, body_too_large. */
function prepareUpload(
  request: Request,
  response: Response,
  { maxFileBytes }: Pick<BodyLimits, 'maxFileBytes'>,
) {
  const { 'content-encoding': coding = 'identity', 'content-length': length = 0 } = request.headers;
  if (coding.toLowerCase() !== 'identity') throw unsupportedMediaType(`Content-Encoding ${coding}`, []);
  if (Number(length) > maxFileBytes) throw bodyTooLarge(maxFileBytes);
  return {
    /** Opens the bytes, once. They fail with body_too_slow, and with invalid_body when the client stops early. */
    open: (): Readable => openBody(request, response),
  };
}

/** Opens the bytes as a separate stream: destroying it leaves the connection open for the response. */
function openBody(request: Request, response: Response): Readable {
  // The application sets the locals.
  const { continueWork } = response.locals as RequestLocals;
  const endEarly = () => bytes.destroy(invalidBody([{ path: '', message: 'The body ended too early' }]));
  const receive = (chunk: Buffer) => {
    continueWork?.();
    if (!bytes.push(chunk)) request.pause();
  };
  const end = () => {
    stopClock();
    bytes.push(null);
  };
  const bytes = new Readable({
    read: () => void request.resume(),
    destroy(error, done) {
      stopClock();
      request.off('data', receive).off('end', end);
      // Discards what still arrives: a request that is not read to its end would block its connection.
      request.resume();
      done(error);
    },
  });
  if (isContinueExpected(request)) response.writeContinue();
  const stopClock = limitTime(request, (error) => bytes.destroy(error));
  request
    .on('data', receive)
    .once('end', end)
    .on('error', endEarly)
    .once('close', () => {
      if (!request.complete) endEarly();
    });
  if (request.destroyed) endEarly();
  return bytes;
}

// Collects the bytes of a body and decompresses them, within limits of size and time.
//
// A body that exceeds a limit is rejected at once: because of its headers, or at the first byte beyond the limit. The rest of the body
// is not read here; `app/server/server.ts` discards it.

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
async function collectBody(
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
function limitTime(request: Request, refuse: (error: Error) => void): () => void {
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
function isContinueExpected({ headers, httpVersion }: Request): boolean {
  return httpVersion === '1.1' && /(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect ?? '');
}
