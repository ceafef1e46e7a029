/**
 * What webhooks send, and what they make of receivers that answer oddly: payloads by the OpenAPI document, signatures by the npm package
 * `standardwebhooks`.
 */
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { readContractDocument } from '../../../../src/contract/apis/contract-document.ts';
import { createResponseValidator } from '../../../../src/contract/responses/response-validator.ts';
import { bundleDocument, readCmaDocument } from '../../../../src/documents/openapi-document.ts';
import type { JsonObject } from '../../../../src/model/content-type.ts';
import type { WebhookDefinition } from '../../../../src/webhooks/records/webhook.ts';
import { type ClientHeaders, startInstance, type TestInstance } from '../../../support/instance.ts';
import { sqliteLocation } from '../../../support/stores.ts';
import { shippedCatalog } from '../../../support/types.ts';
import {
  type ReceivedEvent,
  type ReceivedMessages,
  startReceiver,
  type WebhookReceiver,
  withStatus,
} from '../../../support/webhook-receiver.ts';

const text = 'com.colophon.cms.db.Text';
const dayMs = 86_400_000;

let instance: TestInstance;
let server: WebhookReceiver;
let receiver: ReceivedMessages;
let eraser: ClientHeaders;
const created: string[] = [];

beforeAll(async () => {
  instance = await startInstance(sqliteLocation(), { webhookPrivate: true });
  eraser = await instance.createClient({ scopes: ['admin', 'cma:write'] });
  await instance.refresh();
  server = await startReceiver();
});
afterEach(async () => {
  for (const id of created.splice(0)) await instance.services.webhooks.delete({ id });
  server.answer(withStatus(204));
});

async function create(fields: Partial<WebhookDefinition> = {}) {
  receiver = server.open();
  const { status, secret } = await instance.services.webhooks.create({
    name: receiver.url,
    url: receiver.url,
    types: [text],
    payload: 'thin',
    actions: ['create', 'update', 'delete', 'erase'],
    ...fields,
  });
  created.push(status.webhook.id);
  return { id: status.webhook.id, secret };
}

const write = async (name: string) =>
  (await instance.services.content.create({ _type: text, name }, {})).asset._id;
const rename = (id: string, name: string) => instance.services.content.update({ id, body: { name } }, {});
const firstDelivery = async (webhookId: string) =>
  (await instance.services.webhooks.deliveries({ webhookId, limit: 1 }))[0];

it('have payloads as the OpenAPI document describes them, whatever happened', async () => {
  // The document as servers bundle it, with a schema for each content type.
  const document = bundleDocument({ source: readCmaDocument(), catalog: shippedCatalog() });
  const { problemsOf } = createResponseValidator(readContractDocument(document as unknown as JsonObject));
  const operation = '#/webhooks/assetChanged/post';
  const problemsOfBody = (body: unknown) =>
    problemsOf(`${operation}/requestBody/content/application~1json/schema`, body);
  const { content, webhooks } = instance.services;
  const erase = async (id: string) => {
    const url = `${instance.cmaUrl}/${id}?erase=true`;
    expect((await fetch(url, { method: 'DELETE', headers: eraser })).status).toBe(200);
  };
  for (const payload of ['thin', 'asset'] as const) {
    const { id: webhook } = await create({ payload });
    const id = await write('Described');
    await receiver.until(() => receiver.accepted.length === 1, 'the creation');
    await rename(id, 'Described again');
    await receiver.until(() => receiver.accepted.length === 2, 'the update');
    await content.delete({ id }, {});
    await receiver.until(() => receiver.accepted.length === 3, 'the deletion');
    await erase(id);
    await receiver.until(() => receiver.accepted.length === 4, 'the erasure');
    await webhooks.test(webhook);
    const types = receiver.accepted.map(({ event }) => event.type);
    const actions = ['create', 'update', 'delete', 'erase'].map((action) => `asset.${action}`);
    expect(types).toEqual([...actions, 'webhook.test']);
    const withAsset = receiver.accepted.filter(({ event }) => event.data.asset);
    expect(withAsset.map(({ event }) => event.type)).toEqual(payload === 'thin' ? [] : actions.slice(0, 2));
    for (const { event, headers } of receiver.accepted) {
      expect(problemsOfBody(event), event.type).toEqual([]);
      for (const [n, name] of ['webhook-id', 'webhook-timestamp', 'webhook-signature'].entries())
        expect(problemsOf(`${operation}/parameters/${n}/schema`, headers[name]), name).toEqual([]);
    }
    for (const { event } of receiver.accepted) {
      expect(problemsOfBody({ ...event, type: 'asset.moved' })).not.toEqual([]);
      expect(problemsOfBody({ ...event, data: { ...event.data, extra: 1 } })).not.toEqual([]);
    }
    for (const { event } of withAsset) {
      const asset = { ...event.data.asset, name: 7 };
      expect(problemsOfBody({ ...event, data: { ...event.data, asset } })).not.toEqual([]);
    }
  }
});

/** Tells whether a secret verifies a message at the time at which it was sent. */
function isVerified({ body, headers }: ReceivedEvent, secret: string): boolean {
  vi.useFakeTimers({ toFake: ['Date'], now: Number(headers['webhook-timestamp']) * 1_000 });
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  } finally {
    vi.useRealTimers();
  }
}

