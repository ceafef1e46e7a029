/** A reader of server-sent events over a real socket, which can stop reading. */
import { type IncomingMessage, request } from 'node:http';
import { expect } from 'vitest';

/** A block of lines of the stream. */
export interface StreamBlock {
  readonly id?: string;
  // The tests compare what they need.
  // biome-ignore lint/suspicious/noExplicitAny: the data differs from test to test
  readonly data?: any;
  readonly comment?: string;
}

/** An open stream. */
export class EventReader {
  readonly response: IncomingMessage;
  readonly blocks: StreamBlock[] = [];
  isEnded = false;
  #text = '';

  constructor(response: IncomingMessage) {
    this.response = response;
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => this.#read(chunk));
    for (const event of ['end', 'close', 'error'])
      response.on(event, () => {
        this.isEnded = true;
      });
  }

  /** The results of all pages so far. */
  get pages() {
    return this.blocks.flatMap(({ data }) => data ?? []);
  }

  /** The items of all pages so far. */
  get items() {
    return this.pages.flatMap(({ items }) => items);
  }

  /** The `id` to continue with. */
  get lastId(): string {
    return this.blocks.findLast(({ id }) => id !== undefined)?.id ?? expect.fail('no id was sent');
  }

  async until(condition: (reader: this) => boolean): Promise<void> {
    await expect.poll(() => condition(this), { interval: 10, timeout: 30_000 }).toBe(true);
  }

  close(): void {
    this.response.destroy();
  }

  #read(chunk: string): void {
    const blocks = (this.#text + chunk).split('\n\n');
    this.#text = blocks.pop() ?? '';
    this.blocks.push(...blocks.map(toBlock));
  }
}

function toBlock(block: string): StreamBlock {
  const of = (name: string) =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trimStart();
  const [id, data, comment] = [of('id'), of('data'), of('')];
  return {
    ...(id !== undefined && { id }),
    ...(data !== undefined && { data: JSON.parse(data) }),
    ...(comment !== undefined && { comment }),
  };
}

/** Opens a stream on a connection that nothing else uses. Fails unless the status is 200. */
export async function openEvents(
  url: string,
  { headers, lastId }: { headers: Readonly<Record<string, string>>; lastId?: string },
): Promise<EventReader> {
  const given = {
    ...headers,
    Accept: 'text/event-stream',
    'Accept-Encoding': 'gzip, br',
    ...(lastId !== undefined && { 'Last-Event-ID': lastId }),
  };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { headers: given, agent: false }).once('response', resolve).once('error', reject).end();
  });
  expect(response.statusCode).toBe(200);
  return new EventReader(response);
}
