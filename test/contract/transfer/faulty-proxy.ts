/** A proxy in front of a server that handles each request as a test decides. */
import { forward, type Incoming, type Listening, listen, withoutLength } from '../../support/proxy.ts';

/**
 * How the proxy handles one request.
 *
 * - `pass`: forwards request and answer.
 * - `cut before`: closes the connection without forwarding the request.
 * - `cut after`: forwards the request, then closes the connection without the response.
 * - `half`: sends only the first half of the server's answer.
 * - a response: sends it without asking the server.
 */
export type ProxyAction =
  | 'pass'
  | 'cut before'
  | 'cut after'
  | 'half'
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string };

/** A request as the test receives it. */
export interface ProxiedRequest {
  /** Counts from 1. */
  readonly number: number;
  readonly method: string;
  readonly path: string;
  readonly key: string | undefined;
  readonly body: string;
}

/** A listening proxy. */
export interface FaultyProxy extends Listening {
  /** All requests received so far. */
  readonly requests: readonly ProxiedRequest[];
}

/** Starts a proxy in front of the server at `target`, on a free port unless one is given. */
export async function startFaultyProxy(
  target: string,
  decide: (request: ProxiedRequest) => ProxyAction | Promise<ProxyAction>,
  wantedPort = 0,
): Promise<FaultyProxy> {
  const requests: ProxiedRequest[] = [];
  async function handle({ request: incoming, body, response }: Incoming): Promise<void> {
    const { method = '', url = '', headers } = incoming;
    const key = headers['idempotency-key'];
    const request = {
      number: requests.length + 1,
      method,
      path: url,
      key: typeof key === 'string' ? key : undefined,
      body: body.toString(),
    };
    requests.push(request);
    const action = await decide(request);
    if (action === 'cut before') return void response.destroy();
    if (typeof action === 'object')
      return void response.writeHead(action.status, action.headers).end(action.body);
    const { answer, body: whole } = await forward(target + url, { method, headers, body });
    if (action === 'cut after') return void response.destroy();
    response.writeHead(answer.statusCode ?? 0, {
      ...withoutLength(answer.headers),
      'Content-Length': whole.length,
    });
    if (action === 'pass') return void response.end(whole);
    response.write(whole.subarray(0, whole.length / 2), () => response.destroy());
  }
  return { ...(await listen(handle, wantedPort)), requests };
}
