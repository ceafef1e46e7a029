/**
 * Sends responses: JSON, text, or a streamed body.
 */
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { HttpResponse } from '../error-map.ts';
import type { Response } from '../request/http-request.ts';
import { type Coding, createEncoder } from './content-coding.ts';
import { listHeaders } from './response-headers.ts';
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
export async function sendStream(
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
