/** Sends requests exactly as written: the path is not normalized, and only Node.js adds headers. */
import { request } from 'node:http';

/** One request; `path` is everything after the origin, including the query string. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** A response; the values of a repeated header are joined. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
}

/** Sends a request to a server. */
export function sendRaw(
  origin: string,
  { method, path, headers = {}, body }: RawRequest,
): Promise<RawResponse> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const isChunked = 'Transfer-Encoding' in headers;
    const length = body === undefined || isChunked ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const sent = request({ hostname, port, method, path, headers: { ...length, ...headers } });
    sent.once('error', reject);
    sent.once('response', (response) => {
      const entries = Object.entries(response.headers).map(([name, value]) => [name, value?.toString()]);
      response.toArray().then(
        (chunks) =>
          resolve({
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(entries),
            text: Buffer.concat(chunks).toString(),
          }),
        reject,
      );
    });
    sent.end(body);
  });
}
