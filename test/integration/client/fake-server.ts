/** A server that records requests and sends configured responses, to test how the client reads them. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received request. */
export interface Received {
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A response to send. A body that is not a string is sent as JSON. */
export interface Told {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A listening server. */
export interface FakeServer {
  readonly baseUrl: string;
  readonly received: Received[];
  /** The next responses, one for each request; the last one is repeated. */
  answer(...answers: Told[]): void;
  close(): Promise<void>;
}

/** Starts a server on a free port. */
export async function startFakeServer(): Promise<FakeServer> {
  const received: Received[] = [];
  let queue: Told[] = [];
  const server = createServer(async (request, response) => {
    const body = (await request.toArray()).join('');
    received.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
    const [told = {}] = queue.length > 1 ? queue.splice(0, 1) : queue;
    const text = typeof told.body === 'string' ? told.body : JSON.stringify(told.body);
    response.writeHead(told.status ?? 200, { 'Content-Type': 'application/json', ...told.headers });
    response.end(told.status === 304 ? undefined : text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    received,
    answer(...answers) {
      received.length = 0;
      queue = answers;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
