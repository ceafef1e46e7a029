/**
 * Writes an answer to the wire.
 */
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { HttpAnswer } from '../error-map.ts';
import { type StreamedBody, toByteStream } from './streamed-body.ts';

const jsonType = { 'Content-Type': 'application/json; charset=utf-8' };

/** Sends an answer, its body as JSON in UTF-8. Headers set on the response earlier are kept. */
export function sendAnswer(response: ServerResponse, { status, headers = {}, body }: HttpAnswer): void {
  if (body === undefined) response.writeHead(status, headers).end();
  else sendText(response, { status, headers, text: JSON.stringify(body) });
}

/** Sends an answer whose body is JSON text already. */
export function sendText(
  response: ServerResponse,
  { status, headers = {}, text }: Omit<HttpAnswer, 'body'> & { readonly text: string },
): void {
  // A text goes out in one piece with the headers; bytes would go out after them.
  response
    .writeHead(status, {
      ...jsonType,
      'Content-Length': Buffer.byteLength(text),
      ...headers,
    })
    .end(text);
}

/**
 * Sends an answer whose body is read while it is sent, as fast as it is taken. Without a reader nothing more is read.
 *
 * Errors: those of reading. The head was sent by then, so that the connection is cut, for a part of a body must not pass for all.
 */
export async function sendStream(
  response: ServerResponse,
  { status, headers = {}, stream }: Omit<HttpAnswer, 'body'> & { readonly stream: StreamedBody },
): Promise<void> {
  response.writeHead(status, { ...jsonType, ...headers });
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  const source = toByteStream(stream);
  try {
    await pipeline(source, response);
  } catch (error) {
    // Whoever asked is gone, and wants no answer.
    if (source.errored === null || isPrematureClose(error)) return;
    throw error;
  }
}

function isPrematureClose(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
