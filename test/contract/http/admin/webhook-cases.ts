/** Cases of webhooks as records; `test/contract/http/webhooks/` has those of deliveries. */
import { afterAll, describe, expect, it, vi } from 'vitest';
import { keepsHistory, trimHistory } from '../../../support/history.ts';
import type { StoreLocation } from '../../../support/stores.ts';
import { text } from '../cma/cma-content.ts';
import { type AdminContext, noId } from './admin-caller.ts';

/** Runs the cases. */
export function describeWebhooks({ call, createAsset, instance, newName }: AdminContext): void {
  const definition = (fields: object = {}) => ({
    name: newName(),
    // Nothing listens there.
    url: 'http://127.0.0.1:1/hook',
    types: [text],
    ...fields,
  });
  const create = async (fields: object = {}) => {
    const { status, body } = await call('POST', '/webhooks', { body: definition(fields) });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return { ...body, path: `/webhooks/${body.webhook.id}` };
  };
  const ifLogged = (name: string, test: () => Promise<void>) =>
    it(name, async ({ skip }) => {
      if (!(await keepsHistory(instance()))) skip();
      await test();
    });

  describe('a webhook', () => {
    afterAll(async () => {
      const { body } = await call('GET', '/webhooks');
      for (const { id } of body.items ?? []) await call('DELETE', `/webhooks/${id}`);
    });

    ifLogged('is created with a secret that is never shown again', async () => {
      const body = definition({ payload: 'asset', actions: ['update'], where: "name = 'A'" });
      const created = await call('POST', '/webhooks', { body });
      expect([created.status, created.body.webhook]).toEqual([
        201,
        {
          ...body,
          kind: 'changes',
          id: expect.any(String),
          state: 'active',
          position: expect.any(Number),
          behind: expect.any(Number),
          heldAssets: 0,
          createdAt: expect.any(Number),
          updatedAt: expect.any(Number),
        },
      ]);
      const { secret, webhook } = created.body;
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(created.headers.location).toBe(`/api/admin/webhooks/${webhook.id}`);
      const read = await call('GET', `/webhooks/${webhook.id}`);
      const listed = await call('GET', '/webhooks');
      const changes = await call('GET', `/changes?asset=${webhook.id}`);
      // Other cases write meanwhile, so its position grows.
      const unmoved = { ...webhook, position: expect.any(Number), behind: expect.any(Number) };
      expect(read.body).toEqual(unmoved);
      expect(listed.body.items).toContainEqual(unmoved);
      expect(changes.body.items[0].description).toBe(`Created webhook ${JSON.stringify(body.name)}`);
      expect(JSON.stringify([read, listed, changes])).not.toContain(secret.slice(6, 20));
    });

    const where = (text: string) => ({ where: text });
    for (const [reason, fields, path, column] of [
      ['no URL', { url: undefined }, 'url'],
      ['a URL of another scheme', { url: 'ftp://example.com/' }, 'url'],
      ['a relative URL', { url: '/hook' }, 'url'],
      ['a URL with a password', { url: 'https://a:b@example.com/' }, 'url'],
      ['no types', { types: [] }, 'types'],
      ['an unknown type', { types: [text, 'x.Nothing'] }, 'types[1]'],
      ['another type beside *', { types: ['*', text] }, 'types'],
      ['an unknown action', { actions: ['signIn'] }, 'actions[0]'],
      ['a predicate on an unknown field', where("name = 'A' and nothing = 1"), 'where', 16],
      ['a predicate on an unknown former field', where('_before.nothing = 1'), 'where', 1],
      ['a predicate that ends early', where('name ='), 'where', 7],
      ['a placeholder', where('name = ?'), 'where', 8],
      ['a predicate through a reference', where('cms.site.owner/name = A'), 'where', 1],
      ['a secret', { secret: 'x' }, 'secret'],
    ] as const)
      ifLogged(`is refused with ${reason}`, async () => {
        const { status, body } = await call('POST', '/webhooks', { body: definition(fields) });
        const place = { path, message: expect.any(String), ...(column && { line: 1, column }) };
        expect([status, body.code, body.problems]).toEqual([400, 'invalid_body', [place]]);
      });

    it('is checked without being saved', async () => {
      const check = async (body: object) => call('POST', '/webhooks/check', { body });
      expect((await check({ types: ['*'] })).body).toEqual({ problems: [] });
      expect((await check({ types: [text], where: "name = 'A'" })).body).toEqual({ problems: [] });
      const place = { path: 'where', message: expect.any(String), line: 1, column: 16 };
      const wrong = await check({ types: [text], where: "name = 'A' and nothing = 1" });
      expect([wrong.status, wrong.body]).toEqual([200, { problems: [place] }]);
      const unknown = await check({ types: [text, 'x.Nothing'], where: 'nothing = 1' });
      expect(unknown.body).toEqual({ problems: [{ path: 'types[1]', message: expect.any(String) }] });
      expect((await check({ types: [text], where: '' })).status).toBe(400);
    });

    ifLogged('tells how far it is behind, and what a replay would do', async () => {
      const { path } = await create();
      await call('PATCH', path, { body: { enabled: false } });
      const { position } = await vi.waitFor(
        async () => {
          await createAsset({ _type: text, name: 'Not sent' });
          const { body } = await call('GET', path);
          expect(body.behind).toBeGreaterThan(1);
          return body;
        },
        { timeout: 30_000 },
      );
      const plan = async (body: object) => (await call('POST', `${path}/replay/dry-run`, { body })).body;
      const [at, changes] = [expect.any(Number), expect.any(Number)];
      const next = await plan({ fromSeq: position + 1 });
      expect(next).toEqual({ fromSeq: position + 1, at, changes, skipped: 0 });
      expect(next.changes).toBeGreaterThan(1);
      expect((await plan({ from: next.at })).fromSeq).toBeLessThanOrEqual(position + 1);
      expect(await plan({ fromSeq: position + 2 })).toMatchObject({ skipped: 1 });
      const end = await plan({ from: Number.MAX_SAFE_INTEGER });
      expect(end).toEqual({ fromSeq: expect.any(Number), changes: 0, skipped: end.fromSeq - 1 - position });
      const late = await call('POST', `${path}/replay/dry-run`, { body: { fromSeq: 999_999 } });
      expect([late.status, late.body.problems[0].path]).toEqual([400, 'fromSeq']);
      expect((await call('GET', path)).body.position).toBe(position);
      await call('DELETE', path);
    });

    ifLogged('is changed member by member, and only in the state that If-Match names', async () => {
      const { webhook, path } = await create(where("name = 'A'"));
      const other = await create();
      const { headers } = await call('GET', path);
      const ifMatch = { headers: { 'If-Match': headers.etag ?? '' } };
      const body = { name: newName(), where: null, actions: ['delete'] };
      const changed = await call('PATCH', path, { body, ...ifMatch });
      const { where: _, ...rest } = webhook;
      const moved = {
        position: expect.any(Number),
        behind: expect.any(Number),
        updatedAt: expect.any(Number),
      };
      expect(changed.body).toEqual({ ...rest, ...moved, name: body.name, actions: ['delete'] });
      for (const method of ['PATCH', 'DELETE'])
        expect((await call(method, path, { ...ifMatch, ...(method === 'PATCH' && { body }) })).status).toBe(
          412,
        );
      const taken = await call('PATCH', path, { body: { name: other.webhook.name } });
      expect([taken.status, taken.body.problems[0].path]).toEqual([409, 'name']);
      const wrong = await call('PATCH', path, { body: { where: 'nothing = 1', types: [text] } });
      expect(wrong.body.problems).toEqual([
        { path: 'where', message: expect.any(String), line: 1, column: 1 },
      ]);
      expect((await call('POST', '/webhooks', { body: definition({ name: body.name }) })).status).toBe(409);
      expect((await call('DELETE', path)).status).toBe(204);
      expect((await call('GET', path)).status).toBe(404);
    });

    ifLogged('shows what it has sent, sends it again, and replays', async () => {
      const { path, secret } = await create();
      const id = await createAsset({ _type: text, name: 'Sent' });
      const delivery = await vi.waitFor(
        async () => {
          const { body } = await call('GET', `${path}/deliveries?asset=${id}&state=waiting&limit=1`);
          expect(body.items).toHaveLength(1);
          return body.items[0];
        },
        { timeout: 30_000 },
      );
      expect(delivery).toMatchObject({ asset: id, attempts: 1, error: 'The connection was refused' });
      const place = `${path}/deliveries/${delivery.seq}`;
      const shown = await call('GET', place);
      expect(JSON.parse(shown.body.request.body).data).toMatchObject({
        id,
        seq: delivery.seq,
        action: 'create',
      });
      expect((await call('POST', `${place}/resend`)).body.delivery).toMatchObject({
        state: 'waiting',
        attempts: 2,
      });
      expect((await call('GET', `${path}/deliveries/999999`)).status).toBe(404);
      const tested = await call('POST', `${path}/test`);
      expect(tested.body).toMatchObject({ delivered: false, error: 'The connection was refused' });
      const rotated = await call('POST', `${path}/secret`);
      expect(rotated.body.secret).not.toBe(secret);
      expect((await call('POST', `${path}/replay`, { body: { fromSeq: delivery.seq } })).status).toBe(202);
      const late = await call('POST', `${path}/replay`, { body: { fromSeq: 999_999 } });
      expect([late.status, late.body.problems[0].path]).toEqual([400, 'fromSeq']);
      expect((await call('POST', `${path}/replay`, { body: { fromSeq: 1, from: 1 } })).status).toBe(400);
      expect((await call('GET', `${path}/deliveries?cursor=x`)).status).toBe(400);
      expect((await call('POST', `/webhooks/${noId}/test`)).status).toBe(404);
      await call('DELETE', path);
    });
  });
}

/** Runs the case that removes all history. */
export function describeTrimmedWebhooks(
  { call, createAsset, instance, newName }: AdminContext,
  location: () => StoreLocation,
): void {
  it('does not send a change again that was removed from the log', async ({ skip }) => {
    if (!(await keepsHistory(instance()))) skip();
    const body = { name: newName(), url: 'http://127.0.0.1:1/hook', types: [text] };
    const path = `/webhooks/${(await call('POST', '/webhooks', { body })).body.webhook.id}`;
    await createAsset({ _type: text, name: 'Old' });
    const seq = await vi.waitFor(
      async () => {
        const { body } = await call('GET', `${path}/deliveries`);
        expect(body.items).toHaveLength(1);
        return body.items[0].seq;
      },
      { timeout: 30_000 },
    );
    await createAsset({ _type: text, name: 'The last change stays' });
    await trimHistory(location());
    const { status, body: problem } = await call('POST', `${path}/deliveries/${seq}/resend`);
    expect([status, problem.code]).toEqual([410, 'history_removed']);
    const replayed = await call('POST', `${path}/replay`, { body: { fromSeq: 1 } });
    expect([replayed.status, replayed.body.problems[0].path]).toEqual([400, 'fromSeq']);
    await call('DELETE', path);
  });
}
