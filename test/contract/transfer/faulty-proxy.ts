/** A proxy before a server, which lets a test decide what becomes of each request. */
import { forward, type Incoming, type Listening, listen, withoutLength } from '../../support/proxy.ts';

/**
 * - `pass`: as if there were no proxy.
 * - `cut before`: the connection ends before the server gets anything.
 * - `cut after`: the connection ends when the server has answered, which nobody hears.
 * - `half`: half of the answer comes through.
 * - an answer: the server gets nothing.
 */
export type Fate =
  | 'pass'
  | 'cut before'
  | 'cut after'
  | 'half'
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string };

/** A request as the test sees it. */
export interface ProxiedRequest {
  /** From 1. */
  readonly number: number;
  readonly method: string;
  readonly path: string;
  readonly key: string | undefined;
  readonly body: string;
}

/** A listening proxy. */
export interface FaultyProxy extends Listening {
  /** All requests so far. */
  readonly requests: readonly ProxiedRequest[];
}

/** Listens before the server at `target`, on a free port unless one is wanted. */
export async function startFaultyProxy(
  target: string,
  decide: (request: ProxiedRequest) => Fate | Promise<Fate>,
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
    const fate = await decide(request);
    if (fate === 'cut before') return void response.destroy();
    if (typeof fate === 'object') return void response.writeHead(fate.status, fate.headers).end(fate.body);
    const { answer, body: whole } = await forward(target + url, { method, headers, body });
    if (fate === 'cut after') return void response.destroy();
    response.writeHead(answer.statusCode ?? 0, {
      ...withoutLength(answer.headers),
      'Content-Length': whole.length,
    });
    if (fate === 'pass') return void response.end(whole);
    response.write(whole.subarray(0, whole.length / 2), () => response.destroy());
  }
  return { ...(await listen(handle, wantedPort)), requests };
}
