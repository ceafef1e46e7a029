/** The client's `changes` against a server, through a proxy that cuts connections. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient, type FeedChange } from '../../../src/client/index.ts';
import { startInstance, type TestInstance } from '../../support/instance.ts';
import { sqliteLocation } from '../../support/stores.ts';

const text = 'com.colophon.cms.db.Text';
let instance: TestInstance;
let proxy: Server;
const sockets = new Set<Socket>();

beforeAll(async () => {
  instance = await startInstance(sqliteLocation(), {}, undefined, { feedTiming: { roundMs: 10 } });
  const { hostname, port } = new URL(instance.url);
  proxy = createServer((socket) => {
    const onward = connect(Number(port), hostname);
    for (const one of [socket, onward]) {
      sockets.add(one);
      one
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(one);
          socket.destroy();
          onward.destroy();
        });
    }
    socket.pipe(onward).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
});
afterAll(() => {
  cut();
  proxy.close();
});

const cut = () => {
  for (const socket of sockets) socket.destroy();
};

/** Creates a client; `isCut` sends it through the proxy. */
function client({ isCut = false, clientSecret }: { isCut?: boolean; clientSecret?: string } = {}) {
  const { 'X-Client-Id': clientId, 'X-Client-Secret': secret } = instance.headers;
  const { port } = proxy.address() as AddressInfo; // A TCP server always has an AddressInfo.
  const baseUrl = isCut ? `http://127.0.0.1:${port}` : instance.url;
  return createClient({ baseUrl, clientId, clientSecret: clientSecret ?? secret, retries: 1 });
}

const nameOf = (change: FeedChange<{ name: string }>) =>
  change.op === 'put' ? change.asset.name : `${change.op} ${change.id}`;

it('goes on after each lost connection, and misses nothing', async () => {
  const [writer, follower] = [client(), client({ isCut: true })];
  const query = { from: text, where: 'name startsWith ?', values: ['cut '], limit: 1 } as const;
  const make = async (name: string) => (await writer.createAsset({ _type: text, name })).asset;
  await make('cut a');
  const gone = await make('cut b');
  const seen: string[] = [];
  const cursors: (string | undefined)[] = [];
  let snapshots = 0;
  const steps = [
    () => make('cut c'),
    cut,
    async () => {
      await writer.deleteAsset(gone._id);
      cut();
    },
    () => make('cut d'),
  ];
  const onSnapshot = async () => {
    snapshots++;
    await steps.shift()?.();
  };
  for await (const change of follower.changes(query, { onSnapshot })) {
    expect(change.phase).toBe(seen.length < 2 ? 'snapshot' : 'changes');
    seen.push(nameOf(change));
    cursors.push(change.cursor);
    if (seen.at(-1) === 'cut d') break;
    if (change.phase === 'changes') {
      cut();
      await steps.shift()?.();
      if (steps.length > 0) await steps.shift()?.();
      if (steps.length > 0) await steps.shift()?.();
    }
  }
  expect(snapshots).toBe(1);
  // What a page had before the connection was lost may come again.
  expect([...new Set(seen)]).toEqual(['cut a', 'cut b', 'cut c', `delete ${gone._id}`, 'cut d']);

  const again: string[] = [];
  const from = cursors[seen.indexOf('cut c')];
  for await (const change of client().changes({ ...query, cursor: from })) {
    again.push(nameOf(change));
    if (again.at(-1) === 'cut d') break;
  }
  expect(again.slice(-2)).toEqual([`delete ${gone._id}`, 'cut d']);
  // Leaving a loop ends its stream.
  await expect.poll(() => instance.services.liveFeeds.count(), { timeout: 20_000 }).toBe(0);
});

it('ends with the reason of a signal, and with errors that waiting does not help', async () => {
  const abort = new AbortController();
  const reason = new Error('enough');
  const follow = async (...given: Parameters<ReturnType<typeof client>['changes']>) => {
    for await (const _ of client().changes(...given));
  };
  const query = { from: text, where: 'name = nothing' };
  const ended = follow(query, {
    signal: abort.signal,
    onSnapshot: () => void setTimeout(() => abort.abort(reason), 20),
  });
  await expect(ended).rejects.toBe(reason);
  await expect(follow({ ...query, cursor: 'nonsense' })).rejects.toMatchObject({
    status: 400,
    path: 'cursor',
  });
  const page = await client().listChanges(query);
  await expect(follow({ from: text, cursor: page.cursor })).rejects.toMatchObject({
    code: 'cursor_mismatch',
  });
  const revoked = client({ clientSecret: 'wrong' }).changes(query);
  await expect(revoked.next()).rejects.toMatchObject({ status: 401 });
});
