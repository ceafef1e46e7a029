/** Webhooks on a listening server with real receivers; the npm package `standardwebhooks` verifies every signature. */
import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { readAdminDocument } from '../../../../src/documents/openapi-document.ts';
import { createContractAssertions } from '../../../support/contract-assertions.ts';
import { keepsHistory } from '../../../support/history.ts';
import { type ClientHeaders, startInstance, type TestInstance } from '../../../support/instance.ts';
import { createRecordingLogger } from '../../../support/runtime.ts';
import { describeOnEachStore } from '../../../support/stores.ts';
import {
  type ReceivedEvent,
  type ReceivedMessages,
  startReceiver,
  type WebhookReceiver,
  withStatus,
} from '../../../support/webhook-receiver.ts';
import { createAdminContext } from '../admin/admin-caller.ts';

const text = 'com.colophon.cms.db.Text';
const secondMs = 1_000;

/** Expects a signature with the secret, whatever time the clock of the instance shows. */
function expectSigned({ body, headers }: ReceivedEvent, secret: string): void {
  const [id, time] = [String(headers['webhook-id']), Number(headers['webhook-timestamp'])];
  const expected = new Webhook(secret).sign(id, new Date(time * secondMs), body);
  expect(String(headers['webhook-signature']).split(' ')).toContain(expected);
}