it('are signed with the secret of the time at which they are sent again', async () => {
  const { id: webhook, secret: former } = await create();
  /** Waits until a failure is noted, from which the wait for the next attempt follows. */
  const noted = (attempts: number) =>
    vi.waitFor(async () => expect(await firstDelivery(webhook)).toMatchObject({ attempts }), 60_000);
  server.answer(withStatus(500));
  await write('Held up');
  await receiver.until(() => receiver.messages.length === 1, 'a failure');
  await noted(1);
  const { secret } = await instance.services.webhooks.rotate(webhook);
  // The worker is started again with the changed webhook, and tries at once.
  await receiver.until(() => receiver.messages.length === 2, 'an attempt with both secrets');
  await noted(2);
  // A day later the former secret is no longer valid.
  instance.advanceClock(dayMs + 1_000);
  await receiver.until(() => receiver.messages.length === 3, 'an attempt with the present secret');
  const secrets = [former, secret];
  const verified = receiver.messages.map((message) => secrets.map((each) => isVerified(message, each)));
  expect(verified.slice(0, 3)).toEqual([
    [true, false],
    [true, true],
    [false, true],
  ]);
  expect(new Set(receiver.messages.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(new Set(receiver.messages.map(({ body }) => body)).size).toBe(1);
});

it('wait as long as a receiver asks with 429, in seconds or until a date', async () => {
  // The clock of the instance is ahead by what the tests have put it forward.
  const { atMs = 0 } = await instance.services.webhooks.test((await create()).id);
  const date = new Date(atMs + 1_260_000).toUTCString();
  for (const retryAfter of ['600', date]) {
    const { id: webhook } = await create();
    server.answer(withStatus(429, { 'Retry-After': retryAfter }));
    const id = await write(`Later ${retryAfter}`);
    await vi.waitFor(async () => expect(await firstDelivery(webhook)).toMatchObject({ status: 429 }), 60_000);
    const delivery = await firstDelivery(webhook);
    expect(delivery).toMatchObject({ state: 'waiting', error: 'The receiver answered 429' });
    const waitMs = Number(delivery?.nextAttemptAtMs) - Number(delivery?.attemptedAtMs);
    // A date has no fractions of a second. The first wait of the table would be 5 s.
    expect(waitMs).toBeGreaterThan(500_000);
    expect(waitMs).toBeLessThan(660_000);
    server.answer(withStatus(200));
    instance.advanceClock(660_000);
    await receiver.until(() => receiver.accepted.some(({ event }) => event.data.id === id), 'the delivery');
    expect(receiver.messages).toHaveLength(2);
  }
});

it('leave nothing of an asset that is erased before the receiver answers with what it got', async () => {
  const { id: webhook } = await create({ payload: 'asset' });
  const answers: (() => void)[] = [];
  server.answer((response, { body, event }) => {
    const answer = () => void response.writeHead(500, { 'Content-Type': 'application/json' }).end(body);
    if (event.data.asset?.name === 'Zanzibar') answers.push(answer);
    else response.writeHead(204).end();
  });
  const id = await write('Zanzibar');
  await vi.waitFor(() => expect(answers).not.toHaveLength(0), 10_000);
  const url = `${instance.cmaUrl}/${id}?erase=true`;
  expect((await fetch(url, { method: 'DELETE', headers: eraser })).status).toBe(200);
  for (const answer of answers) answer();
  const { webhooks } = instance.services;
  const find = () => webhooks.deliveries({ webhookId: webhook, limit: 10 });
  await vi.waitFor(
    async () => expect((await find()).some(({ status }) => status === 500)).toBe(true),
    10_000,
  );
  expect(JSON.stringify(await find())).not.toContain('Zanzibar');
});

it('count as delivered when a status of success comes with a megabyte, or byte by byte', async () => {
  const { id: webhook } = await create();
  server.answer((response, { event }) => {
    response.writeHead(200, { 'Content-Type': 'text/plain' });
    if (event.data.id === slow) {
      const timer = setInterval(() => response.write('x'), 100);
      response.once('close', () => clearInterval(timer));
    } else response.end('x'.repeat(1_048_576));
  });
  const slow = await write('Byte by byte');
  const large = await write('A megabyte');
  const { webhooks } = instance.services;
  const find = async () => webhooks.deliveries({ webhookId: webhook, limit: 10 });
  await vi.waitFor(async () => expect(await find()).toHaveLength(2), 60_000);
  const byAsset = new Map((await find()).map((delivery) => [delivery.assetId, delivery]));
  expect(byAsset.get(large)).toMatchObject({ state: 'delivered', status: 200, attempts: 1 });
  expect(byAsset.get(large)?.responseBody?.length).toBeLessThan(5_000);
  // It is cut off after 10 s, and delays nobody meanwhile.
  expect(byAsset.get(slow)).toMatchObject({ state: 'delivered', status: 200, attempts: 1 });
  expect(Number(byAsset.get(slow)?.tookMs)).toBeGreaterThan(Number(byAsset.get(large)?.tookMs));
});
