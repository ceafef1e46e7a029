/** Imports into a failing server: temporary failures are retried without duplicates, permanent ones stop the import. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TestInstance } from '../../support/instance.ts';
import { type StoreLocation, sqliteLocation } from '../../support/stores.ts';
import { newspaper, texts, textType } from './content.ts';
import { type FaultyProxy, type ProxiedRequest, type ProxyAction, startFaultyProxy } from './faulty-proxy.ts';
import { createWorkspace, onServer, run, summaryOf, type Workspace } from './workspace.ts';

const count = 300;
const batches = ['--batch-size', '50', '--json'];

// Each test starts several processes.
vi.setConfig({ testTimeout: 600_000 });

let work: Workspace;
let location: StoreLocation;
let instance: TestInstance;
let proxies: FaultyProxy[];
beforeEach(async () => {
  work = createWorkspace();
  location = sqliteLocation();
  instance = await work.serve(location);
  proxies = [];
});
afterEach(async () => {
  await Promise.all(proxies.map((proxy) => proxy.stop()));
});

async function behind(decide: (request: ProxiedRequest) => ProxyAction) {
  const proxy = await startFaultyProxy(instance.url, decide);
  proxies.push(proxy);
  return { proxy, site: onServer({ ...instance, url: proxy.url }) };
}

async function countTexts(): Promise<number | undefined> {
  return (await instance.services.content.find({ from: textType, offset: 0, limit: 0, withCount: true }, {}))
    .count;
}

/** Applies an action to the first attempt of each batch; retries pass. */
function atFirst(action: ProxyAction): (request: ProxiedRequest) => ProxyAction {
  const seen = new Set<string>();
  return ({ key = '' }) => {
    if (seen.has(key)) return 'pass';
    seen.add(key);
    return action;
  };
}

const retryAfter = (status: number) => ({ status, headers: { 'Retry-After': '0' }, body: 'busy' });

describe('a temporary failure', () => {
  it.each<[string, ProxyAction]>([
    ['a connection cut before the server receives the batch', 'cut before'],
    ['a connection cut after the server has executed the batch', 'cut after'],
    ['a truncated answer', 'half'],
    ['429 with Retry-After', retryAfter(429)],
    ['500', retryAfter(500)],
    ['502 from a proxy', { status: 502, body: '<html>Bad Gateway</html>' }],
    ['503 with Retry-After', retryAfter(503)],
    [
      '504 with a date in Retry-After',
      { status: 504, headers: { 'Retry-After': new Date(0).toUTCString() } },
    ],
    ['an empty response', { status: 200, body: '' }],
  ])('%s neither duplicates nor loses assets', async (_, action) => {
    const { proxy, site } = await behind(atFirst(action));
    const lines = [...texts(count / 2), ...newspaper(count / 2)];
    const outcome = await run('import', site, [work.input(lines), ...batches]);
    expect(outcome).toMatchObject({ exitCode: 0 });
    expect(summaryOf(outcome)).toMatchObject({ created: count, failed: 0, dangling: 0 });
    expect(await countTexts()).toBe(count / 2);
    const bodies = new Map<string, Set<string>>();
    for (const { key = '', body } of proxy.requests)
      bodies.set(key, (bodies.get(key) ?? new Set()).add(body));
    const sent = proxy.requests.filter(({ method }) => method === 'POST');
    bodies.delete('');
    expect(sent).toHaveLength(2 * bodies.size);
    expect([...bodies.values()].every((different) => different.size === 1)).toBe(true);
  });

  it('a batch whose operations fail once is sent again with the same idempotency key', async () => {
    const busy = { status: 503, error: { code: 'store_busy', message: 'later' } };
    const { proxy, site } = await behind(({ number, body }) => {
      if (number > 1) return 'pass';
      const results = JSON.parse(body).operations.map(() => busy);
      return {
        status: 200,
        body: JSON.stringify({ status: 'ok', result: { failed: results.length, results } }),
      };
    });
    const words = [work.input(texts(20)), '--json', '--batch-size', '5', '--concurrency', '1'];
    expect(summaryOf(await run('import', site, words))).toMatchObject({ created: 20, failed: 0 });
    expect(await countTexts()).toBe(20);
    const [first, second] = proxy.requests;
    expect(second).toEqual({ ...first, number: 2 });
    expect(proxy.requests).toHaveLength(1 + 4);
  });

  it('delays the retry as long as Retry-After says', async () => {
    const times: number[] = [];
    const { site } = await behind(() => {
      times.push(performance.now());
      return times.length === 1 ? { status: 429, headers: { 'Retry-After': '2' } } : 'pass';
    });
    expect(await run('import', site, [work.input(texts(10)), ...batches])).toMatchObject({ exitCode: 0 });
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(1990);
  });
});

