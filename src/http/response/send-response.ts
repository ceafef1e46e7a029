/**
 * Sends responses: JSON, text, or a streamed body.
 */

import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import {
  brotliCompress,
  createBrotliCompress,
  createGzip,
  gzip,
  constants as zlibConstants,
} from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { type CorsSettings, defaultMaxAge } from '../../access/allowed-origins.ts';
import type { HttpResponse } from '../error-map.ts';
import type { Request, RequestLocals, Response } from '../request/request-head.ts';
import { type StreamedBody, toByteStream } from './streamed-body.ts';

/** More than a streamed response has; Node.js warns of a leak above it. */
const maxListeners = 20;

const jsonType = 'application/json; charset=utf-8';

/** Sends a response with its body as JSON in UTF-8, and with the headers that were added before. */
export function sendResponse(response: Response, { status, headers = {}, body }: HttpResponse): void {
  if (body === undefined) response.writeHead(status, listHeaders(response, { headers })).end();
  else sendText(response, { status, headers, text: JSON.stringify(body) });
}

/** Sends a response whose body is already JSON text. */
export function sendText(
  response: Response,
  { text, ...head }: Omit<HttpResponse, 'body'> & { readonly text: string },
): void {
  sendData(response, { ...head, data: text, byteLength: Buffer.byteLength(text) });
}

/** Sends a response whose body is JSON text, or that in a content coding which the headers name. */
export function sendData(
  response: Response,
  {
    status,
    headers,
    data,
    byteLength,
  }: Omit<HttpResponse, 'body'> & { readonly data: string | Buffer; readonly byteLength: number },
): void {
  const list = listHeaders(response, { headers, contentType: jsonType, byteLength });
  // Node.js sends a string in one piece with the headers, but a buffer in a second piece. ASCII needs no conversion.
  response.writeHead(status, list).end(data, data.length === byteLength ? 'latin1' : 'utf8');
}

/**
 * Sends a response whose body is read while it is sent, at the speed of the client. When the client disconnects, reading stops.
 *
 * Errors: those of reading. The head has already been sent then, so the connection is cut: the client must not mistake a part of the
 * body for all of it.
 */
async function sendStream(
  response: Response,
  {
    status,
    headers,
    stream,
    coding,
  }: Omit<HttpResponse, 'body'> & {
    readonly stream: StreamedBody;
    /** Compresses the body; the headers must name the coding. */
    readonly coding?: Coding | undefined;
  },
): Promise<void> {
  response.writeHead(status, listHeaders(response, { headers, contentType: jsonType }));
  if (response.req.method === 'HEAD') response.end();
  else await pipe(toByteStream(stream), response, coding && createEncoder(coding));
}

/**
 * Sends a response whose body is bytes of a known length at the speed of the client. When the client disconnects, the source is destroyed.
 * Errors: those of the source, and an end of it before or after that length; the connection is cut then.
 */
export async function sendBytes(
  response: Response,
  {
    status,
    headers,
    byteLength,
    source,
  }: Omit<HttpResponse, 'body'> & { readonly byteLength: number; readonly source: Readable },
): Promise<void> {
  response.writeHead(status, listHeaders(response, { headers, byteLength }));
  await pipe(source, response, createLengthCheck(byteLength));
}

/**
 * Passes on bytes, and fails unless there are as many as expected. `strictContentLength` of Node.js throws where no promise rejects, which
 * ends the process.
 */
function createLengthCheck(expected: number): Transform {
  let passed = 0;
  const mismatch = () => new Error(`a response of ${expected} bytes has ${passed} or more`);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passed += chunk.length;
      if (passed > expected) done(mismatch());
      else done(null, chunk);
    },
    flush(done) {
      done(passed < expected ? mismatch() : null);
    },
  });
}

async function pipe(source: Readable, response: Response, through?: Transform): Promise<void> {
  // Several parts of the server wait for the end of each response, and `pipeline` adds listeners for the events of its stream.
  response.setMaxListeners(maxListeners);
  try {
    await (through ? pipeline(source, through, response) : pipeline(source, response));
  } catch (error) {
    // The client has disconnected, so no response is needed.
    if ((through ?? source).errored === null || isPrematureClose(error)) return;
    throw error;
  }
}

