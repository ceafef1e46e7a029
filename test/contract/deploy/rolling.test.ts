/**
 * Servers on one MongoDB that are killed, added and replaced one by one under load, behind nginx with the settings of `deploy/`. Every call
 * succeeds, after retries that are safe; nothing that was acknowledged is lost, and the history has each write once.
 *
 * The test server of MongoDB is one process, so neither a failover of the replica set nor a lost majority is shown. It keeps the transaction
 * of a killed process for 60 s, where `deploy/compose.yaml` sets 20: with few rounds, the calls that such a transaction still blocks at the
 * end are not waited for.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createClient } from '../../../generated/client/lib/index.js';
import { environmentOf, type ServingProcess, startServing } from '../../support/command-line.ts';
import { deployedNginx } from '../../support/deployed-nginx.ts';
import { findFreePort } from '../../support/free-port.ts';
import { type OwnMongo, startOwnMongo } from '../../support/mongo-server.ts';
import { mongodbUrl } from '../../support/mongo-url.ts';
import { describeBehindNginx, type NginxProcess, startNginxWith } from '../../support/nginx.ts';
import {
  batchSize,
  loadType,
  type RollingReport,
  type RollingTarget,
  startRollingLoad,
} from '../../support/rolling-load.ts';
import { roundsOf } from '../../support/rounds.ts';
import { ownMongoLocation, type StoreLocation } from '../../support/stores.ts';
import { createFullClient, credentials, send } from '../../support/workers.ts';

const rounds = roundsOf({ usual: 1, long: 5 });
/** Each series begins with an empty store: the more the test server keeps, the longer its commands take, until none ends in time. */
const series = Array.from({ length: roundsOf({ usual: 1, long: 4 }) }, (_, n) => n + 1);
const patienceMs = roundsOf({ usual: 3_000, long: 90_000 });
const timeoutMs = roundsOf({ usual: 600_000, long: 10_800_000 });
vi.setConfig({ testTimeout: timeoutMs });

const clients = 6;
/** Longer than the `fail_timeout` of nginx, as the guide says. */
const returnMs = 3_000;
const route = '/api/names/by-id';

