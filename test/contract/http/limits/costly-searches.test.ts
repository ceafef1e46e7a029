/**
 * Searches that would look through many assets: each has a budget of time, and meanwhile other requests are answered.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ClientHeaders, startInstance, type TestInstance } from '../../../support/instance.ts';
import { type StoreLocation, sqliteLocation } from '../../../support/stores.ts';

/** Whether the drill of `npm run test:long` runs: more searches, with the budget of a server. */
const isLong = process.env.COLOPHON_LONG_TESTS === 'true';
const [queryMs, searches] = isLong ? [2_000, 12] : [50, 20];
const from = 'com.colophon.cms.db.Text';
const text = 'Some words of a long text. '.repeat(isLong ? 8_000 : 800);
const costly = Array.from({ length: 40 }, (_, n) => `text contains[c] "absent${n}"`).join(' or ');

let location: StoreLocation;
let instance: TestInstance;
let attacker: ClientHeaders;

beforeAll(async () => {
  location = sqliteLocation();
  instance = await startInstance(location, { queryMs });
  const { content } = instance.services;
  await Promise.all(
    Array.from({ length: 300 }, (_, n) => content.create({ _type: from, name: `Text ${n}`, text }, {})),
  );
  attacker = await instance.createClient({ scopes: ['cma:read'] });
  await instance.refresh();
});
afterAll(async () => {
  await instance.stop();
  await location.remove();
});

const find = (query: Record<string, string>, headers: ClientHeaders) =>
  fetch(`${instance.url}/api/rest/cma/contents?${new URLSearchParams({ from, ...query })}`, { headers });

it('are refused with the path that has no index, while short lists of other clients are answered', async () => {
  const attacks = Array.from({ length: searches }, () => find({ where: costly }, attacker));
  let answered = 0;
  const ended = Promise.all(attacks.map(async (attack) => (await attack).json()));
  let areEnded = false;
  void ended.finally(() => {
    areEnded = true;
  });
  let worstMs = 0;
  while (!areEnded) {
    const startedMs = performance.now();
    expect((await find({ limit: '5' }, instance.headers)).status).toBe(200);
    worstMs = Math.max(worstMs, performance.now() - startedMs);
    answered++;
  }
  for (const body of await ended) {
    expect(body).toMatchObject({ status: 'error', error: { code: 'query_too_costly', path: 'text' } });
  }
  // A list that waited for the searches would be answered once or twice.
  expect(answered).toBeGreaterThan(5);
  if (isLong) console.log(`Worst wait of a short list: ${worstMs.toFixed(0)} ms; ${answered} were answered`);
});
