/**
 * Sends a request whose body waits until the server asks for it (`Expect: 100-continue`), so that a server that refuses the body
 * by its size is heard. `fetch` writes the body at once, and takes a connection that closes meanwhile for no answer.
 */
import { type IncomingMessage, request as startHttp } from 'node:http';
import { request as startHttps } from 'node:https';

/** A request with a body to send when it is asked for. */
export interface OnDemandRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  readonly timeoutMs: number;
}

/** How long a server may take to ask; afterwards the body is sent, since not every server asks. */
const patienceMs = 1_000;

/** Sends it, and resolves with the answer, whose body is still to be read. Errors: those of the connection. */
export function sendOnDemand(request: OnDemandRequest): Promise<IncomingMessage> {
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
    const timer = setTimeout(sendBody, patienceMs);
    sending.once('continue', sendBody);
    sending.once('response', (answer) => {
      clearTimeout(timer);
      resolve(answer);
    });
    sending.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    sending.flushHeaders();
  });
}
