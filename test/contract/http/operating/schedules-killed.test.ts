/**
 * Two servers on one store with releases that are due while one of them is killed at random moments: each release is published once, in the order
 * of their times, and none before its time. On MongoDB the clock of the other server is an hour fast, and that of the database counts.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFailed } from 'vitest';
import {
  environmentOf,
  runCommand,
  type ServingProcess,
  startServing,
} from '../../../support/command-line.ts';
import { createSeededRandom } from '../../../support/seeded-random.ts';
import { describeKillsOnEachStore, type StoreLocation } from '../../../support/stores.ts';

const type = 'com.colophon.cms.db.Text';
const action = 'com.colophon.system.ReleaseAction';
const releases = 12;
const stepMs = 700;
const hourMs = 3_600_000;
const fastClock = `--import=data:text/javascript,${encodeURIComponent(`const now=Date.now;Date.now=()=>now()+${hourMs}`)}`;

describeKillsOnEachStore('schedules', (locations) => {
  let location: StoreLocation;
  let killed: ServingProcess;
  let other: ServingProcess;
  let headers: Record<string, string>;

  beforeAll(async () => {
    location = locations();
    const environment = environmentOf(location);
    const words = [
      'client',
      'create',
      '--name',
      'tester',
      '--scope',
      'admin',
      '--scope',
      'history',
      '--json',
    ];
    const { clientId, secret } = JSON.parse((await runCommand(words, environment)).stdout);
    headers = { 'X-Client-Id': clientId, 'X-Client-Secret': secret, 'Content-Type': 'application/json' };
    const isShared = location.config.mongodbUrl !== undefined;
    killed = await startServing(environment);
    other = await startServing({ ...environment, ...(isShared && { NODE_OPTIONS: fastClock }) });
  });
  afterAll(async () => {
    for (const serving of [killed, other]) serving?.signal('SIGKILL');
    await Promise.all([killed?.ended, other?.ended]);
  });

  const call = async (method: string, path: string, body?: object) => {
    const sent = body ? { body: JSON.stringify(body) } : {};
    const response = await fetch(`${other.url}/api/admin${path}`, { method, headers, ...sent });
    // biome-ignore lint/suspicious/noExplicitAny: the contract suite validates these responses
    const answer: any = response.status === 204 ? undefined : await response.json();
    expect([response.status, answer]).toEqual([expect.toSatisfy((status) => status < 300), answer]);
    return answer;
  };

  it('are published once, in order, and none before its time', { timeout: 180_000 }, async () => {
    const random = createSeededRandom();
    onTestFailed(() => console.log(`COLOPHON_TEST_SEED=${random.seed}`));
    const names = Array.from({ length: releases }, (_, n) => `release-${n}`);
    const ids: string[] = [];
    for (const name of names) {
      const { createdAt } = await call('POST', '/releases', { name });
      if (location.config.mongodbUrl !== undefined)
        expect(createdAt).toBeGreaterThan(Date.now() + hourMs / 2);
      ids.push((await call('POST', `/contents?release=${name}`, { _type: type, name }))._id);
    }
    const firstMs = Date.now() + 3_000;
    const timeOf = (n: number) => firstMs + n * stepMs;
    // The last one is scheduled first.
    for (const [n, name] of [...names.entries()].reverse())
      await call('PUT', `/releases/${name}/schedule`, { at: timeOf(n) });

    const seenMs = new Map<string, number>();
    const query = { from: type, limit: 100 };
    let isOver = false;
    const watch = (async () => {
      for (; seenMs.size < releases && !isOver; await sleep(20)) {
        const { items } = await call('POST', '/query', query);
        const nowMs = Date.now();
        for (const { name } of items) if (!seenMs.has(name)) seenMs.set(name, nowMs);
      }
    })();
    let kills = 0;
    while (Date.now() < timeOf(releases) + 2_000) {
      await sleep(random.below(1_500));
      killed.signal('SIGKILL');
      await killed.ended;
      kills++;
      killed = await startServing(environmentOf(location));
    }
    await expect.poll(() => seenMs.size, { timeout: 90_000 }).toBe(releases);
    isOver = true;
    await watch;

    expect(kills).toBeGreaterThan(3);
    for (const [n, name] of names.entries()) expect(seenMs.get(name)).toBeGreaterThanOrEqual(timeOf(n));
    const { items } = await call('GET', `/changes?type=${action}&limit=100`);
    const published = items.filter(({ description }: { description: string }) =>
      description.startsWith('Published'),
    );
    expect(published.map(({ name }: { name: string }) => name).reverse()).toEqual(names);
    expect(new Set(published.map(({ by }: { by: { kind: string } }) => by.kind))).toEqual(
      new Set(['system']),
    );
    for (const id of ids) expect((await call('GET', `/contents/${id}/history`)).items).toHaveLength(1);
    for (const name of names) expect(await call('GET', `/releases/${name}`)).not.toHaveProperty('publishAt');
  });
});
