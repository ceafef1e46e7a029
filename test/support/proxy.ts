/** Parts of test proxies: a listening server that reads whole requests, and a function that forwards them. */
import { once } from 'node:events';
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeAfterFile } from './opened.ts';

/** A received request and its response. */
export interface Incoming {
  readonly request: IncomingMessage;
  readonly body: Buffer;
  readonly response: ServerResponse;
}

/** A listening proxy. */
export interface Listening {
  readonly url: string;
  stop(): Promise<void>;
}

/** Listens on `wantedPort` or a free port; when `handle` fails, the connection of the request is destroyed. */
export async function listen(
  handle: (incoming: Incoming) => void | Promise<void>,
  wantedPort = 0,
): Promise<Listening> {
  const server = createServer(async (request, response) => {
    try {
      await handle({ request, body: Buffer.concat(await request.toArray()), response });
    } catch {
      response.destroy();
    }
  });
  server.listen(wantedPort, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // A TCP server always has an AddressInfo.
  return {
    url: `http://127.0.0.1:${port}`,
    stop: closeAfterFile(async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    }),
  };
}

/** A request to forward. */
export interface Forwarded {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Forwards a request to a server and waits for the whole response. */
export function forward(
  url: string | URL,
  { method = 'GET', headers, body }: Forwarded,
): Promise<{ answer: IncomingMessage; body: Buffer }> {
  const length = body.length > 0 ? { 'Content-Length': body.length } : {};
  return new Promise((resolve, reject) => {
    const request = ask(
      url,
      { method, headers: { ...withoutLength(headers), ...length } },
      async (answer) => {
        try {
          resolve({ answer, body: Buffer.concat(await answer.toArray()) });
        } catch (error) {
          reject(error);
        }
      },
    );
    request.on('error', reject).end(body);
  });
}

/** Headers that belong to one connection, or that give the length of a body which the proxy may change. */
const ofConnection = ['connection', 'content-length', 'expect', 'host', 'keep-alive', 'transfer-encoding'];

/** Removes the headers that do not fit another connection or another body. */
export function withoutLength(headers: Forwarded['headers']): Record<string, string | string[]> {
  const kept = Object.entries(headers).filter(([name]) => !ofConnection.includes(name));
  return Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
