/** A proxy before a server that fails on purpose: once for each fault it is given, in order; after that it passes everything. */
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What happens to one request. `cut` and `stall` never answer it, whether it reached the server or not; `half` cuts the connection in
 * the middle of the server's answer; `busy` tells of another answer than the server's; an object is answered in the server's place.
 */
export type Fault =
  | 'cut before'
  | 'cut after'
  | 'half'
  | 'busy after'
  | 'stall before'
  | 'stall after'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };

/** A request that came to the proxy. */
export interface Passed {
  readonly method: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A proxy that listens. */
export interface FaultyProxy {
  readonly url: string;
  /** Since the latest faults were set. */
  readonly requests: readonly Passed[];
  fail(...faults: readonly Fault[]): void;
  close(): Promise<void>;
}

/** Starts a proxy before the server at an address. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const requests: Passed[] = [];
  let faults: readonly Fault[] = [];
  const server = createServer(async (request, response) => {
    const [fault] = faults;
    faults = faults.slice(1);
    const body = (await request.toArray()).join('');
    requests.push({ method: request.method, headers: request.headers, body });
    if (typeof fault === 'object') {
      response.writeHead(fault.status, fault.headers).end(fault.body);
      return;
    }
    if (fault === 'stall before') return;
    if (fault === 'cut before') response.destroy();
    else await answer(response, { fault, ...(await ask(target, request, body)) });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    fail(...next) {
      requests.length = 0;
      faults = next;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

interface Answered {
  readonly answer: IncomingMessage;
  readonly text: string;
}

/** Asks the server and waits for its whole answer. */
function ask(
  target: string,
  { method, url = '', headers }: IncomingMessage,
  body: string,
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const request = forward(new URL(url, target), { method, headers }, async (answer) => {
      resolve({ answer, text: (await answer.toArray()).join('') });
    });
    request.on('error', reject).end(body);
  });
}

async function answer(
  response: ServerResponse,
  { fault, answer: { statusCode = 0, headers }, text }: Answered & { readonly fault: Fault | undefined },
): Promise<void> {
  if (fault === 'stall after') return;
  if (fault === 'cut after') {
    response.destroy();
    return;
  }
  if (fault === 'busy after') {
    response.writeHead(503).end('upstream connect error or disconnect before headers');
    return;
  }
  response.writeHead(statusCode, headers);
  if (fault !== 'half') {
    response.end(text);
    return;
  }
  await new Promise((resolve) => response.write(text.slice(0, text.length / 2), resolve));
  response.destroy();
}
