/** A proxy before a server, which lets a test decide what becomes of each request. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

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
export interface FaultyProxy {
  readonly url: string;
  /** All requests so far. */
  readonly requests: readonly ProxiedRequest[];
  stop(): Promise<void>;
}

/** Listens before the server at `target`, on a free port unless one is wanted. */
export async function startFaultyProxy(
  target: string,
  decide: (request: ProxiedRequest) => Fate | Promise<Fate>,
  wantedPort = 0,
): Promise<FaultyProxy> {
  const requests: ProxiedRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    void handle(incoming, outgoing).catch(() => outgoing.destroy());
  });

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const bytes = Buffer.concat(await incoming.toArray());
    const { method = '', url = '' } = incoming;
    const key = incoming.headers['idempotency-key'];
    const request = {
      number: requests.length + 1,
      method,
      path: url,
      key: typeof key === 'string' ? key : undefined,
      body: bytes.toString(),
    };
    requests.push(request);
    const fate = await decide(request);
    if (fate === 'cut before') return void outgoing.destroy();
    if (typeof fate === 'object') return void outgoing.writeHead(fate.status, fate.headers).end(fate.body);
    const answer = await forward(target + url, incoming, bytes);
    if (fate === 'cut after') return void outgoing.destroy();
    outgoing.writeHead(answer.status, {
      'Content-Type': 'application/json',
      'Content-Length': answer.body.length,
    });
    if (fate === 'pass') return void outgoing.end(answer.body);
    outgoing.write(answer.body.subarray(0, answer.body.length / 2), () => outgoing.destroy());
  }

  server.listen(wantedPort, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // A TCP server has no other kind.
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function forward(url: string, { method = '', headers }: IncomingMessage, body: Buffer) {
  const names = ['x-client-id', 'x-client-secret', 'content-type', 'idempotency-key'];
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    names.includes(name) && typeof value === 'string' ? [[name, value] as [string, string]] : [],
  );
  const hasBody = method !== 'GET' && body.length > 0;
  const answer = await fetch(url, {
    method,
    headers: kept,
    ...(hasBody ? { body: new Uint8Array(body) } : {}),
  });
  return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()) };
}
