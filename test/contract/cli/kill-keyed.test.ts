/**
 * Kills a server while it handles requests with an `Idempotency-Key`: each request that is repeated until it is answered must
 * have been executed exactly once.
 */
import { expect, it } from 'vitest';
import {
  credentialsOf,
  environmentOf,
  type ServingProcess,
  startServing,
} from '../../support/command-line.ts';
import { roundsOf } from '../../support/rounds.ts';
import { sqliteLocation } from '../../support/stores.ts';

const kills = roundsOf({ usual: 4, long: 20 });
const senders = 6;
const text = 'com.colophon.cms.db.Text';
const author = 'com.example.news.Author';
const site = 'com.colophon.cms.db.Site';
const credentials = {
  'X-Client-Id': 'writer',
  'X-Client-Secret': 'secret',
  'Content-Type': 'application/json',
};
const location = sqliteLocation();
const environment = {
  ...environmentOf(location),
  ...credentialsOf(credentials),
};

interface Sent {
  readonly key: string;
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly ifMatch?: string;
}

/** The sites that requests change and delete, with the versions that they require. */
const targets: { readonly _id: string; readonly etag: string }[] = [];
const maxTargets = 1_000;

const graphqlPath = '/graphql/management';
const mutation = 'mutation ($name: String!) { createText(input: { name: $name }) { _id } }';

/**
 * Builds a request for one text, by the content management API or a mutation, for a batch of texts and authors, or for a change or a deletion of a site. Executed twice, a batch
 * would conflict by the slug of its authors, and a change or a deletion by the version that it requires.
 */
function requestOf(n: number): Sent {
  const key = `k${n}`;
  const target = n % 4 === 2 ? targets[(n - 2) / 4] : undefined;
  if (target) {
    const { _id, etag: ifMatch } = target;
    const request = { key, path: `/${_id}`, ifMatch };
    return n % 8 === 2
      ? { ...request, method: 'PUT', body: { name: 'changed' } }
      : { ...request, method: 'DELETE' };
  }
  if (n % 8 === 4) {
    const body = { query: mutation, variables: { name: `single ${n}` } };
    return { key, method: 'POST', path: graphqlPath, body };
  }
  if (n % 2 === 0) return { key, method: 'POST', path: '', body: { _type: text, name: `single ${n}` } };
  const operations = Array.from({ length: 20 }, (_, m) =>
    m % 2 === 0
      ? { action: 'create', asset: { _type: text, name: `batch ${n} ${m}` } }
      : { action: 'create', asset: { _type: author, slug: `a-${n}-${m}`, name: 'A' } },
  );
  return { key, method: 'POST', path: '/batch', body: { operations, atomic: n % 4 === 1 } };
}

async function send(url: string, { key, method, path, body, ifMatch }: Sent) {
  const headers = { ...credentials, 'Idempotency-Key': key, ...(ifMatch && { 'If-Match': ifMatch }) };
  const place = path === graphqlPath ? path : `/api/rest/cma/contents${path}`;
  const response = await fetch(url + place, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  const { result, errors } = (await response.json()) as {
    result: { failed?: number; results?: typeof targets };
    errors?: unknown;
  };
  expect([key, response.status, result?.failed ?? 0, errors]).toEqual([key, 200, 0, undefined]);
  return result;
}

async function createTargets(url: string): Promise<void> {
  const operations = Array.from({ length: maxTargets }, (_, n) => ({
    action: 'create',
    asset: { _type: site, name: `site ${n}` },
  }));
  const created = await send(url, { key: 'targets', method: 'POST', path: '/batch', body: { operations } });
  targets.push(...(created.results ?? []));
}

/** Repeats the unanswered requests and sends new ones, until the server is gone. */
async function sendUntilKilled(serving: ServingProcess, open: Map<number, Sent>, next: () => number) {
  const waiting = [...open.keys()];
  let isDoomed = false;
  const sendOn = async () => {
    for (;;) {
      const n = waiting.pop() ?? next();
      open.set(n, requestOf(n));
      await send(serving.url, requestOf(n));
      open.delete(n);
      // The killed process has left leases, which must expire first.
      if (!isDoomed) setTimeout(() => serving.signal('SIGKILL'), 30 + Math.random() * 200);
      isDoomed = true;
    }
  };
  const sending = Array.from({ length: senders }, () => sendOn().catch(failUnlessGone));
  await Promise.all([...sending, serving.ended]);
}

/** Ignores broken connections, which a killed server causes, and rethrows everything else. */
function failUnlessGone(error: unknown): void {
  if (!(error instanceof TypeError)) throw error;
}

it(`executes each idempotent request exactly once over ${kills} kills`, async () => {
  const open = new Map<number, Sent>();
  let last = 0;
  for (let kill = 0; kill < kills; kill++) {
    const serving = await startServing(environment);
    if (kill === 0) await createTargets(serving.url);
    await sendUntilKilled(serving, open, () => last++);
  }
  const serving = await startServing(environment);
  expect(open.size).toBeGreaterThan(0);
  await Promise.all([...open.values()].map((sent) => send(serving.url, sent)));
  const names: string[] = [];
  for (let after = '00000000-0000-0000-0000-000000000000', page: { _id: string; name: string }[] = []; ; ) {
    const query = new URLSearchParams({
      from: text,
      where: '_id > ?',
      values: after,
      limit: '1000',
      count: 'false',
    });
    const response = await fetch(`${serving.url}/api/rest/cma/contents?${query}`, { headers: credentials });
    page = ((await response.json()) as { result: { items: typeof page } }).result.items;
    names.push(...page.map(({ name }) => name));
    after = page.at(-1)?._id ?? '';
    if (page.length === 0) break;
  }
  await serving.stop();
  const expected = Array.from({ length: last }, (_, n) => n).flatMap((n) => {
    const { method, path } = requestOf(n);
    if (method !== 'POST') return [];
    return path === '' || path === graphqlPath
      ? [`single ${n}`]
      : Array.from({ length: 10 }, (_, m) => `batch ${n} ${2 * m}`);
  });
  expect(last).toBeGreaterThan(kills);
  expect(names.toSorted()).toEqual(expected.toSorted());
});
