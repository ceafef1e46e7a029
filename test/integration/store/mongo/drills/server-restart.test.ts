/**
 * The database server is killed and started again while several Colophon servers write: every response is a success or 503, every
 * acknowledged write is there, and the log and the assets agree.
 */
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ServingProcess } from '../../../../support/command-line.ts';
import { type OwnMongo, startOwnMongo } from '../../../../support/mongo-server.ts';
import { mongodbUrl } from '../../../../support/mongo-url.ts';
import { roundsOf } from '../../../../support/rounds.ts';
import { ownMongoLocation } from '../../../../support/stores.ts';
import { ask, cmaPath, serveOn } from '../../../../support/two-servers.ts';

const servers = 2;
const writersPerServer = 3;
const kills = roundsOf({ usual: 1, long: 6 });
const text = 'com.colophon.cms.db.Text';

interface Entry {
  readonly _id: string;
  readonly id: string;
  readonly seq?: number;
  readonly version?: string;
  readonly previous?: string;
}

// A server of COLOPHON_TEST_MONGODB_URL must not be killed.
describe.skipIf(mongodbUrl() === '' || process.env.COLOPHON_TEST_MONGODB_URL)('MongoDB', () => {
  let mongo: OwnMongo;
  let serving: ServingProcess[];
  let url: string;

  beforeEach(async () => {
    const server = await startOwnMongo({ isDurable: true });
    if (!server) throw new Error('There was a server for other tests');
    mongo = server;
    const location = ownMongoLocation(mongo);
    url = location.config.mongodbUrl ?? '';
    serving = [];
    for (let n = 0; n < servers; n++) serving.push(await serveOn(location));
  });
  afterEach(async () => {
    for (const process of serving) process.signal('SIGKILL');
    await mongo.stop();
  });

  test('is killed under load: nothing acknowledged is lost, and no response is 500', {
    timeout: 1_200_000,
  }, async () => {
    const statuses = new Map<number, number>();
    /** The last acknowledged version of each asset whose last write was acknowledged. */
    const acknowledged = new Map<string, string>();
    let isStopped = false;
    const send = async (server: ServingProcess, method: string, path: string, body: object) => {
      const response = await ask(server, method, path, { body });
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      return response;
    };
    const writeOn = async (server: ServingProcess) => {
      while (!isStopped) {
        const created = await send(server, 'POST', cmaPath, { _type: text, name: 'a' });
        if (created.status !== 200) continue;
        const id: string = created.body.result._id;
        const path = `${cmaPath}/${id}`;
        acknowledged.set(id, created.headers.etag ?? '');
        const updated = await send(server, 'PUT', path, { name: 'b' });
        if (updated.status === 200) acknowledged.set(id, updated.headers.etag ?? '');
        else acknowledged.delete(id);
      }
    };
    const writing = serving.flatMap((server) =>
      Array.from({ length: writersPerServer }, () => writeOn(server)),
    );
    for (let n = 0; n < kills; n++) {
      const before = acknowledged.size;
      await vi.waitUntil(() => acknowledged.size > before + 20, { timeout: 120_000, interval: 20 });
      await mongo.restart();
    }
    const restarted = acknowledged.size;
    await vi.waitUntil(() => acknowledged.size > restarted + 20, { timeout: 120_000, interval: 20 });
    isStopped = true;
    await Promise.all(writing);
    expect([...statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    await expectAgreement(acknowledged);
  });

  async function expectAgreement(acknowledged: ReadonlyMap<string, string>): Promise<void> {
    const client = await MongoClient.connect(url);
    const changes = client.db().collection<Entry & { pending?: number }>('changes');
    await vi.waitUntil(async () => (await changes.countDocuments({ pending: { $gt: 0 } })) === 0, {
      timeout: 120_000,
      interval: 100,
    });
    const assets = await client
      .db()
      .collection<{ _id: string; _colophon: { version: string; change: number } }>('assets')
      .find({ _type: text })
      .toArray();
    const entries = await changes.find({ type: text }, { sort: { _id: 1 } }).toArray();
    await client.close();
    const histories = Map.groupBy(entries, ({ _id }) => _id.split(' ')[0] ?? '');
    for (const { _id, _colophon } of assets) {
      const history = histories.get(_id) ?? [];
      expect([_id, history.length, history.at(-1)?.version]).toEqual([
        _id,
        _colophon.change,
        _colophon.version,
      ]);
      expect(history.slice(1).map(({ previous }) => previous)).toEqual(
        history.slice(0, -1).map(({ version }) => version),
      );
    }
    expect(histories.size).toBe(assets.length);
    const stored = new Map(assets.map(({ _id, _colophon }) => [_id, _colophon.version]));
    const lost = [...acknowledged].filter(([id, etag]) => !etag.includes(stored.get(id) ?? 'absent'));
    expect(lost).toEqual([]);
    expect(new Set(entries.map(({ seq }) => seq)).size).toBe(entries.length);
  }
});
