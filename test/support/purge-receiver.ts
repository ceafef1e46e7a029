/** A receiver of purge requests of any form: a server on a free port that keeps every request, and answers as a test says. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A received request. */
interface ReceivedPurge {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The status of the response. */
  readonly status: number;
}

/** A running receiver. */
export interface PurgeReceiver {
  readonly url: string;
  readonly requests: readonly ReceivedPurge[];
  /** Answers from now on with this status; its body repeats the headers of the request. */
  answer(status: number): void;
  clear(): void;
  /** Waits until a condition holds; fails after two minutes with what was received. */
  until(condition: () => boolean, what: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a receiver, which answers with 200. */
export async function startPurgeReceiver(): Promise<PurgeReceiver> {
  const requests: ReceivedPurge[] = [];
  let status = 200;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    requests.push({ method, path: url, headers, body: Buffer.concat(chunks).toString(), status });
    response.writeHead(status).end(JSON.stringify(headers));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    answer(next) {
      status = next;
    },
    clear() {
      requests.length = 0;
    },
    async until(condition, what) {
      const endMs = performance.now() + 120_000;
      while (!condition()) {
        if (performance.now() > endMs) throw new Error(`${what} did not happen: ${JSON.stringify(requests)}`);
        await sleep(20);
      }
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
