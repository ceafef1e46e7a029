/** /metrics: who may read it, and that it counts requests by route, store calls, writes and sessions. */
import { connect } from 'node:net';
import { beforeAll, expect, it } from 'vitest';
import { type ClientHeaders, startInstance, type TestInstance } from '../../../support/instance.ts';
import { parseMetrics, sumOf } from '../../../support/parse-metrics.ts';
import { describeOnEachStore } from '../../../support/stores.ts';

const author = 'com.example.news.Author';
const requests = 'http_server_request_duration_seconds_count';
const storeCalls = 'db_client_operation_duration_seconds_count';

describeOnEachStore('/metrics', (locations) => {
  let location: ReturnType<typeof locations>;
  let instance: TestInstance;
  let scraper: ClientHeaders;

  beforeAll(async () => {
    location = locations();
    instance = await startInstance(location);
    scraper = await instance.createClient({ scopes: ['metrics'] });
    await instance.refresh();
  });

  const scrape = (init: RequestInit = { headers: scraper }) => fetch(`${instance.url}/metrics`, init);
  const read = async () => parseMetrics(await (await scrape()).text());

  it('needs the scope metrics, by headers or as a bearer token', async () => {
    const bearer = `Bearer ${scraper['X-Client-Id']}.${scraper['X-Client-Secret']}`;
    const response = await scrape({ headers: { Authorization: bearer } });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect((await scrape({ method: 'HEAD', headers: scraper })).status).toBe(200);
    expect((await scrape({})).status).toBe(401);
    expect((await scrape({ headers: { Authorization: `${bearer}x` } })).status).toBe(401);
    const refused = await scrape({ headers: instance.headers });
    expect([refused.status, await refused.text()]).toEqual([
      403,
      expect.stringContaining('lacks the scope metrics'),
    ]);
    const posted = await scrape({ method: 'POST', headers: scraper });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await fetch(`${instance.url}/metrics/more`, { headers: scraper })).status).toBe(404);
  });

  it('counts requests by the path of the operation, never by what was sent', async () => {
    const { cmaUrl, url, headers } = instance;
    const before = await read();
    const create = await fetch(cmaUrl, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ _type: author, slug: `metrics-${Date.now()}`, name: 'Ada' }),
    });
    const id = ((await create.json()) as { result: { _id: string } }).result._id;
    for (const path of [id, id, 'not-an-id']) await fetch(`${cmaUrl}/${path}`, { headers });
    await fetch(cmaUrl, { headers: { 'X-Client-Id': 'nobody', 'X-Client-Secret': 'x' } });
    await fetch(`${url}/graphql/delivery?query=%7B__typename%7D`, { headers });
    for (const path of ['/nowhere/1', '/nowhere/2', '/graphql/nowhere', '/healthz', '/admin/x/y'])
      await fetch(url + path);
    const metrics = await read();
    const count = (http_route: string, status: number, http_request_method = 'GET') => {
      const labels = { http_route, http_request_method, http_response_status_code: String(status) };
      return sumOf(metrics, requests, labels) - sumOf(before, requests, labels);
    };
    const cma = new URL(cmaUrl).pathname;
    expect({
      created: count(cma, 200, 'POST'),
      got: count(`${cma}/{id}`, 200),
      absent: count(`${cma}/{id}`, 404),
      unauthorized: count(`${cma}/*`, 401),
      graphql: count('/graphql/delivery', 403),
      nowhere: count('', 404),
      health: count('/healthz', 200),
    }).toEqual({ created: 1, got: 2, absent: 1, unauthorized: 1, graphql: 1, nowhere: 3, health: 1 });
    expect(
      [...metrics.values()].flatMap(({ samples }) => samples.map(({ labels }) => labels.http_route)),
    ).not.toContain('/nowhere/1');
    expect(sumOf(metrics, 'http_server_active_requests')).toBe(1);
  });

  it('counts a request whose caller disconnects as aborted', async () => {
    const before = sumOf(await read(), requests, { error_type: 'aborted' });
    const { hostname, port } = new URL(instance.url);
    const socket = connect(Number(port), hostname);
    const { 'X-Client-Id': id, 'X-Client-Secret': secret } = instance.headers;
    socket.write(
      `POST ${new URL(instance.cmaUrl).pathname} HTTP/1.1\r\nHost: x\r\nX-Client-Id: ${id}\r\nX-Client-Secret: ${secret}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    );
    await expect.poll(async () => sumOf(await read(), 'http_server_active_requests')).toBe(2);
    socket.destroy();
    await expect.poll(async () => sumOf(await read(), requests, { error_type: 'aborted' })).toBe(before + 1);
  });

  it('counts calls of the store with their errors, and the sessions', async () => {
    const before = await read();
    const { headers, cmaUrl } = instance;
    const post = (slug: string) =>
      fetch(cmaUrl, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ _type: author, slug, name: 'Grace' }),
      });
    const slugs = Array.from({ length: 8 }, (_, n) => `load-${Date.now()}-${n}`);
    await Promise.all([...slugs, ...slugs].map(post));
    const { email, password } = await instance.createUser();
    const signedIn = await fetch(`${instance.url}/api/admin/session`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    expect(await signedIn.text()).toContain('csrfToken');
    const after = await read();
    const grown = (name: string, labels: Readonly<Record<string, string>>) =>
      sumOf(after, name, labels) - sumOf(before, name, labels);
    const inserts = { db_operation_name: 'insert' };
    expect(grown(storeCalls, { ...inserts, error_type: 'value_in_use' })).toBe(8);
    expect(grown(storeCalls, inserts)).toBeGreaterThanOrEqual(16);
    expect(sumOf(after, 'colophon_sessions')).toBe(1);
    for (const name of ['colophon_searches_running', 'colophon_searches_waiting'])
      expect(after.has(name)).toBe(true);
    // Only a store that this process alone writes to has a writer.
    expect(after.has('colophon_writer_waiting')).toBe(
      sumOf(after, storeCalls, { db_system_name: 'sqlite' }) > 0,
    );
    if (after.has('colophon_writer_waiting')) {
      expect(grown('colophon_writer_batch_size_sum', {})).toBeGreaterThanOrEqual(16);
      expect(sumOf(after, 'colophon_writer_waiting')).toBe(0);
    }
  });

  it('counts the live feeds that are open', async () => {
    const open = async () => sumOf(await read(), 'colophon_feed_streams');
    expect(await open()).toBe(0);
    const leaving = new AbortController();
    const headers = { ...instance.headers, Accept: 'text/event-stream' };
    const address = `${instance.cmaUrl}/changes?from=${author}`;
    const stream = await fetch(address, { headers, signal: leaving.signal });
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    expect(await open()).toBe(1);
    leaving.abort();
    await expect.poll(open).toBe(0);
  });

  it('measures the process', async () => {
    const metrics = await read();
    expect(sumOf(metrics, 'process_memory_usage_bytes')).toBeGreaterThan(20_000_000);
    expect(sumOf(metrics, 'process_cpu_time_seconds_total')).toBeGreaterThan(0);
    expect(metrics.get('colophon_data_free_bytes')?.samples[0]?.value).toBeGreaterThan(1e6);
    expect(metrics.get('target_info')?.samples[0]?.labels).toMatchObject({ service_name: 'colophon' });
    // The measurement begins with the second turn of its timer.
    await new Promise((resolve) => setTimeout(resolve, 100));
    const until = performance.now() + 300;
    while (performance.now() < until);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(sumOf(await read(), 'nodejs_eventloop_delay_max_seconds')).toBeGreaterThan(0.1);
  });
});
