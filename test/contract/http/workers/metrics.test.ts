/** /metrics of a server with two workers: the sum of both, which does not decrease when a worker is replaced. */
import { beforeAll, expect, it, vi } from 'vitest';
import type { ServingProcess } from '../../../support/command-line.ts';
import { parseMetrics, sumOf } from '../../../support/parse-metrics.ts';
import { sqliteLocation } from '../../../support/stores.ts';
import { cmaPath } from '../../../support/two-servers.ts';
import { connectToEach, send, serveWithWorkers, untilServing, workerPids } from '../../../support/workers.ts';

let serving: ServingProcess;

beforeAll(async () => {
  serving = await serveWithWorkers(sqliteLocation());
});

const read = async () => parseMetrics((await send(serving, { path: '/metrics' })).body);
const labels = { http_route: `${cmaPath}/{id}`, http_response_status_code: '404' };
const countOf = async () => sumOf(await read(), 'http_server_request_duration_seconds_count', labels);

it('either worker reports the requests of both, also of one that was killed', async () => {
  const agents = await connectToEach(serving, '/healthz');
  for (const [number, agent] of agents)
    for (let n = 0; n < number; n++) await send(serving, { path: `${cmaPath}/none`, agent });
  for (const agent of agents.values()) {
    const { body } = await send(serving, { path: '/metrics', agent });
    const metrics = parseMetrics(body);
    expect(sumOf(metrics, 'http_server_request_duration_seconds_count', labels)).toBe(3);
    expect(sumOf(metrics, 'colophon_processes')).toBe(3);
    agent.destroy();
  }
  const [[number, pid] = [0, 0]] = workerPids(serving);
  process.kill(pid, 'SIGKILL');
  await vi.waitFor(() => expect(workerPids(serving).get(number)).not.toBe(pid), { timeout: 60_000 });
  await untilServing(serving);
  expect(await countOf()).toBe(3);
  await send(serving, { path: `${cmaPath}/none` });
  expect(await countOf()).toBe(4);
});

it('either worker reports the requests of the last hour of both', async () => {
  const agents = await connectToEach(serving, '/healthz');
  const path = '/graphql/management?query={__typename}';
  for (const [number, agent] of agents) for (let n = 0; n < number; n++) await send(serving, { path, agent });
  for (const agent of agents.values()) {
    const list = '/api/admin/dashboard/graphql-endpoints?search=management';
    const { status, body } = await send(serving, { path: list, agent });
    expect([status, body.items]).toMatchObject([200, [{ requests: 3, errors: 0 }]]);
    agent.destroy();
  }
});

it('reports the writer that the workers share once', async () => {
  const countWrites = async () => sumOf(await read(), 'colophon_writer_batch_size_sum');
  const before = await countWrites();
  const body = { _type: 'com.colophon.cms.db.Text', name: 'counted' };
  for (let n = 0; n < 24; n++) {
    expect((await send(serving, { method: 'POST', path: cmaPath, body })).status).toBe(200);
  }
  const written = (await countWrites()) - before;
  expect(written).toBeGreaterThanOrEqual(24);
  // Other work, such as heartbeats, is little; a writer reported twice would give twice as many.
  expect(written).toBeLessThan(48);
});
