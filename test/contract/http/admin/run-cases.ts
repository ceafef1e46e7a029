/** Cases of the runs: how they begin, who may write in them, their list, and their reverts. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import request from 'supertest';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AdminContext, AdminResponse, SenderHeaders } from './admin-caller.ts';

const text = { _type: 'com.colophon.cms.db.Text', name: 'A text', text: '<p>a</p>' };

/** Runs the cases. */
export function describeRuns({ call, client, instance, signIn }: AdminContext): void {
  const newRun = () => `run-${randomUUID()}`;
  const create = (run: string, body: object = text, as = client()) =>
    call('POST', '/contents', { body, as, headers: { 'X-Run': run } });
  const list = (query = '') => call('GET', `/runs${query}`);
  const get = (run: string) => call('GET', `/runs/${run}`);
  const revert = (run: string, body: object = {}) => call('POST', `/runs/${run}/revert`, { body });
  const problemOf = ({ status, body }: AdminResponse) => [status, body.code, body.problems?.[0]?.path];

  /** Begins a run by a write that is refused, so that it need not be quiet for a minute before it is reverted. */
  async function beginEmpty(): Promise<string> {
    const run = newRun();
    const { body } = await call('POST', '/contents', { body: text });
    expect((await create(run, { ...text, _id: body._id })).status).toBe(409);
    return run;
  }

  /** Reads a run when the log has its writes, which some stores put into order a moment after they are done. */
  async function getWritten(run: string, writes: number): Promise<AdminResponse> {
    for (;;) {
      const response = await get(run);
      const counts: number[] = Object.values(response.body.writes);
      if (counts.reduce((sum, count) => sum + count, 0) >= writes) return response;
      await sleep(20);
    }
  }

  async function waitForEnd(run: string): Promise<AdminResponse> {
    for (;;) {
      const response = await get(run);
      if (response.body.revert.state !== 'running') return response;
      await sleep(20);
    }
  }

  describe('a run', () => {
    beforeEach(async ({ skip }) => {
      skip((await list()).status === 501, 'the store keeps no change log');
    });

    it('begins with the first write that names it', async () => {
      const run = newRun();
      expect((await get(run)).status).toBe(404);
      const { body: asset } = await create(run);
      await call('PUT', `/contents/${asset._id}`, { body: { name: 'b' }, headers: { 'X-Run': run } });
      await call('DELETE', `/contents/${asset._id}`, { headers: { 'X-Run': run } });
      const { status, body } = await getWritten(run, 3);
      expect(status).toBe(200);
      expect(body).toEqual({
        name: run,
        by: { kind: 'client', id: client()['X-Client-Id'], name: expect.any(String) },
        beganAt: expect.any(Number),
        lastWriteAt: expect.any(Number),
        writes: { create: 1, update: 1, delete: 1 },
        isCounted: true,
        state: 'open',
      });
    });

    it('does not begin when it is only named by a read', async () => {
      const run = newRun();
      await call('GET', '/types', { headers: { 'X-Run': run } });
      expect((await get(run)).status).toBe(404);
    });

    it('belongs to the client that began it', async () => {
      const run = newRun();
      await create(run);
      const other = await instance().createClient({ scopes: ['admin'] });
      await instance().refresh();
      const { headers } = await signIn();
      const { body: asset } = await call('POST', '/contents', { body: text });
      for (const as of [other, headers]) {
        const inRun = { as, headers: { 'X-Run': run } };
        const refused = [
          await create(run, text, as),
          await call('PUT', `/contents/${asset._id}`, { body: { name: 'b' }, ...inRun }),
          await call('DELETE', `/contents/${asset._id}`, inRun),
        ];
        for (const { status, body } of refused) expect([status, body.code]).toEqual([409, 'run_foreign']);
      }
      expect((await getWritten(run, 1)).body.writes).toEqual({ create: 1, update: 0, delete: 0 });
    });

    it('begins once when two clients begin it at the same time', async () => {
      const run = newRun();
      const other = await instance().createClient({ scopes: ['admin'] });
      await instance().refresh();
      const responses = await Promise.all([
        create(run),
        create(run, text, other),
        create(run),
        create(run, text, other),
      ]);
      const statuses = responses.map(({ status }) => status).toSorted();
      expect(statuses).toEqual([201, 201, 409, 409]);
      expect((await getWritten(run, 2)).body.writes.create).toBe(2);
    });

    it.each(['.', '..', 'a b', 'a/b', 'ä', '', 'x'.repeat(65), '<script>', '%2e'])(
      'cannot be named %j',
      async (run) => {
        const { cmaUrl, headers } = instance();
        const sent = request(cmaUrl).post('').set(headers).set('X-Run', Buffer.from(run).toString('latin1'));
        const { status, body } = await sent.send(text);
        expect([status, body.error.code, body.error.path]).toEqual([400, 'invalid_parameter', 'X-Run']);
      },
    );

    it.each(['__proto__', 'constructor', '-', '_', 'a..b', 'A.b-C_9', 'x'.repeat(64)])(
      'can be named %j',
      async (run) => {
        expect((await create(run)).status).toBe(201);
        expect((await get(run)).body).toMatchObject({ name: run, state: 'open' });
      },
    );

    it('is listed, the latest first, page by page', async () => {
      const runs = [newRun(), newRun(), newRun()];
      for (const run of runs) await create(run);
      const names: string[] = [];
      for (let next: string | undefined = ''; next !== undefined; ) {
        const { body } = await list(`?limit=2${next === '' ? '' : `&cursor=${next}`}`);
        expect(body.items.length).toBeLessThanOrEqual(2);
        names.push(...body.items.map(({ name }: { name: string }) => name));
        next = body.next;
      }
      expect(new Set(names).size).toBe(names.length);
      // Runs that began in the same millisecond have no order.
      expect(names.slice(0, 3).toSorted()).toEqual(runs.toSorted());
    });

    it.each(['x', '1', '1.', '.a', '1.a b', '99999999999999999.a', '-1.a'])(
      'refuses the cursor %j',
      async (cursor) => {
        expect(problemOf(await list(`?cursor=${encodeURIComponent(cursor)}`))).toEqual([
          400,
          'invalid_parameter',
          'cursor',
        ]);
      },
    );
  });

  describe('reverting a run over HTTP', () => {
    beforeEach(async ({ skip }) => {
      skip((await list()).status === 501, 'the store keeps no change log');
    });

    it('lists in a dry run what it would do', async () => {
      const run = newRun();
      const { body: asset } = await call('POST', '/contents', { body: text });
      const headers = { 'X-Run': run };
      await call('PUT', `/contents/${asset._id}`, { body: { name: 'b' }, headers });
      await call('PUT', `/contents/${asset._id}`, { body: { name: 'c' } });
      const { body: added } = await create(run);
      await getWritten(run, 2);
      const { status, body } = await revert(run, { dryRun: true });
      expect(status).toBe(200);
      expect(body).toEqual({
        items: [
          { asset: added._id, type: text._type, title: text.name, action: 'delete', changes: [] },
          {
            asset: asset._id,
            type: text._type,
            title: 'c',
            action: 'update',
            changes: [{ path: 'name', from: 'c', to: text.name }],
            conflict: {
              reason: 'changed',
              message: 'Another write came after that of the run',
              change: {
                id: expect.any(String),
                at: expect.any(Number),
                action: 'update',
                by: expect.objectContaining({ kind: 'client' }),
              },
              values: expect.arrayContaining([{ path: 'name', base: 'b', theirs: 'c', yours: text.name }]),
            },
          },
        ],
      });
      expect((await get(run)).body).toMatchObject({ state: 'open' });
      const first = await revert(run, { dryRun: true, limit: 1 });
      expect(first.body.items).toEqual(body.items.slice(0, 1));
      const { next: cursor } = first.body;
      expect((await revert(run, { dryRun: true, limit: 1, cursor })).body.items).toEqual(body.items.slice(1));
    });

    it('is refused while the run is writing', async () => {
      const run = newRun();
      await create(run);
      const { status, body } = await revert(run);
      expect([status, body.code]).toEqual([409, 'run_active']);
    });

    it('closes the run, and is a run in which nobody else writes', async () => {
      const run = await beginEmpty();
      const { status, body } = await revert(run);
      expect([status, body.state, body.revert.run]).toEqual([202, 'reverted', `revert-${run}`]);
      expect((await waitForEnd(run)).body.revert).toMatchObject({
        state: 'finished',
        written: 0,
        conflicts: 0,
      });
      for (const name of [run, `revert-${run}`]) {
        const refused = await create(name);
        expect([refused.status, refused.body.code]).toEqual([
          409,
          name === run ? 'run_closed' : 'run_closed',
        ]);
      }
      expect((await get(`revert-${run}`)).body).toMatchObject({ revertOf: run, state: 'closed' });
    });

    it('begins two seconds after the owner has closed the run, for the owner and for developers', async () => {
      const run = newRun();
      const { headers } = await signIn('editor');
      const { body: asset } = await create(run, text, headers);
      const close = (as?: SenderHeaders) => call('POST', `/runs/${run}/close`, as ? { as } : {});
      const revertAs = (as: SenderHeaders) => call('POST', `/runs/${run}/revert`, { body: {}, as });
      await getWritten(run, 1);
      expect((await close()).status).toBe(403);
      expect((await close(headers)).body).toMatchObject({ name: run, state: 'closed' });
      expect((await close(headers)).status).toBe(200);
      expect(problemOf(await create(run, text, headers))).toEqual([409, 'run_closed', undefined]);
      expect(problemOf(await revertAs(headers))).toEqual([409, 'run_active', undefined]);
      const { headers: other } = await signIn('editor');
      expect((await revertAs(other)).status).toBe(403);
      await sleep(2_001);
      expect((await revertAs(headers)).status).toBe(202);
      expect((await waitForEnd(run)).body.revert).toMatchObject({ written: 1, conflicts: 0 });
      expect((await call('GET', `/contents/${asset._id}`)).status).toBe(404);
      expect((await call('POST', `/runs/${newRun()}/close`)).status).toBe(404);
    });

    it.each([
      [{ dryRun: true, cursor: 'x' }, 'cursor'],
      [{ dryRun: true, limit: 0 }, 'limit'],
      [{ dryRun: true, limit: 101 }, 'limit'],
      [{ dryRun: 'yes' }, 'dryRun'],
      [{ force: true }, 'force'],
    ])('refuses %j', async (body, path) => {
      const run = await beginEmpty();
      expect(problemOf(await revert(run, body))).toEqual([400, 'invalid_body', path]);
    });
  });
}
