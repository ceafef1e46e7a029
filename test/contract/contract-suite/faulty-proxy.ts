/** A proxy in front of an instance that breaks one promise of the contract. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request on its way in, or an answer on its way out, for a fault to change. */
export interface Passing {
  method: string;
  url: URL;
  requestHeaders: Headers;
  requestBody: string;
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: bodies differ from answer to answer
  body: any;
}

/** What goes wrong, on the way in and on the way out. */
export interface Fault {
  readonly request?: (passing: Passing) => void;
  readonly answer?: (passing: Passing) => void;
}

/** Starts a proxy. */
export async function startFaultyProxy(target: string, fault: Fault) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const given = Object.entries(request.headers).filter(([name]) => !hopByHop.includes(name));
    const passing: Passing = {
      method: request.method ?? '',
      url: new URL(request.url ?? '', target),
      requestHeaders: new Headers(given.map(([name, value]) => [name, String(value)])),
      requestBody: Buffer.concat(chunks).toString('latin1'),
      status: 0,
      headers: new Headers(),
      body: undefined,
    };
    fault.request?.(passing);
    const answer = await fetch(passing.url, {
      method: passing.method,
      headers: passing.requestHeaders,
      body:
        passing.requestBody === '' || passing.method === 'GET'
          ? null
          : Buffer.from(passing.requestBody, 'latin1'),
    });
    const text = await answer.text();
    Object.assign(passing, {
      status: answer.status,
      headers: new Headers(answer.headers),
      body: text === '' ? undefined : JSON.parse(text),
    });
    fault.answer?.(passing);
    for (const name of hopByHop) passing.headers.delete(name);
    response.writeHead(passing.status, Object.fromEntries(passing.headers));
    response.end(passing.body === undefined ? undefined : JSON.stringify(passing.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const hopByHop = [
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'transfer-encoding',
  'content-encoding',
  'expect',
];
