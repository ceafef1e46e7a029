/**
 * Sends a request whose body waits for `100 Continue`, so that the response of a server that refuses a large body is read.
 * `fetch` writes the body at once, and reports a connection that closes meanwhile as a failure.
 */
import { type IncomingMessage, request as startHttp } from 'node:http';
import { request as startHttps } from 'node:https';

/** A request whose body waits for `100 Continue`. */
export interface ContinueRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  readonly timeoutMs: number;
}

/** How long to wait for `100 Continue`; then the body is sent anyway, since not every server sends it. */
const continueTimeoutMs = 1_000;

/** Sends the request; resolves with the response before its body is read. Errors: those of the connection. */
export function sendAfterContinue(request: ContinueRequest): Promise<IncomingMessage> {
  const { url, method, headers, body, timeoutMs } = request;
  const start = new URL(url).protocol === 'https:' ? startHttps : startHttp;
  const length = String(Buffer.byteLength(body));
  return new Promise((resolve, reject) => {
    const sending = start(url, {
      method,
      headers: { ...headers, 'Content-Length': length, Expect: '100-continue' },
      signal: AbortSignal.timeout(timeoutMs),
    });
    const sendBody = () => {
      clearTimeout(timer);
      if (!sending.writableEnded) sending.end(body);
    };
    const timer = setTimeout(sendBody, continueTimeoutMs);
    sending.once('continue', sendBody);
    sending.once('response', (response) => {
      clearTimeout(timer);
      resolve(response);
    });
    sending.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    sending.flushHeaders();
  });
}
