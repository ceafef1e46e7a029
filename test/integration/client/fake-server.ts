/** A server that keeps what it receives and answers what it is told to, for tests of what the client makes of answers. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it came. */
export interface Received {
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What is answered; a body that is no text is sent as JSON. */
export interface Told {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A server that listens. */
export interface FakeServer {
  readonly baseUrl: string;
  readonly received: Received[];
  /** What comes next, one for each request; the last stays. */
  answer(...answers: Told[]): void;
  close(): Promise<void>;
}

/** Starts a server on a port of its own. */
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