function isPrematureClose(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}

// Sends responses compressed, if they are longer than 1 KiB and the request accepts that.
//
// For requests that another site cannot make a browser send. Where it can, as with a GET and the session cookie of the admin API, an
// attacker could learn secrets of the response from how well they compress beside text of the attacker.

/** A response with its body in at most one of three forms. */
export interface SendableResponse extends HttpResponse {
  /** JSON text. */
  readonly text?: string | undefined;
  readonly stream?: StreamedBody | undefined;
}

/** Sends a response. Errors: those of reading a stream. */
type Sender = (response: Response, content: SendableResponse) => void | Promise<void>;

export const sendPlain: Sender = (response, { text, stream, ...head }) => {
  if (text !== undefined) return sendText(response, { ...head, text });
  return stream ? sendStream(response, { ...head, stream }) : sendResponse(response, head);
};

/** Creates a sender that compresses. A 304 has no body: its text only tells which headers the response with a body has. */
export function createCompressingSender(): Sender {
  const chooseCoding = createCodingChooser();
  return (response, { body, stream, ...content }) => {
    const { text = body === undefined ? undefined : JSON.stringify(body), ...head } = content;
    const isLong = stream !== undefined || (text !== undefined && isLongText(text));
    const coding = isLong ? chooseCoding(response.req.headers['accept-encoding']?.toString()) : undefined;
    const coded = isLong ? { ...head, headers: toCodedHeaders(head.headers, coding) } : head;
    if (head.status === 304) return sendResponse(response, coded);
    if (!coding) return sendPlain(response, { ...coded, text, stream });
    const encoded = { ...coded, headers: { ...coded.headers, 'Content-Encoding': coding } };
    if (stream) return sendStream(response, { ...encoded, stream, coding });
    return compress(text ?? '', coding).then((data) =>
      sendData(response, { ...encoded, data, byteLength: data.length }),
    );
  };
}

const isLongText = (text: string) =>
  text.length > uncompressedBytes || Buffer.byteLength(text) > uncompressedBytes;

type Headers = NonNullable<HttpResponse['headers']>;

/** The bytes of a compressed response differ from those of the plain one, so its ETag is weak. */
function toCodedHeaders({ ETag, ...headers }: Headers = {}, coding: Coding | undefined): Headers {
  return {
    ...headers,
    ...(ETag === undefined ? {} : { ETag: coding ? weaken(String(ETag)) : ETag }),
    Vary: headers.Vary === undefined ? 'Accept-Encoding' : `${headers.Vary}, Accept-Encoding`,
  };
}

const weaken = (tag: string) => (tag.startsWith('W/') ? tag : `W/${tag}`);

// The content codings of responses: which one a request prefers, and compression.
//
// Compression runs on threads of Node.js, so that it never holds the event loop. The quality is the one at which a better result
// would take several times as long.

/** The supported content codings of HTTP, the best first. */
const codings = ['br', 'gzip'] as const;
export type Coding = (typeof codings)[number];

/** Bodies of at most this many bytes are not compressed. */
export const uncompressedBytes = 1024;

/** Returns the supported coding that an `Accept-Encoding` prefers; `undefined` means not compressed. */
type CodingChooser = (acceptEncoding: string | undefined) => Coding | undefined;

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

export function compress(body: string | Buffer, coding: Coding): Promise<Buffer> {
  return coding === 'gzip' ? toGzip(body) : toBrotli(body, { params: brotliParams });
}

/** Creates a stream that compresses. Each piece that is written can be decompressed when it arrives. */
function createEncoder(coding: Coding): Transform {
  return coding === 'gzip'
    ? createGzip({ flush: zlibConstants.Z_SYNC_FLUSH })
    : createBrotliCompress({ flush: zlibConstants.BROTLI_OPERATION_FLUSH, params: brotliParams });
}

const brotliParams = { [zlibConstants.BROTLI_PARAM_QUALITY]: 4 };

