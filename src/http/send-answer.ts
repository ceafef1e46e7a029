/**
 * Writes an answer to the wire.
 */
import type { ServerResponse } from 'node:http';
import type { HttpAnswer } from './error-map.ts';

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
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
      ...headers,
    })
    .end(text);
}
