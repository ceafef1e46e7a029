/** Rate limits of a server with two workers: what one worker has done for a sender counts in both. */
import type { Agent } from 'node:http';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { ServingProcess } from '../../../support/command-line.ts';
import { describeOnEachStore } from '../../../support/stores.ts';
import { cmaPath } from '../../../support/two-servers.ts';
import { connectToEach, send, serveWithWorkers, type WorkerRequest } from '../../../support/workers.ts';

const text = 'com.colophon.cms.db.Text';
/** Checked by the worker alone, so that it costs the same on every store. */
const costly = {
  method: 'POST',
  path: `${cmaPath}/batch?validate=true`,
  body: {
    operations: Array.from({ length: 1_000 }, (_, n) => ({
      action: 'create',
      asset: { _type: text, name: `Text ${n}`, text: 'Some words. '.repeat(20) },
    })),
  },
};
const cheap = { path: `${cmaPath}?from=${text}&limit=0` };

describeOnEachStore('the rate limit of two workers', (locations) => {
  let serving: ServingProcess;
  let agents: readonly Agent[] = [];

  beforeAll(async () => {
    serving = await serveWithWorkers(locations(), { COLOPHON_RATE_LIMIT: '20,200' });
    // Health checks have no limit.
    agents = [...(await connectToEach(serving, '/healthz')).values()];
  });
  afterAll(() => {
    for (const agent of agents) agent.destroy();
  });

  const ask = (request: WorkerRequest) => send(serving, request);

  it('refuses at both what one has spent, until the debt is paid, and leaves other senders alone', async () => {
    const [here, there] = agents as [Agent, Agent];
    const body = { name: 'Other', scopes: ['cma:read'] };
    const made = await ask({ method: 'POST', path: '/api/admin/api-clients', body });
    const other = { 'X-Client-Id': made.body.client.clientId, 'X-Client-Secret': made.body.secret };
    let spending = await ask({ ...costly, agent: here });
    for (let n = 0; n < 200 && spending.status === 200; n++) spending = await ask({ ...costly, agent: here });
    expect([spending.status, spending.body.error.code]).toEqual([429, 'rate_limited']);

    let asked = 0;
    const refused = await vi.waitFor(
      async () => {
        asked++;
        const response = await ask({ ...cheap, agent: there });
        expect(response.status).toBe(429);
        return response;
      },
      { timeout: 60_000, interval: 50 },
    );
    // So few cheap requests do not use up the units that this worker could have given away itself.
    expect(asked).toBeLessThan(30);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.headers['ratelimit-policy']).toBe('"work";q=200;qu="milliseconds";w=10');
    expect(refused.headers.ratelimit).toMatch(/^"work";r=0;t=\d+$/);
    for (const agent of agents) {
      const { status, headers } = await ask({ ...cheap, agent, headers: other });
      expect([status, headers.ratelimit]).toEqual([200, expect.stringMatching(/^"work";r=[1-9]\d*;t=\d+$/)]);
    }
    const again = () => Promise.all(agents.map(async (agent) => (await ask({ ...cheap, agent })).status));
    await vi.waitFor(async () => expect(await again()).toEqual([200, 200]), {
      timeout: 90_000,
      interval: 500,
    });
  });
});
