/** The live form of the feed of changes, over real connections. */
import { afterEach, beforeAll, expect, it } from 'vitest';
import { type EventReader, openEvents } from '../../../support/event-stream.ts';
import { type ClientHeaders, startInstance, type TestInstance } from '../../../support/instance.ts';
import { type StoreLocation, sqliteLocation } from '../../../support/stores.ts';
import { text } from './cma-content.ts';

const unreadMs = 600;
let location: StoreLocation;
let instance: TestInstance;
let client: ClientHeaders;
let marks = 0;
const readers: EventReader[] = [];

beforeAll(async () => {
  location = sqliteLocation();
  instance = await startInstance(location, { maxStreams: 3, maxRequests: 4 }, undefined, {
    feedTiming: { heartbeatMs: 100, unreadMs, checkMs: 50, roundMs: 10 },
  });
  client = instance.headers;
});
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close();
});

/** A feed of texts whose names begin with a mark that no other feed has. */
function createFeed() {
  const mark = `mark ${marks++} `;
  const query = new URLSearchParams({ from: text, where: 'name startsWith ?', values: mark });
  const url = `${instance.cmaUrl}/changes?${query}`;
  return {
    url,
    async open(options: { headers?: ClientHeaders; lastId?: string } = {}): Promise<EventReader> {
      const reader = await openEvents(url, { headers: client, ...options });
      readers.push(reader);
      return reader;
    },
    make: (name: string, fields: object = {}) =>
      send('POST', '', { _type: text, name: mark + name, ...fields }),
  };
}

/** Reads a body, whose form the other suite checks. */
// biome-ignore lint/suspicious/noExplicitAny: bodies differ from test to test
const bodyOf = async (response: Response): Promise<any> => response.json();