describeOnEachStore('webhooks', (locations) => {
  const location = locations();
  let instance: TestInstance;
  let client: ClientHeaders;
  let server: WebhookReceiver;
  let receiver: ReceivedMessages;
  let isLogged = true;
  const { logger, lines } = createRecordingLogger();
  const created: string[] = [];
  const contract = createContractAssertions(readAdminDocument());
  const { call } = createAdminContext({ instance: () => instance, client: () => client, contract });
  const settings = { webhookPrivate: true, secretKey: 'a-key-that-only-tests-of-webhooks-have' };

  const start = async () => {
    instance = await startInstance(location, settings, logger);
    client = await instance.createClient({ scopes: ['admin', 'cma:read', 'cma:write'] });
    await instance.refresh();
  };

  beforeAll(async () => {
    await start();
    server = await startReceiver();
    isLogged = await keepsHistory(instance);
  });

  afterEach(async () => {
    for (const id of created.splice(0)) await call('DELETE', `/webhooks/${id}`);
    server.answer(withStatus(204));
  });

  const create = async (fields: object = {}) => {
    receiver = server.open();
    const body = { name: randomUUID(), url: receiver.url, types: [text], ...fields };
    const answer = await call('POST', '/webhooks', { body });
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    created.push(answer.body.webhook.id);
    return { ...answer.body, path: `/webhooks/${answer.body.webhook.id}` };
  };

  const cma = async (method: string, path: string, body?: object) => {
    const headers = { ...client, 'Content-Type': 'application/json' };
    const sent = body ? { body: JSON.stringify(body) } : {};
    const response = await fetch(`${instance.cmaUrl}${path}`, { method, headers, ...sent });
    if (!response.ok) throw new Error(await response.text());
    return Object(await response.json()).result;
  };
  const write = async (name: string): Promise<string> => (await cma('POST', '', { _type: text, name }))._id;
  const rename = (id: string, name: string) => cma('PUT', `/${id}`, { name });
  const acceptedOf = (id: string) => receiver.accepted.filter(({ event }) => event.data.id === id);
  const seqsOf = (id: string) => acceptedOf(id).map(({ event }) => event.data.seq);
  const untilAccepted = (id: string, count: number) =>
    receiver.until(() => acceptedOf(id).length >= count, `${count} accepted changes`);
  const untilState = async (path: string, state: string) => {
    for (let n = 0; n < 600; n++) {
      const { body } = await call('GET', path);
      if (body.state === state) return body;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`${path} did not become ${state}`);
  };

  it('answers 501 on a store without a change log', async () => {
    const { status } = await call('GET', '/webhooks');
    expect(status).toBe(isLogged ? 200 : 501);
  });

  describe('a delivery', () => {
    it('tells of the erasure of an asset that was live although it is for deletions alone', async ({
      skip,
    }) => {
      if (!isLogged) skip();
      await create({ actions: ['delete'], where: "name = 'Live'" });
      const [live, deleted] = [await write('Live'), await write('Live')];
      await cma('DELETE', `/${deleted}`);
      await cma('DELETE', `/${deleted}?erase=true`);
      await cma('DELETE', `/${live}?erase=true`);
      await untilAccepted(live, 1);
      expect(acceptedOf(live).map(({ event }) => event.type)).toEqual(['asset.erase']);
      // The second one was no deletion any more.
      expect(acceptedOf(deleted).map(({ event }) => event.type)).not.toContain('asset.erase');
    });

    it('is signed, and has what happened to the asset', async ({ skip }) => {
      if (!isLogged) skip();
      const { secret, webhook } = await create({ payload: 'asset' });
      expect(webhook).toMatchObject({ state: 'active', actions: ['create', 'update', 'delete', 'erase'] });
      const id = await write('First');
      await rename(id, 'Second');
      await cma('DELETE', `/${id}`);
      await cma('DELETE', `/${id}?erase=true`);
      await receiver.until(() => acceptedOf(id).some(({ event }) => event.type === 'asset.erase'), 'erasure');
      for (const message of receiver.accepted) expectSigned(message, secret);
      const last = acceptedOf(id).at(-1);
      expect(last?.event).toMatchObject({ type: 'asset.erase', data: { id, type: text, action: 'erase' } });
      expect(last?.event.data).not.toHaveProperty('asset');
      const seqs = seqsOf(id);
      expect(seqs).toEqual(seqs.toSorted((one, other) => one - other));
      // What was sent before the erasure had the asset.
      const before = acceptedOf(id).find(({ event }) => event.type === 'asset.create');
      if (before?.event.data.asset) expect(before.event.data.asset).toMatchObject({ _id: id, name: 'First' });
    });

    it('is made only for changes that match the predicate before or after', async ({ skip }) => {
      if (!isLogged) skip();
      const where = "_before.name = 'Public' or (name = 'Public' and not _before.name = 'Secret')";
      await create({ where, actions: ['create', 'update', 'delete'] });
      const id = await write('Private');
      await rename(id, 'Public');
      await rename(id, 'Secret');
      await rename(id, 'Public');
      await cma('DELETE', `/${id}`);
      await untilAccepted(id, 3);
      const sent = acceptedOf(id).map(({ event }) => event.data.action);
      expect(sent).toEqual(['update', 'update', 'delete']);
    });
  });

  describe('a failing delivery', () => {
    it('puts its asset alone on hold, and is repeated with the same ID before what came later', async ({
      skip,
    }) => {
      if (!isLogged) skip();
      const { path } = await create();
      const bad = await write('Bad');
      await untilAccepted(bad, 1);
      server.answer((response, { event }) =>
        withStatus(event.data.id === bad ? 500 : 200)(response, undefined as never),
      );
      await rename(bad, 'Bad 2');
      await receiver.until(() => receiver.messages.length > receiver.accepted.length, 'a failure');
      const good = await write('Good');
      await rename(bad, 'Bad 3');
      await rename(good, 'Good 2');
      await untilAccepted(good, 2);
      expect(acceptedOf(bad)).toHaveLength(1);
      const waiting = await call('GET', `${path}/deliveries?state=waiting&asset=${bad.toUpperCase()}`);
      expect(waiting.body.items).toEqual([
        expect.objectContaining({ asset: bad, attempts: 1, error: 'The receiver answered 500' }),
      ]);
      expect((await call('GET', path)).body).toMatchObject({ state: 'active', heldAssets: 1 });
      server.answer(withStatus(200));
      instance.advanceClock(6 * secondMs);
      await untilAccepted(bad, 3);
      const seqs = seqsOf(bad);
      expect(seqs).toEqual(seqs.toSorted((one, other) => one - other));
      const failed = receiver.messages.filter(({ event }) => event.data.seq === seqs[1]);
      expect(new Set(failed.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
      expect(failed.length).toBeGreaterThan(1);
      // The first failure and the recovery, whatever was on hold between them.
      const logged = () =>
        lines.flatMap(({ level, message, ...facts }) =>
          /deliver/.test(message) ? [{ level, ...facts }] : [],
        );
      await expect.poll(logged).toEqual([
        {
          level: 'warn',
          webhook: expect.any(String),
          asset: bad,
          status: 500,
          error: 'The receiver answered 500',
        },
        { level: 'info', webhook: expect.any(String) },
      ]);
      expect((await call('GET', `${path}/deliveries?limit=2`)).body.next).toEqual(expect.any(String));
    });

    it('waits as long as the receiver asks, and follows no redirect', async ({ skip }) => {
      if (!isLogged) skip();
      const { path } = await create();
      server.answer(withStatus(503, { 'Retry-After': '60' }));
      const id = await write('Later');
      await receiver.until(() => receiver.messages.length === 1, 'an attempt');
      instance.advanceClock(30 * secondMs);
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      expect(receiver.messages).toHaveLength(1);
      server.answer(withStatus(302, { Location: `${receiver.url}/elsewhere` }));
      instance.advanceClock(31 * secondMs);
      await receiver.until(() => receiver.messages.length === 2, 'the second attempt');
      const { body } = await call('GET', `${path}/deliveries`);
      expect(body.items[0]).toMatchObject({ asset: id, state: 'waiting' });
      server.answer(withStatus(200));
      instance.advanceClock(301 * secondMs);
      await untilAccepted(id, 1);
    });
  });

  it('probes a failing receiver with one delivery at a time, and loses nothing', async ({ skip }) => {
    if (!isLogged) skip();
    const { path } = await create();
    server.answer(withStatus(500));
    const ids: string[] = [];
    for (let n = 0; n < 20; n++) ids.push(await write(`Asset ${n}`));
    await untilState(path, 'failing');
    await receiver.until(() => receiver.messages.length >= 3, 'three failures');
    receiver.clear();
    server.answer(async (response) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      response.writeHead(500).end();
    });
    instance.advanceClock(6 * secondMs);
    await receiver.until(() => receiver.messages.length === 1, 'a probe');
    expect(receiver.mostAtOnce()).toBe(1);
    server.answer(withStatus(200));
    // The probe may end after the clock was put forward.
    const timer = setInterval(() => instance.advanceClock(301 * secondMs), 500);
    await receiver.until(() => ids.every((id) => acceptedOf(id).length > 0), 'all deliveries');
    clearInterval(timer);
    // The receiver has accepted the last delivery a moment before its outcome is noted.
    await expect.poll(async () => (await untilState(path, 'active')).heldAssets).toBe(0);
  });

  it('is disabled by 410, and goes on where it stopped when it is enabled', async ({ skip }) => {
    if (!isLogged) skip();
    const { path } = await create();
    server.answer(withStatus(410));
    const id = await write('Gone');
    expect(await untilState(path, 'disabled')).toMatchObject({ disabledReason: 'gone' });
    await rename(id, 'Gone 2');
    server.answer(withStatus(200));
    expect((await call('PATCH', path, { body: { enabled: true } })).body.state).toBe('active');
    await untilAccepted(id, 2);
    const disabled = await call('PATCH', path, { body: { enabled: false } });
    expect(disabled.body).toMatchObject({ state: 'disabled', disabledReason: 'user' });
  });

  it('signs with both secrets after a rotation, and tests, resends and replays', async ({ skip }) => {
    if (!isLogged) skip();
    const { path, secret } = await create();
    const id = await write('One');
    await rename(id, 'Two');
    await untilAccepted(id, 2);
    const [first = 0] = seqsOf(id);
    const rotated = await call('POST', `${path}/secret`);
    expect([rotated.status, rotated.body.secret === secret]).toEqual([200, false]);
    expect(rotated.body.webhook.formerSecretUntil).toEqual(expect.any(Number));
    receiver.clear();
    const tested = await call('POST', `${path}/test`);
    expect(tested.body).toMatchObject({ delivered: true, response: { status: 204 } });
    const again = await call('POST', `${path}/deliveries/${first}/resend`);
    expect(again.body).toMatchObject({ delivery: { seq: first, attempts: 2, state: 'delivered' } });
    expect(JSON.parse(again.body.request.body)).toEqual(receiver.accepted.at(-1)?.event);
    for (const each of [secret, rotated.body.secret]) {
      for (const message of receiver.accepted) expectSigned(message, each);
    }
    receiver.clear();
    expect((await call('POST', `${path}/replay`, { body: { fromSeq: first } })).status).toBe(202);
    await untilAccepted(id, 2);
    expect((await call('POST', `${path}/replay`, { body: { from: Date.now() - 3_600_000 } })).status).toBe(
      202,
    );
    await untilAccepted(id, 4);
    expect((await call('GET', `${path}/deliveries/${first}`)).body.delivery.attempts).toBeGreaterThan(0);
    await cma('DELETE', `/${id}?erase=true`);
    expect((await call('GET', `${path}/deliveries/${first}`)).status).toBe(404);
  });

  it('goes on after a restart where it was', async ({ skip }) => {
    if (!isLogged) skip();
    await create();
    server.answer(withStatus(500));
    const id = await write('Kept');
    await receiver.until(() => receiver.messages.length > 0, 'a failure');
    await instance.stop();
    await start();
    server.answer(withStatus(200));
    await rename(id, 'Kept 2');
    // Beyond the clock of the instance before.
    instance.advanceClock(86_400 * secondMs);
    await untilAccepted(id, 2);
  });

  it('counts attempts', async ({ skip }) => {
    if (!isLogged) skip();
    const { webhook } = await create();
    await untilAccepted(await write('Counted'), 1);
    const labels = { webhook: webhook.name, outcome: 'delivered' };
    await vi.waitFor(() => {
      const metrics = instance.services.webhookSender.collect();
      const attempts = metrics.find(({ name }) => name === 'colophon_webhook_attempts_total');
      expect(attempts?.samples).toContainEqual({ labels, value: 1 });
    });
  });
});
