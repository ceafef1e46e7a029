/**
 * A request with an `Idempotency-Key`, sent to two server processes: one runs it and the other waits for the response, and takes
 * over when the first is killed or hangs.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ServingProcess } from '../../../support/command-line.ts';
import { describeKillsOnEachStore, type StoreLocation } from '../../../support/stores.ts';
import { ask, type CmaResponse, cmaPath, serveOn } from '../../../support/two-servers.ts';

// Each test starts several processes.
vi.setConfig({ testTimeout: 600_000 });

const author = 'com.example.news.Author';
const text = 'com.colophon.cms.db.Text';
const site = 'com.colophon.cms.db.Site';
const idOf = (n: number) => `0190a0c0-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** Operations that depend on one another, so that the batch needs one write per round. */
function chain(rounds: number): object[] {
  return Array.from({ length: rounds }, (_, round) => [
    { action: 'update', asset: { _id: idOf(round % 3), name: `round ${round}` } },
    { action: 'upsert', by: 'slug', asset: { _type: author, slug: `made-${round % 5}`, name: `${round}` } },
    { action: 'create', asset: { _type: text, name: `text ${round}` } },
  ]).flat();
}

describeKillsOnEachStore('an idempotent batch on two servers', (locations, { isWhole }) => {
  // MongoDB's test server takes as long for forty.
  const rounds = isWhole ? 150 : 40;
  let location: StoreLocation;
  let here: ServingProcess;
  let there: ServingProcess;

  beforeEach(async () => {
    location = locations();
    here = await serveOn(location);
    there = await serveOn(location);
    const operations = [0, 1, 2].map((n) => ({
      action: 'create',
      asset: { _id: idOf(n), _type: author, slug: `there-${n}`, name: 'before' },
    }));
    await ask(here, 'POST', `${cmaPath}/batch`, { body: { operations } });
  });
  afterEach(async () => {
    here.signal('SIGKILL');
    await Promise.all([here.ended, there.stop()]);
  });

  const send = (server: ServingProcess, operations: object[]) =>
    ask(server, 'POST', `${cmaPath}/batch`, {
      body: { operations },
      headers: { 'Idempotency-Key': 'one' },
    });

  /** Sends a batch, again while the server answers that the first run takes too long, which on a busy machine it may. */
  async function sendAtLast(server: ServingProcess, operations: object[]): Promise<CmaResponse> {
    const response = await send(server, operations);
    return response.status === 503 ? sendAtLast(server, operations) : response;
  }

  /** Lists the names of all texts, sorted. */
  async function textNames(): Promise<string[]> {
    const { body } = await ask(there, 'GET', `${cmaPath}?from=${text}&limit=1000`);
    return body.result.items.map(({ name }: { name: string }) => name).toSorted();
  }

  /** Asserts that each asset is stored with the ETag of the last operation on it. */
  async function expectStored({ body }: CmaResponse, rounds: number): Promise<void> {
    const results: { status: number; _id: string; etag: string }[] = body.result.results;
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set([200]));
    const last = new Map(results.map(({ _id, etag }) => [_id, etag]));
    const stored = await Promise.all(
      [...last.keys()].map(async (_id) => [_id, (await ask(there, 'GET', `${cmaPath}/${_id}`)).headers.etag]),
    );
    expect(stored).toEqual([...last]);
    expect(await textNames()).toEqual(Array.from({ length: rounds }, (_, n) => `text ${n}`).toSorted());
  }

  it('runs on one server and gets the same response from both, like a single create', async () => {
    const servers = [here, there, here, there];
    const single = { body: { _type: text, name: 'single' }, headers: { 'Idempotency-Key': 'single' } };
    const creates = await Promise.all(servers.map((server) => ask(server, 'POST', cmaPath, single)));
    expect(new Set(creates.map(({ body, headers }) => JSON.stringify([body, headers.etag]))).size).toBe(1);
    expect(await textNames()).toEqual(['single']);
    const query = 'mutation { createText(input: { name: "single" }) { _id } }';
    const mutation = { body: { query }, headers: { 'Idempotency-Key': 'mutation' } };
    const mutations = await Promise.all(
      servers.map((server) => ask(server, 'POST', '/graphql/management', mutation)),
    );
    expect(new Set(mutations.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await textNames()).toEqual(['single', 'single']);
    await ask(there, 'DELETE', `${cmaPath}/${mutations[0]?.body.data.createText._id}`);
    await ask(there, 'DELETE', `${cmaPath}/${creates[0]?.body.result._id}`);
    const responses = await Promise.all(servers.map((server) => sendAtLast(server, chain(40))));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const replayed = responses.filter(({ headers }) => headers['idempotency-replayed'] === 'true');
    expect(replayed).toHaveLength(3);
    for (const { body } of responses) expect(body).toEqual(responses[0]?.body);
    for (const response of responses.slice(0, 1)) await expectStored(response, 40);
  });

  /** Waits until a part of the batch is stored. */
  async function untilBegun(): Promise<void> {
    await vi.waitUntil(async () => (await textNames()).length >= 5, { timeout: 60_000, interval: 5 });
  }

  /** Suspends a process while it does not hold the lock of the database file. */
  async function hang(server: ServingProcess): Promise<void> {
    server.signal('SIGSTOP');
    const probe = { body: { _type: site, name: 'probe' } };
    while ((await ask(there, 'POST', cmaPath, probe)).status === 503) {
      server.signal('SIGCONT');
      await sleep(5);
      server.signal('SIGSTOP');
    }
  }

  it('continues on the other server within seconds after its process is killed', async () => {
    const lost = send(here, chain(rounds)).catch(() => 'lost');
    await untilBegun();
    here.signal('SIGKILL');
    expect(await lost).toBe('lost');
    expect((await textNames()).length).toBeLessThan(rounds);
    let response = await send(there, chain(rounds));
    // A batch whose operations MongoDB did not finish in time is not final either.
    const isBusy = ({ status, body }: typeof response) =>
      status === 503 || body.result.results.some((result: { status: number }) => result.status === 503);
    while (isBusy(response)) {
      if (response.status === 503) expect(response.headers['retry-after']).toBe('1');
      response = await send(there, chain(rounds));
    }
    await expectStored(response, rounds);
  });

  it('continues on the other server when its process hangs; that process then writes nothing and gives the same response', async () => {
    const late = send(here, chain(rounds));
    late.catch(() => {});
    await untilBegun();
    await hang(here);
    expect((await textNames()).length).toBeLessThan(rounds);
    const response = await send(there, chain(rounds));
    await expectStored(response, rounds);
    // Later writes must not be overwritten.
    const changed = await ask(there, 'PUT', `${cmaPath}/${idOf(0)}`, { body: { name: 'since' } });
    const [{ _id: gone }] = (await ask(there, 'GET', `${cmaPath}?from=${text}`)).body.result.items;
    await ask(there, 'DELETE', `${cmaPath}/${gone}`);
    here.signal('SIGCONT');
    const first = await late;
    // The process may answer 503 because MongoDB seemed not to answer in time.
    const { status, body, headers } = first.status === 503 ? await send(here, chain(rounds)) : first;
    expect([status, headers['idempotency-replayed'], body]).toEqual([200, 'true', response.body]);
    await sleep(500);
    const stored = await ask(there, 'GET', `${cmaPath}/${idOf(0)}`);
    expect([stored.headers.etag, stored.body.result.name]).toEqual([changed.headers.etag, 'since']);
    expect(await textNames()).toHaveLength(rounds - 1);
  });
});
