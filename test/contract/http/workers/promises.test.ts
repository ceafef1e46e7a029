/** Two workers behind one port: whichever of them answers, the promises of one process hold. */
import type { Agent } from 'node:http';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { freeAttempts } from '../../../../src/access/authenticator.ts';
import type { ServingProcess } from '../../../support/command-line.ts';
import { parseMetrics, sumOf } from '../../../support/parse-metrics.ts';
import { describeOnEachStore } from '../../../support/stores.ts';
import { cmaPath } from '../../../support/two-servers.ts';
import {
  connectToEach,
  logLines,
  send,
  serveWithWorkers,
  type WorkerRequest,
  workersOf,
} from '../../../support/workers.ts';

const author = 'com.example.news.Author';
let authors = 0;
const newAuthor = () => ({ _type: author, slug: `author-${authors++}`, name: 'first' });

describeOnEachStore('two workers', (locations) => {
  let serving: ServingProcess;
  let agents: readonly Agent[] = [];

  beforeAll(async () => {
    serving = await serveWithWorkers(locations(), {
      COLOPHON_ADMIN_EMAIL: 'ada@example.org',
      COLOPHON_ADMIN_PASSWORD: 'in the store',
    });
    agents = [...(await connectToEach(serving, `${cmaPath}?from=${author}`)).values()];
  });
  afterAll(async () => {
    for (const agent of agents) agent.destroy();
    const { exitCode } = await serving.stop();
    expect(exitCode).toBe(0);
  });

  const ask = (request: WorkerRequest) => send(serving, request);
  /** The response of each worker to the same request. */
  const askEach = (request: WorkerRequest) => Promise.all(agents.map((agent) => ask({ ...request, agent })));
  const create = () => ask({ method: 'POST', path: cmaPath, body: newAuthor() });

  it('get equally many connections, kept or not', async () => {
    const fresh = await Promise.all(
      Array.from({ length: 40 }, () => ask({ path: `${cmaPath}?from=${author}` })),
    );
    const workers = await workersOf(
      serving,
      fresh.map(({ requestId }) => requestId),
    );
    const ofFirst = workers.filter((worker) => worker === 1).length;
    expect(ofFirst).toBeGreaterThanOrEqual(12);
    expect(ofFirst).toBeLessThanOrEqual(28);
  });

  it('read each write at once, in every way of reading', async () => {
    for (let round = 0; round < 10; round++) {
      const [writer, reader] = round % 2 === 0 ? agents : agents.toReversed();
      const { body } = await ask({
        method: 'POST',
        path: cmaPath,
        body: newAuthor(),
        agent: writer as Agent,
      });
      const { _id: id, slug } = body.result;
      const path = `${cmaPath}/${id}`;
      await ask({ method: 'PUT', path, body: { name: `round ${round}` }, agent: writer as Agent });
      const read = (request: WorkerRequest) => ask({ ...request, agent: reader as Agent });
      const where = encodeURIComponent(`slug = "${slug}"`);
      expect((await read({ path })).body.result.name).toBe(`round ${round}`);
      const list = await read({ path: `${cmaPath}?from=${author}&where=${where}` });
      expect(list.body.result.items).toMatchObject([{ name: `round ${round}` }]);
      const history = await read({ path: `/api/admin/contents/${id}/history` });
      if (history.status !== 501) expect(history.body.items).toHaveLength(2);
    }
  });

  it('let one of two guarded updates win', async () => {
    const { body, headers } = await create();
    const answers = await Promise.all(
      agents.map((agent, n) =>
        ask({
          method: 'PUT',
          path: `${cmaPath}/${body.result._id}`,
          headers: { 'If-Match': String(headers.etag) },
          body: { name: `worker ${n}` },
          agent,
        }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412]);
  });

  it('answer two requests with one Idempotency-Key once', async () => {
    for (let round = 0; round < 5; round++) {
      const request = {
        method: 'POST',
        path: cmaPath,
        body: newAuthor(),
        headers: { 'Idempotency-Key': `round-${round}` },
      };
      const [first, second] = await askEach(request);
      expect([first?.status, second?.body]).toEqual([200, first?.body]);
    }
  });

  it('all know a client, its new secret and its end when the request is answered', async () => {
    const clients = '/api/admin/api-clients';
    const [here] = agents;
    const made = await ask({
      method: 'POST',
      path: clients,
      body: { name: 'Revoked', scopes: ['cma:read'] },
      agent: here as Agent,
    });
    const { secret } = made.body;
    const { clientId } = made.body.client;
    const statuses = async (clientSecret: string) => {
      const headers = { 'X-Client-Id': clientId, 'X-Client-Secret': clientSecret };
      const answers = await askEach({ path: `${cmaPath}?from=${author}`, headers });
      return answers.map(({ status }) => status);
    };
    expect(await statuses(secret)).toEqual([200, 200]);
    const rotated = await ask({ method: 'POST', path: `${clients}/${clientId}/secret` });
    expect(await statuses(secret)).toEqual([401, 401]);
    expect(await statuses(rotated.body.secret)).toEqual([200, 200]);
    await ask({ method: 'DELETE', path: `${clients}/${clientId}` });
    expect(await statuses(rotated.body.secret)).toEqual([401, 401]);
  });

  it('all serve an endpoint when its request is answered, and the present content', async () => {
    const source = await ask({
      method: 'POST',
      path: '/api/admin/graphql-endpoints',
      body: { name: 'Authors', readTypes: ['*'], writeTypes: [], access: 'ANYONE' },
    });
    expect(source.status).toBe(201);
    const graphql = {
      method: 'POST',
      path: '/graphql/authors',
      body: { query: '{ authorList { count } }' },
    };
    expect((await askEach(graphql)).map(({ status }) => status)).toEqual([200, 200]);
    const rest = await ask({
      method: 'POST',
      path: '/api/admin/rest-endpoints',
      body: {
        name: 'People',
        source: 'Authors',
        mappings: [{ name: 'All', query: 'query All { authorList { count } }' }],
      },
    });
    await ask({ method: 'POST', path: `/api/admin/rest-endpoints/${rest.body.id}/publish` });
    for (let round = 0; round < 5; round++) {
      const answers = await askEach({ path: '/people/all' });
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
      await create();
      const later = await askEach({ path: '/people/all' });
      expect(JSON.stringify(later[0]?.body)).not.toBe(JSON.stringify(answers[0]?.body));
      expect(later[1]?.body).toEqual(later[0]?.body);
    }
  });

  it('all remove the kept responses with an erased asset from memory when its request is answered', async () => {
    await ask({
      method: 'POST',
      path: '/api/admin/graphql-endpoints',
      body: { name: 'Erasing', readTypes: ['*'], writeTypes: [], access: 'ANYONE' },
    });
    const rest = await ask({
      method: 'POST',
      path: '/api/admin/rest-endpoints',
      body: {
        name: 'Kept',
        source: 'Erasing',
        mappings: [{ name: 'All', query: 'query All { authorList(limit: 100) { items { slug name } } }' }],
      },
    });
    await ask({ method: 'POST', path: `/api/admin/rest-endpoints/${rest.body.id}/publish` });
    const { _id: id, slug } = (await create()).body.result;
    for (const { body } of await askEach({ path: '/kept/all' })) expect(JSON.stringify(body)).toContain(slug);
    const responseQuota = async () => {
      const { body } = await ask({ path: '/metrics' });
      return sumOf(parseMetrics(body), 'colophon_route_cache_bytes');
    };
    // Two bodies, one in each worker.
    expect(await responseQuota()).toBeGreaterThan(1_000);
    const erased = await ask({ method: 'DELETE', path: `${cmaPath}/${id}?erase=true` });
    if (erased.status === 501) return;
    expect(erased.status).toBeLessThan(300);
    expect(await responseQuota()).toBe(0);
    for (const { body } of await askEach({ path: '/kept/all' }))
      expect(JSON.stringify(body)).not.toContain(slug);
  });

  it('share sessions, and count failed sign-ins together', async () => {
    const signIn = (password: string, agent: Agent) =>
      ask({
        method: 'POST',
        path: '/api/admin/session',
        body: { email: 'ada@example.org', password },
        agent,
      });
    const [here, there] = agents as [Agent, Agent];
    const signedIn = await signIn('in the store', here);
    expect(signedIn.status).toBe(200);
    const cookie = [signedIn.headers['set-cookie']].flat().map((one) => one?.split(';')[0]);
    const session = { path: '/api/admin/session', headers: { Cookie: cookie.join('; ') } };
    const found = await ask({ ...session, isAnonymous: true, agent: there });
    expect(found.body.user).toMatchObject({ email: 'ada@example.org' });
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 6; attempt++)
      statuses.push((await signIn('wrong', attempt % 2 === 0 ? here : there)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  it('count wrong credentials of API clients together', async () => {
    const [here, there] = agents as [Agent, Agent];
    const guess = async (n: number) => {
      const headers = { 'X-Client-Secret': `guess ${n}` };
      const agent = n % 2 === 0 ? here : there;
      return (await ask({ path: cmaPath, headers, agent })).status;
    };
    // The parent passes on each wrong attempt in a moment; one that was sent before it arrived is free.
    const statuses: number[] = [];
    for (let n = 0; n < freeAttempts + 4 && statuses.at(-1) !== 429; n++) statuses.push(await guess(n));
    expect(statuses.length).toBeGreaterThan(freeAttempts);
    expect(statuses.at(-1)).toBe(429);
    const refused = await askEach({ path: cmaPath });
    expect(refused.map(({ status, body }) => [status, body.error.code])).toEqual([
      [429, 'too_many_attempts'],
      [429, 'too_many_attempts'],
    ]);
    // The right secret, accepted by one worker, makes both forget; otherwise the second guess would have to wait.
    const find = { path: `${cmaPath}?from=${author}`, agent: here };
    const limits = { timeout: 60_000, interval: 50 };
    await vi.waitFor(async () => expect((await ask(find)).status).toBe(200), limits);
    await vi.waitFor(async () => expect([await guess(1), await guess(1)]).toEqual([401, 401]), limits);
  });

  it('write whole log lines, each with its worker', () => {
    const requests = logLines(serving).filter(({ requestId }) => requestId !== undefined);
    expect(new Set(requests.map(({ worker }) => worker))).toEqual(new Set([1, 2]));
  });
});