async function send(method: string, path: string, body?: object) {
  const response = await fetch(instance.cmaUrl + path, {
    method,
    headers: { ...client, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(response.status).toBe(200);
  return (await bodyOf(response)).result;
}

const short = ({ items }: EventReader) =>
  items.map(({ op, asset, id }: { op: string; asset?: { _id: string }; id?: string }) => [
    op,
    asset?._id ?? id,
  ]);

it('sends the snapshot, says when it is complete, then sends changes, and continues where it was left', async () => {
  const { open, make, url } = createFeed();
  const a = await make('a');
  const reader = await open();
  const { headers } = reader.response;
  expect(headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  });
  expect(headers['content-encoding']).toBeUndefined();
  expect(headers.vary).toContain('Accept');
  await reader.until(({ pages }) => pages.length === 2);
  expect(reader.pages.map(({ phase, more }) => [phase, more])).toEqual([
    ['snapshot', true],
    ['changes', false],
  ]);
  const page = await bodyOf(await fetch(url, { headers: client }));
  expect(page.result.items).toEqual(reader.items);
  for (const { id, data } of reader.blocks) if (data) expect(data.cursor).toBe(id);

  const b = await make('b');
  await send('DELETE', `/${a._id}`);
  await reader.until(({ items }) => items.length === 3);
  expect(short(reader).slice(1)).toEqual([
    ['put', b._id],
    ['delete', a._id],
  ]);
  reader.close();
  const c = await make('c');
  const again = await open({ lastId: reader.lastId });
  await again.until(({ items }) => items.length === 1);
  expect(short(again)).toEqual([['put', c._id]]);
  // A page continues a stream, too.
  const next = await fetch(`${url}&cursor=${reader.lastId}`, { headers: client });
  expect((await bodyOf(next)).result.items).toEqual(again.items);
});

it('sends followers of equal queries the same, each with its own cursors', async () => {
  const { open, make } = createFeed();
  const other = await instance.createClient({});
  await instance.refresh();
  const [one, two] = [await open(), await open({ headers: other })];
  for (const reader of [one, two]) await reader.until(({ pages }) => pages.length > 0);
  await make('a');
  for (const reader of [one, two]) await reader.until(({ items }) => items.length === 1);
  expect(one.items).toEqual(two.items);
  const refused = await fetch(`${instance.cmaUrl}/changes?from=${text}&cursor=${one.lastId}`, {
    headers: other,
  });
  expect(refused.status).toBe(400);
  expect(one.lastId).not.toBe(two.lastId);
});

it('sends heartbeats, whose id moves on with changes that do not concern the feed', async () => {
  const { open } = createFeed();
  const other = createFeed();
  const reader = await open();
  await reader.until(({ blocks }) => blocks.some(({ comment }) => comment === 'heartbeat'));
  const before = reader.lastId;
  await other.make('elsewhere');
  await reader.until(({ lastId }) => lastId !== before);
  expect(reader.items).toEqual([]);
});

it('refuses what cannot be followed with a status, as pages are refused', async () => {
  const { url } = createFeed();
  const ask = async (more: string, headers: object = {}) => {
    const response = await fetch(url + more, {
      headers: { ...client, Accept: 'text/event-stream', ...headers },
    });
    return [response.status, (await bodyOf(response)).error.code];
  };
  expect(await ask('&cursor=x')).toEqual([400, 'invalid_parameter']);
  expect(await ask('', { 'Last-Event-ID': 'x' })).toEqual([400, 'invalid_parameter']);
  const reader = await createFeed().open();
  await reader.until(({ pages }) => pages.length > 0);
  expect(await ask('', { 'Last-Event-ID': reader.lastId })).toEqual([400, 'cursor_mismatch']);
  const head = await fetch(url, { method: 'HEAD', headers: { ...client, Accept: 'text/event-stream' } });
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
});

it('limits the streams of a client, which are no requests in progress', async () => {
  const { open, url } = createFeed();
  const other = await instance.createClient({});
  await instance.refresh();
  const open3 = (headers: ClientHeaders) => Promise.all([1, 2, 3].map(() => open({ headers })));
  const [first] = await open3(client);
  await open3(other);
  const refused = await fetch(url, { headers: { ...client, Accept: 'text/event-stream' } });
  expect([refused.status, (await bodyOf(refused)).error.code]).toEqual([429, 'too_many_streams']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  first?.close();
  await expect
    .poll(async () => (await open().catch(() => undefined)) !== undefined, { timeout: 20_000 })
    .toBe(true);
});

it('ends the stream of a client that is revoked, loses its scope, or gets a new secret', async () => {
  const { open } = createFeed();
  const { clients } = instance.services;
  const ends: ((headers: ClientHeaders) => Promise<unknown>)[] = [
    instance.revoke,
    instance.rotate,
    (headers) => clients.update({ clientId: headers['X-Client-Id'], changes: { scopes: ['cma:write'] } }),
  ];
  for (const end of ends) {
    const headers = await instance.createClient({});
    await instance.refresh();
    const reader = await open({ headers });
    await reader.until(({ pages }) => pages.length > 0);
    await end(headers);
    await reader.until(({ isEnded }) => isEnded);
  }
  // Other changes of a client do not end its streams.
  const headers = await instance.createClient({});
  await instance.refresh();
  const reader = await open({ headers });
  await clients.update({ clientId: headers['X-Client-Id'], changes: { name: 'another name' } });
  await instance.refresh();
  const beats = () => reader.blocks.filter(({ comment }) => comment === 'heartbeat').length;
  const before = beats();
  await reader.until(() => beats() > before + 3);
  expect(reader.isEnded).toBe(false);
});

it('lets a follower go that does not read, and continues for it without a gap', async () => {
  const { open, make } = createFeed();
  const slow = await open();
  await slow.until(({ pages }) => pages.length > 0);
  slow.response.pause();
  const long = 'x'.repeat(1_000_000);
  const made: string[] = [];
  // More than the buffers of both sides take.
  for (let n = 0; n < 12; n++) made.push((await make(String(n), { text: long }))._id);
  await new Promise((resolve) => setTimeout(resolve, 3 * unreadMs));
  slow.response.resume();
  await slow.until(({ isEnded }) => isEnded);
  expect(slow.items.length).toBeLessThan(made.length);
  const again = await open({ lastId: slow.lastId });
  const ids = () => new Set([...slow.items, ...again.items].map(({ asset }) => asset._id));
  await again.until(() => ids().size >= made.length);
  expect(ids()).toEqual(new Set(made));
});

it('ends all streams when the server stops', async () => {
  // Requests in progress would be cut off after ten minutes, which is longer than the test may take.
  const own = await startInstance(location, { shutdownMs: 600_000 });
  const reader = await openEvents(`${own.cmaUrl}/changes?from=${text}`, { headers: own.headers });
  await reader.until(({ pages }) => pages.length > 0);
  await own.stop();
  await reader.until(({ isEnded }) => isEnded);
});