describe('a permanent failure', () => {
  const dead: [string, ProxyAction, RegExp][] = [
    ['endless 503', retryAfter(503), /answers 503; gave up after 2 attempts/],
    ['no connection', 'cut before', /gave up after 2 attempts/],
    [
      '401',
      {
        status: 401,
        body: '{"status":"error","result":null,"error":{"code":"unauthorized","message":"Who?"}}',
      },
      /answers 401: Who\?/,
    ],
    ['another service', { status: 404, body: '<html>' }, /answers 404, but is no content management API/],
    [
      'a redirection',
      { status: 302, headers: { Location: 'https://example.com/' } },
      /redirected to https:\/\/example.com\//,
    ],
  ];
  it.each(dead)(
    '%s from the third batch on stops the import; the next run completes it',
    async (_, action, reason) => {
      const { site } = await behind(({ number }) => (number > 2 ? action : 'pass'));
      const file = work.input(texts(count));
      const words = [file, ...batches, '--concurrency', '1'];
      const first = await run('import', site, [...words, '--attempts', '2']);
      expect(first).toMatchObject({ exitCode: 1 });
      expect(first.stderr).toMatch(reason);
      expect(first.stderr).toContain(
        `The import reached line 150; run the same command again to continue from the journal ${file}.journal`,
      );
      expect(summaryOf(first)).toMatchObject({ complete: false, created: 100 });
      const proxy = proxies.pop();
      await proxy?.stop();
      const again = await startFaultyProxy(
        instance.url,
        () => 'pass',
        Number(new URL(proxy?.url ?? '').port),
      );
      proxies.push(again);
      const second = await run('import', site, words);
      expect(second).toMatchObject({ exitCode: 0 });
      expect(summaryOf(second)).toMatchObject({ complete: true, lines: count, created: count });
      expect(await countTexts()).toBe(count);
      expect(again.requests).toHaveLength(4);
    },
  );

  it('revoking the client stops the import', async () => {
    const headers = await instance.createClient({});
    await instance.refresh();
    let revoked = Promise.resolve();
    const proxy = await startFaultyProxy(instance.url, async ({ number }) => {
      if (number === 2) revoked = instance.revoke(headers).then(instance.refresh);
      await revoked;
      return 'pass' as const;
    });
    proxies.push(proxy);
    const words = [work.input(texts(count)), ...batches, '--concurrency', '1'];
    const { exitCode, stderr } = await run('import', onServer({ url: proxy.url, headers }), words);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('answers 401')]);
    expect(await countTexts()).toBe(50);
  });

  it('an import without write permission fails with the reason', async () => {
    const headers = await instance.createClient({ scopes: ['cma:read'] });
    await instance.refresh();
    const { exitCode, stderr } = await run('import', onServer({ url: instance.url, headers }), [
      work.input(texts(1)),
    ]);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('lacks the scope cma:write')]);
  });

  it('a failed export leaves no file', async () => {
    await run('import', onServer(instance), [work.input(texts(count))]);
    const { site } = await behind(({ number }) => (number > 1 ? retryAfter(503) : 'pass'));
    const words = ['--from', textType, '--out', work.path('out.ndjson'), '--attempts', '1'];
    expect(await run('export', site, words)).toMatchObject({ exitCode: 1 });
    expect(() => work.lines('out.ndjson')).toThrow('ENOENT');
  });
});

describe('a batch that exceeds the body limit', () => {
  it('of a proxy is halved until it fits; a line that never fits is reported', async () => {
    const { proxy, site } = await behind(({ body }) =>
      body.length > 4000 ? { status: 413, body: '<html>' } : 'pass',
    );
    const large = { _type: textType, name: 'large', text: 'x'.repeat(4000) };
    const file = work.input([...texts(count), large, ...texts(20)]);
    const outcome = await run('import', site, [file, ...batches]);
    expect(summaryOf(outcome)).toMatchObject({ complete: true, created: count + 20, failed: 1 });
    expect(outcome.stderr).toContain(`line ${count + 1}: is too large for the target`);
    expect(work.lines('input.ndjson.failed.ndjson')).toMatchObject([{ line: count + 1, asset: large }]);
    expect(await countTexts()).toBe(count + 20);
    expect(proxy.requests.length).toBeLessThan(60);
  });

  it('of the server itself is halved too', async () => {
    const strict = await work.serve(sqliteLocation(), { maxBodyBytes: 2048 });
    const outcome = await run('import', onServer(strict), [work.input(texts(count)), '--json']);
    expect(summaryOf(outcome)).toMatchObject({ created: count, failed: 0 });
  });
});
