/**
 * What a request leaves behind: nothing that outlives its response. Objects that keep each other alive from one request to the next
 * move to V8's old generation, although none is used any more; each collection then copies megabytes and delays all requests.
 */
import { Agent, get } from 'node:http';
import { getHeapSpaceStatistics } from 'node:v8';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ClientHeaders, startInstance, type TestInstance } from '../../../support/instance.ts';
import { sqliteLocation } from '../../../support/stores.ts';

const rounds = 5;
const requestsInRound = 1_000;
/** Few, so that what is in flight has room in V8's new space even when V8 shrinks it, as it does in a process that gets little time. */
const connections = 4;
/** A request that adds a function or an accessor to one of its objects leaves some 2,000 to 4,500 bytes. */
const maxBytesLeft = 500;

let instance: TestInstance;
let headers: ClientHeaders;
const agent = new Agent({ keepAlive: true, maxSockets: connections });

beforeAll(async () => {
  instance = await startInstance(sqliteLocation());
  headers = await instance.createClient({ scopes: ['cma:read', 'graphql'] });
  const { restEndpoints } = instance.services;
  const mappings = [{ name: 'All', query: 'query All { textList { count } }' }];
  const body = { name: 'News', source: 'delivery', access: 'ANYONE', mappings };
  const { id } = await restEndpoints.create({ body, by: 'x' });
  await restEndpoints.publish({ id, by: 'x' });
  await instance.refresh();
});
afterAll(() => agent.destroy());

const send = (path: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    get(instance.url + path, { agent, headers }, (response) => {
      response.once('end', () => resolve(response.statusCode)).resume();
    }).once('error', reject);
  });

async function sendAll(path: string, count: number): Promise<void> {
  const left = Array(count).values();
  const work = async () => {
    for (const _ of left) await send(path);
  };
  await Promise.all(Array.from({ length: connections }, work));
}

const oldBytes = () =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ??
  Number.NaN;

it.each<[name: string, path: string, status: number]>([
  ['a list', '/api/rest/cma/contents?from=com.colophon.cms.db.Text', 200],
  ['an asset that does not exist', '/api/rest/cma/contents/0191f3a0-5b7e-7c11-9d2e-000000000001', 404],
  ['a mapped route', '/news/all', 200],
  ['a GraphQL query', '/graphql/delivery?query={textList{count}}', 200],
  ['a path without a route', '/nothing', 404],
])('%s leaves no garbage that lives on', async (_name, path, status) => {
  expect(await send(path)).toBe(status);
  await sendAll(path, requestsInRound);
  const left: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = oldBytes();
    await sendAll(path, requestsInRound);
    left.push((oldBytes() - before) / requestsInRound);
  }
  // The median: V8 compiles functions in one round, and collects old objects in another.
  const median = left.toSorted((one, other) => one - other)[Math.floor(rounds / 2)];
  expect(median, `bytes left, by round: ${left.map(Math.round)}`).toBeLessThan(maxBytesLeft);
});