describeBehindNginx('behind nginx', () => {
  // A server of COLOPHON_TEST_MONGODB_URL must not keep the transactions of killed processes.
  describe.skipIf(mongodbUrl() === '' || process.env.COLOPHON_TEST_MONGODB_URL).each(series)(
    `servers that are killed, added and replaced ${rounds} times, series %i`,
    () => {
      let mongo: OwnMongo;
      let location: StoreLocation;
      let nginx: NginxProcess<string>;
      let listen: number;
      let ports: [number, number, number];
      let target: RollingTarget;
      const servers = new Map<number, ServingProcess>();

      beforeAll(async () => {
        const started = await startOwnMongo();
        if (!started) throw new Error('There was a server for other tests');
        mongo = started;
        location = ownMongoLocation(mongo);
        await createFullClient(location);
        listen = await findFreePort();
        ports = [await findFreePort(), await findFreePort(), await findFreePort()];
        const [first, second] = ports;
        await start(first);
        await start(second);
        nginx = await startNginxWith(deployedNginx({ listen, instances: [first, second] }), listen);
        const { 'X-Client-Id': clientId, 'X-Client-Secret': clientSecret } = credentials;
        target = { url: `http://127.0.0.1:${listen}`, clientId, clientSecret, route };
        await publishRoute();
      });
      afterAll(async () => {
        for (const server of servers.values()) server.signal('SIGKILL');
        await Promise.all([...servers.values()].map(({ ended }) => ended));
        await nginx?.stop();
        await mongo?.stop();
      });

      /** Starts a server on a port and waits until it is ready. */
      async function start(port: number): Promise<void> {
        const environment = {
          ...environmentOf(location),
          COLOPHON_PORT: `${port}`,
          COLOPHON_TRUST_PROXY: '1',
        };
        const server = await supervise(() =>
          startServing({ ...environment, COLOPHON_LOG_LEVEL: 'error' }, { timeoutMs }),
        );
        servers.set(port, server);
        const isReady = async () => (await fetch(`${server.url}/readyz`)).status === 200;
        await vi.waitUntil(isReady, { timeout: 60_000, interval: 50 });
      }

      /** Starts a server again while it ends because the store is busy, as the unit and the compose file of `deploy/` do. */
      async function supervise(startOne: () => Promise<ServingProcess>): Promise<ServingProcess> {
        for (;;) {
          try {
            return await startOne();
          } catch (error) {
            if (!String(error).includes('The store is busy')) throw error;
            await sleep(2_000);
          }
        }
      }

      async function stop(port: number, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
        const server = servers.get(port);
        server?.signal(signal);
        expect((await server?.ended)?.exitCode).toBe(signal === 'SIGTERM' ? 0 : null);
        servers.delete(port);
      }

      /** Publishes the mapped route, and waits until both servers have it. */
      async function publishRoute(): Promise<void> {
        const path = '/api/admin/rest-endpoints';
        const mappings = [{ name: 'By ID', query: 'query ById($id: ID!) { text(_id: $id) { name } }' }];
        const endpoint = {
          name: 'Names',
          pathPrefix: '/api/names',
          source: 'delivery',
          access: 'ANYONE',
          mappings,
        };
        const { body } = await send(target, { method: 'POST', path, body: endpoint });
        const published = await send(target, {
          method: 'POST',
          path: `${path}/${body.id}/publish`,
          body: {},
        });
        expect(published.status).toBe(200);
        for (const { url } of servers.values()) {
          const isServed = async () => (await send({ url }, { path: `${route}?id=none` })).status !== 404;
          await vi.waitUntil(isServed, { timeout: 60_000, interval: 50 });
        }
      }

      /** Kills one server, adds one, replaces each, and removes the added one. */
      async function runRound(): Promise<void> {
        const [first, second, third] = ports;
        await sleep(1_000);
        await stop(first, 'SIGKILL');
        await sleep(1_000);
        await start(first);
        await start(third);
        nginx.reload(deployedNginx({ listen, instances: ports }));
        await sleep(returnMs);
        for (const port of ports) {
          await stop(port, 'SIGTERM');
          await start(port);
          await sleep(returnMs);
        }
        nginx.reload(deployedNginx({ listen, instances: [first, second] }));
        await sleep(500);
        await stop(third, 'SIGTERM');
      }

      it('serve every call, lose nothing, and write nothing twice', async () => {
        const load = startRollingLoad(target, clients);
        for (let round = 1; round <= rounds; round++) {
          await runRound();
          console.log(`round ${round} of ${rounds}`);
        }
        const report = await load.stop(patienceMs);
        console.log(
          `${report.calls} requests, ${report.notes.size} assets, failed attempts: ${JSON.stringify([...report.failedAttempts])}`,
        );
        expect(report.notes.size).toBeGreaterThan(clients * rounds * 5);
        expectSafeFailures(report);
        // Each round kills one server, which can be writing for each client.
        expect(report.unfinished.length).toBeLessThanOrEqual(rounds * clients);
        await expectStored(report);
      });

      /** Asserts that all attempts that failed were of the kinds that a client may repeat. */
      function expectSafeFailures({ failedAttempts }: RollingReport): void {
        const isSafe = (failure: string) =>
          // nginx has sent a request twice, because the first server was killed: its client reads the asset.
          /^\w+ (no response|502|503|504)$/.test(failure) || ['PUT 412', 'DELETE 404'].includes(failure);
        expect([...failedAttempts.keys()].filter((failure) => !isSafe(failure))).toEqual([]);
      }

      /** Compares the store with what was acknowledged, and the history of each asset with its changes. */
      async function expectStored({ notes, batches, unfinished }: RollingReport): Promise<void> {
        const { url: baseUrl, clientId, clientSecret } = target;
        const cma = createClient({ baseUrl, clientId, clientSecret });
        const stored = new Map<string, string>();
        for await (const { _id, name } of cma.eachAsset({ from: loadType })) stored.set(_id, name);
        const ids = [...notes].filter(([id, { name }]) => stored.get(id) !== name);
        expect(ids).toEqual([]);
        const counts = Map.groupBy(stored.values(), (name) => name);
        for (const [name, { length }] of counts) expect([name, length]).toEqual([name, sizeOf(name)]);
        expect([...batches].filter((name) => counts.get(name)?.length !== batchSize)).toEqual([]);
        const known = new Set([...notes.values()].map(({ name }) => name));
        const unknown = [...counts.keys()].filter((name) => !known.has(name) && !batches.has(name));
        expect(unknown.filter((name) => !unfinished.some((begun) => name.startsWith(begun)))).toEqual([]);
        for (const [id, { actions }] of notes) {
          const { items } = await cma.listAssetHistory(id);
          expect([id, items.map(({ action }) => action).toReversed()]).toEqual([id, actions]);
        }
      }

      const sizeOf = (name: string) => (name.endsWith('batch') ? batchSize : 1);
    },
  );
});
