/** What opening a store changes in its database, and how a lost server is reported. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type Socket, connect as tcpConnect } from 'node:net';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Logger, silentLogger } from '../../../../src/base/runtime.ts';
import type { Catalog } from '../../../../src/model/content-type.ts';
import { bindPredicate, createPredicateCompiler } from '../../../../src/query/prepare.ts';
import { createMongoStore } from '../../../../src/store/mongo/mongo-store.ts';
import type { ContentStore } from '../../../../src/store/port.ts';
import { mongodbUrl } from '../../../support/mongo-url.ts';
import { catalogOf } from '../../../support/types.ts';

const serverUrl = mongodbUrl();
const id = '0191f3a0-5b7e-7c11-9d2e-000000000001';
const type = (name: string, fields: string) => `type ${name} @contentType(class: "t.${name}") { ${fields} }`;

describe('an unreachable server', () => {
  test('fails with store_busy', async () => {
    await expect(
      createMongoStore({
        url: 'mongodb://127.0.0.1:1/x?serverSelectionTimeoutMS=200',
        catalog: catalogOf(type('A', 'a: Int')),
        logger: silentLogger,
      }),
    ).rejects.toMatchObject({ code: 'store_busy' });
  });

  test('with a malformed URL is a bad_config error without the password', async () => {
    const url = 'mongodb://name:secret@host:port:1/x';
    const opening = createMongoStore({ url, catalog: catalogOf(type('A', 'a: Int')), logger: silentLogger });
    await expect(opening).rejects.toMatchObject({
      code: 'bad_config',
      message: expect.not.stringContaining('secret'),
    });
  });
});

describe.skipIf(serverUrl === '')('with a server', () => {
  let url: URL;
  let client: MongoClient;

  beforeEach(async () => {
    url = new URL(serverUrl);
    url.pathname = `/colophon_unit_${randomUUID()}`;
    client = await MongoClient.connect(url.href);
  });
  afterEach(async () => {
    await client.db().dropDatabase();
    await client.close();
  });

  /** Opens a store, runs `work` with it, closes it, and returns the log. */
  async function withStore(
    catalog: Catalog,
    work: (store: ContentStore) => Promise<void> = async () => {},
  ): Promise<object[]> {
    const lines: object[] = [];
    const logger: Logger = { ...silentLogger, info: (facts, message) => lines.push({ message, ...facts }) };
    const store = await createMongoStore({ url: url.href, catalog, logger });
    await store.prepare();
    await work(store);
    await store.close();
    return lines;
  }

  const indexNames = async () => {
    const indexes = await client.db().collection('assets').listIndexes().toArray();
    return indexes
      .map(({ name }) => name)
      .filter((name) => /[ab]$/.test(name))
      .sort();
  };

  test('indexes are added by @indexed, are shared, and are logged', async () => {
    const a = type('A', 'a: Int @indexed b: String @indexed(unique: true)');
    const lines = await withStore(catalogOf(a + type('B', 'a: String @indexed')));
    expect(await indexNames()).toEqual(['field:a', 'unique:t.A:b']);
    const ms = expect.any(Number);
    const created = lines.filter((line) => 'message' in line && line.message === 'Indexes created');
    expect(created).toEqual([
      { message: 'Indexes created', indexes: expect.arrayContaining(['t.A a', 't.A b']), ms },
    ]);
    expect(await withStore(catalogOf(a + type('B', 'a: String @indexed')))).toEqual([]);
    expect(await withStore(catalogOf(type('A', 'a: Int') + type('B', 'a: String @indexed')))).toEqual([]);
    expect(await indexNames()).toEqual(['field:a', 'unique:t.A:b']);
  });

  test('indexes of types that a catalog does not know are left alone', async () => {
    await withStore(catalogOf(type('A', 'a: Int @indexed b: String @indexed(unique: true)')));
    expect(await withStore(catalogOf(type('B', 'a: Int')))).toEqual([]);
    expect(await indexNames()).toEqual(['field:a', 'unique:t.A:b']);
  });

  test('words are recomputed only when a text becomes rich text', async () => {
    const [plain, rich] = [catalogOf(type('A', 'a: String')), catalogOf(type('A', 'a: RichText'))];
    await withStore(plain, async (store) => {
      for (let n = 0; n < 3; n++) {
        const _id = `${id.slice(0, -1)}${n}`;
        await store.insert({ asset: { _id, _type: 't.A', a: `<p>foo ${n}</p>` }, version: 'v' });
      }
      expect(await countWords(store, plain, 'p')).toBe(3);
    });
    expect(await withStore(plain)).toEqual([]);
    const lines = await withStore(rich, async (store) => {
      expect(await countWords(store, rich, 'p')).toBe(0);
      expect(await countWords(store, rich, 'foo')).toBe(3);
    });
    expect(lines).toEqual([{ message: 'Words recomputed', type: 't.A', assets: 3, ms: expect.any(Number) }]);
  });

  test('a process that splits a text by another rule than a running process does not start, and changes nothing', async () => {
    const [plain, rich] = [catalogOf(type('A', 'a: String')), catalogOf(type('A', 'a: RichText'))];
    const served = { sources: [], folder: '/types', areShipped: false };
    const open = (catalog: Catalog) => createMongoStore({ url: url.href, catalog, logger: silentLogger });
    const [first, second] = [await open(plain), await open(rich)];
    await first.serve(served);
    await first.insert({ asset: { _id: id, _type: 't.A', a: '<p>foo</p>' }, version: 'v' });
    const message = expect.stringMatching(/t\.A a.*rich text for one process/s);
    await expect(second.serve(served)).rejects.toMatchObject({ code: 'bad_config', message });
    expect(await countWords(first, plain, 'p')).toBe(1);
    expect(await client.db().collection('serving').countDocuments()).toBe(1);
    await first.close();
    await second.serve(served);
    expect(await countWords(second, rich, 'p')).toBe(0);
    await second.close();
  });

  test.each([
    ['String', 'Decimal'],
    ['Decimal', 'String'],
    ['Date', 'DateTime'],
  ])('a process for which a %s is a %s does not start beside the other', async (one, other) => {
    const [former, later] = [catalogOf(type('A', `a: ${one}`)), catalogOf(type('A', `a: ${other}`))];
    const served = { sources: [], folder: '/types', areShipped: false };
    const open = (catalog: Catalog) => createMongoStore({ url: url.href, catalog, logger: silentLogger });
    const [first, second] = [await open(former), await open(later)];
    await first.serve(served);
    const message = expect.stringMatching(/t\.A a is of another scalar, or ordered by other rules/);
    await expect(second.serve(served)).rejects.toMatchObject({ code: 'bad_config', message });
    await first.close();
    await second.serve(served);
    await second.close();
  });

  test('an asset that nests deeper than a document can is refused', async () => {
    const catalog = catalogOf(`${type('A', 'a: Deep')} type Deep { deeper: Deep }`);
    await withStore(catalog, async (store) => {
      const deep = (levels: number) => JSON.parse(`${'{"deeper":'.repeat(levels)}{}${'}'.repeat(levels)}`);
      const asset = { _id: id, _type: 't.A', a: deep(50) };
      await store.insert({ asset, version: 'v' });
      const patch = { id, type: 't.A', unset: [], version: 'w' };
      await expect(store.patch({ ...patch, set: { a: deep(150) } })).rejects.toMatchObject({
        code: 'invalid_body',
      });
      expect((await store.get(id))?.version).toBe('v');
    });
  });

  test('a server that goes away makes calls busy, and its return makes them work', async () => {
    const relay = await startRelay(url);
    const catalog = catalogOf(type('A', 'a: Int'));
    const query = 'directConnection=true&serverSelectionTimeoutMS=500&heartbeatFrequencyMS=500';
    const relayed = `mongodb://127.0.0.1:${relay.port}${url.pathname}?${query}`;
    const store = await createMongoStore({ url: relayed, catalog, logger: silentLogger });
    await store.insert({ asset: { _id: id, _type: 't.A' }, version: 'v' });
    await relay.cut();
    await expect(store.get(id)).rejects.toMatchObject({ code: 'store_busy' });
    await expect(store.ping()).rejects.toMatchObject({ code: 'store_busy' });
    await relay.restore();
    expect((await store.get(id))?.version).toBe('v');
    await store.close();
    await relay.cut();
  });
});

async function countWords(store: ContentStore, catalog: Catalog, word: string) {
  const types = ['t.A'];
  const where = bindPredicate(createPredicateCompiler(catalog).prepare(types, 'a matches ?'), [word]);
  return (await store.find({ types, where, offset: 0, limit: 0, withCount: true })).count;
}

/** A TCP proxy to the server that can be stopped and restarted on the same port. */
async function startRelay({ hostname, port: target }: URL) {
  const sockets = new Set<Socket>();
  const relay: Server = createServer((inbound) => {
    const outbound = tcpConnect(Number(target || 27017), hostname);
    inbound.pipe(outbound).pipe(inbound);
    for (const socket of [inbound, outbound]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
  });
  const listen = async (port: number) => {
    relay.listen(port, '127.0.0.1');
    await once(relay, 'listening');
  };
  await listen(0);
  const address = relay.address();
  const port = typeof address === 'object' && address ? address.port : expect.fail('no port');
  return {
    port,
    restore: () => listen(port),
    async cut() {
      relay.close();
      for (const socket of sockets) socket.destroy();
      await once(relay, 'close');
    },
  };
}
