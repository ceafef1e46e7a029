/** A receiver of webhooks: a server on a free port that keeps every message it gets, and answers as a test says. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeAfterFile } from './opened.ts';

/** A received message. `path` is that of its request; `event` is its parsed body. */
export interface ReceivedEvent {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: {
    readonly type: string;
    readonly timestamp: string;
    // biome-ignore lint/suspicious/noExplicitAny: tests look into the payload.
    readonly data: any;
  };
}

/** Answers a message; by default with 204. */
export type Answer = (response: ServerResponse, message: ReceivedEvent) => void | Promise<void>;

/** A running receiver. */
export interface WebhookReceiver {
  readonly url: string;
  /** Creates a new address of the receiver, whose messages are kept apart from those of others. */
  open(): ReceivedMessages;
  answer(answer: Answer): void;
  stop(): Promise<void>;
}

/** The messages to one address. */
export interface ReceivedMessages {
  readonly url: string;
  /** All messages, refused ones included. */
  readonly messages: readonly ReceivedEvent[];
  /** The messages that were answered with a status below 300. */
  readonly accepted: readonly ReceivedEvent[];
  /** The largest number of requests under way at a time. */
  mostAtOnce(): number;
  /** Forgets all messages. */
  clear(): void;
  /** Waits until a condition holds; fails after a minute, or the given time, with what was received. */
  until(condition: () => boolean, what: string, timeoutMs?: number): Promise<void>;
}

const accept: Answer = (response) => void response.writeHead(204).end();

/** Answers with a status. */
export const withStatus =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, headers).end(`status ${status}`);

/** Starts a receiver. */
export async function startReceiver(): Promise<WebhookReceiver> {
  const addresses = new Map<string, Recorder>();
  let answer = accept;
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    const recorder = addresses.get(path);
    recorder?.begin();
    response.once('close', () => recorder?.end());
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const message = { path, headers: request.headers, body, event: JSON.parse(body) };
    recorder?.messages.push(message);
    response.once('finish', () => {
      if (response.statusCode < 300) recorder?.accepted.push(message);
    });
    await answer(response, message);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    open() {
      const path = `/hook-${addresses.size}`;
      const recorder = createRecorder(`http://127.0.0.1:${port}${path}`);
      addresses.set(path, recorder);
      return recorder;
    },
    answer(next) {
      answer = next;
    },
    stop: closeAfterFile(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }),
  };
}

interface Recorder extends ReceivedMessages {
  readonly messages: ReceivedEvent[];
  readonly accepted: ReceivedEvent[];
  begin(): void;
  end(): void;
}

function createRecorder(url: string): Recorder {
  const messages: ReceivedEvent[] = [];
  const accepted: ReceivedEvent[] = [];
  let underWay = 0;
  let mostAtOnce = 0;
  return {
    url,
    messages,
    accepted,
    begin() {
      mostAtOnce = Math.max(mostAtOnce, ++underWay);
    },
    end() {
      underWay--;
    },
    mostAtOnce: () => mostAtOnce,
    clear() {
      messages.length = 0;
      accepted.length = 0;
      mostAtOnce = 0;
    },
    async until(condition, what, timeoutMs = 60_000) {
      const endMs = performance.now() + timeoutMs;
      while (!condition()) {
        if (performance.now() > endMs)
          throw new Error(`${what} did not happen; ${messages.length} messages arrived`);
        await sleep(10);
      }
    },
  };
}