// The headers that a response has whatever its handler returns. They are kept as a list until the head is written, because Node.js
// checks and copies a header that is set twice: when it is set, and when the head is written.

/** Adds a header. The header of a handler with the same name replaces it; for `Vary` see `addVary`. */
export function addHeader(response: Response, name: string, value: string): void {
  headersOf(response).push(name, value);
}

/** Adds request headers to `Vary`, beside those that were added before. A handler's `Vary` is added, too. */
export function addVary(response: Response, names: string): void {
  const headers = headersOf(response);
  const found = headers.indexOf('Vary');
  if (found < 0) headers.push('Vary', names);
  else headers[found + 1] += `, ${names}`;
}

/** Sets the added headers on the response, for code that knows only those. */
export function setAddedHeaders(response: Response): void {
  const headers = headersOf(response).splice(0);
  for (let n = 0; n + 1 < headers.length; n += 2) response.setHeader(headers[n] ?? '', headers[n + 1] ?? '');
}

/** Lists the added headers and those of a handler: alternating names and values. The headers of the handler have priority. */
export function listHeaders(
  response: Response,
  {
    headers = {},
    contentType,
    byteLength,
  }: {
    headers?: HttpResponse['headers'];
    contentType?: string;
    byteLength?: number;
  },
): (string | string[])[] {
  const list: (string | string[])[] = [];
  const added = headersOf(response);
  for (let n = 0; n + 1 < added.length; n += 2) {
    const [name = '', value = ''] = [added[n], added[n + 1]];
    const own = headers[name];
    if (own === undefined) list.push(name, value);
    else if (name === 'Vary') list.push(name, `${value}, ${own}`);
  }
  if (contentType !== undefined && headers['Content-Type'] === undefined)
    list.push('Content-Type', contentType);
  if (byteLength !== undefined) list.push('Content-Length', String(byteLength));
  for (const name in headers)
    if (name !== 'Vary' || !added.includes(name)) list.push(name, headers[name] ?? '');
  return list;
}

/** The application sets the locals before any handler runs. */
const headersOf = ({ locals }: Response) => (locals as RequestLocals).headers;

/** The response headers that scripts may read, besides those that they always may. */
const exposedHeaders =
  'Accept-Patch, ETag, Idempotency-Replayed, Location, Retry-After, X-Change, X-Release, X-Request-Id, X-Unfit, RateLimit, RateLimit-Policy';

/** The request headers that the APIs read. */
const allowedHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'X-API-Key',
  'X-Base-Version',
  'X-Client-Id',
  'X-Client-Secret',
  'X-Request-Id',
  'X-Run',
  'traceparent',
  'tracestate',
].join(', ');

/**
 * Adds the headers of a response to a page of another origin. Returns true if the request was a preflight request, which has been
 * answered: it has no credentials, so this runs before they are checked. `methods` are those of the resource.
 */
export function applyCors(
  request: Request,
  response: Response,
  { cors, methods }: { cors: CorsSettings | undefined; methods: readonly string[] },
): boolean {
  if (cors === undefined || cors.origins.length === 0) return false;
  addVary(response, 'Origin');
  const { origin, 'access-control-request-method': wanted } = request.headers;
  const isPreflight = request.method === 'OPTIONS' && origin !== undefined && wanted !== undefined;
  const allowed = cors.origins.includes('*') ? '*' : cors.origins.find((one) => one === origin);
  if (allowed !== undefined && origin !== undefined) {
    addHeader(response, 'Access-Control-Allow-Origin', allowed);
    if (isPreflight) addPermissions(response, { methods, maxAge: cors.maxAge });
    else addHeader(response, 'Access-Control-Expose-Headers', exposedHeaders);
  }
  if (isPreflight) sendResponse(response, { status: 204 });
  return isPreflight;
}

function addPermissions(
  response: Response,
  { methods, maxAge = defaultMaxAge }: { methods: readonly string[]; maxAge: number | undefined },
): void {
  addHeader(response, 'Access-Control-Allow-Methods', methods.join(', '));
  addHeader(response, 'Access-Control-Allow-Headers', allowedHeaders);
  addHeader(response, 'Access-Control-Max-Age', String(maxAge));
}
