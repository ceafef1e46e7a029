/** What proxies before a server are made of: a listening socket, requests read whole, and requests sent on. What goes wrong is theirs. */
import { once } from 'node:events';
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that has come in, with what answers it. */
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

/** Listens on a free port unless one is wanted; a request whose handling fails is cut off. */
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
  const { port } = server.address() as AddressInfo; // A TCP server has no other kind.
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** What is sent on. */
export interface Forwarded {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Sends a request to a server and waits for its whole answer. */
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

/** What belongs to one connection, or tells of the length of a body that may have been changed. */
const ofConnection = ['connection', 'content-length', 'expect', 'host', 'keep-alive', 'transfer-encoding'];

/** Headers that may go along with another body. */
export function withoutLength(headers: Forwarded['headers']): Record<string, string | string[]> {
  const kept = Object.entries(headers).filter(([name]) => !ofConnection.includes(name));
  return Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
