/**
 * The process of those who follow a server: live streams whose bytes it drops, and a receiver of webhooks that accepts everything. It
 * sends `{ url }` of the receiver to its parent process, and replies to each message with what it has received so far. A message with
 * `streams` opens them first, and is answered when each has caught up.
 */
import { once } from 'node:events';
import { Agent, createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Streams to open. */
export interface StreamsRequest {
  /** The address of each stream. */
  readonly urls: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

/** What the process has received. */
export interface Received {
  readonly deliveries: number;
  readonly streamBytes: number;
  readonly openStreams: number;
}

const received = { deliveries: 0, streamBytes: 0, openStreams: 0 };
const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });

const receiver = createServer((request, response) => {
  request.resume().once('end', () => {
    received.deliveries++;
    response.writeHead(204).end();
  });
});
receiver.listen(0, '127.0.0.1');
await once(receiver, 'listening');

process.on('message', async ({ streams }: { streams?: StreamsRequest }) => {
  for (const url of streams?.urls ?? []) await openStream(url, streams?.headers ?? {});
  process.send?.(received);
});
process.once('disconnect', () => process.exit());
process.send?.({ url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}` });

/** Opens a stream; resolves when it has sent the page that ends the snapshot. */
async function openStream(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const request = get(url, { agent, headers: { ...headers, Accept: 'text/event-stream' } });
  const [response] = await once(request, 'response');
  if (response.statusCode !== 200) throw new Error(`${url} answers ${response.statusCode}`);
  received.openStreams++;
  response.once('close', () => received.openStreams--);
  const caughtUp = Promise.withResolvers<void>();
  let text: string | undefined = '';
  response.on('data', (chunk: Buffer) => {
    received.streamBytes += chunk.length;
    if (text === undefined) return;
    text = (text + chunk.toString()).slice(-100_000);
    if (!text.includes('"phase":"changes"')) return;
    text = undefined;
    caughtUp.resolve();
  });
  response.once('error', caughtUp.reject);
  await caughtUp.promise;
}
