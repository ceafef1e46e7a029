/**
 * A sender that loses its lease amid deliveries and lives on: its process is stopped with SIGSTOP until another one has taken over, and
 * goes on with SIGCONT. Nothing is lost, the order stays, and whoever sends a change does so under the same message ID.
 */
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { storedCatalog } from '../../../../src/access/system-types.ts';
import { createSystem } from '../../../../src/app/compose/compose-records.ts';
import { createRequestOrigins } from '../../../../src/base/request-origin.ts';
import { randomIds, silentLogger, systemClock } from '../../../../src/base/runtime.ts';
import { openStore } from '../../../../src/store/open-store.ts';
import { createHeldAssets, LeaseTakenOver } from '../../../../src/webhooks/records/cursor-records.ts';
import {
  environmentOf,
  type ServingProcess,
  startShortTimeoutServer,
} from '../../../support/command-line.ts';
import { startInstance } from '../../../support/instance.ts';
import { shortLease } from '../../../support/short-lease.ts';
import { type StoreLocation, sqliteLocation } from '../../../support/stores.ts';
import { shippedCatalog, systemCatalog } from '../../../support/types.ts';
import { startReceiver, type WebhookReceiver, withStatus } from '../../../support/webhook-receiver.ts';

const text = 'com.colophon.cms.db.Text';
const secretKey = 'a-key-that-only-tests-of-webhooks-have';

let location: StoreLocation;
let server: WebhookReceiver;
let former: ServingProcess | undefined;
const start = () =>
  startInstance(location, { webhookPrivate: true, secretKey }, silentLogger, { leaseTiming: shortLease });

beforeAll(async () => {
  location = sqliteLocation();
  server = await startReceiver();
});
afterAll(async () => {
  former?.signal('SIGKILL');
  await former?.ended;
});

it('loses nothing, and keeps the order', async () => {
  const received = server.open();
  const setup = await start();
  const { status } = await setup.services.webhooks.create({
    name: 'Stopped',
    url: received.url,
    types: [text],
    actions: ['create', 'update'],
    payload: 'thin',
  });
  const { id } = status.webhook;
  await setup.stop();
  former = await startShortTimeoutServer({
    ...environmentOf(location),
    COLOPHON_WEBHOOK_PRIVATE: 'true',
    COLOPHON_SECRET_KEY: secretKey,
  });
  const write = async (method: string, path: string, body: object) => {
    const headers = { ...setup.headers, 'Content-Type': 'application/json' };
    const url = `${former?.url}/api/rest/cma/contents${path}`;
    const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
    return Object(await response.json()).result._id;
  };
  // One asset is on hold when the process is stopped, and the first delivery of the other one is under way.
  server.answer(withStatus(500));
  const held = await write('POST', '', { _type: text, name: 'Held' });
  await received.until(() => received.messages.length === 1, 'a failure');
  const unanswered: ServerResponse[] = [];
  server.answer((response) => void unanswered.push(response));
  // The retry, which is due after 5 s.
  await received.until(() => unanswered.length === 1, 'a retry');
  const fresh = await write('POST', '', { _type: text, name: 'Fresh' });
  await received.until(() => unanswered.length === 2, 'a delivery');
  former.signal('SIGSTOP');

  const successor = await start();
  server.answer(withStatus(500));
  const { content, webhooks } = successor.services;
  successor.advanceClock(10_000);
  await received.until(() => received.messages.length >= 5, 'attempts of the successor');
  for (const asset of [held, fresh]) await content.update({ id: asset, body: { name: 'Later' } }, {});
  // The later changes are on hold as well, so the cursor passes them.
  await expect.poll(() => webhooks.get(id), { timeout: 60_000 }).toMatchObject({ behind: 0, heldAssets: 2 });
  for (const response of unanswered) response.writeHead(200).end();
  former.signal('SIGCONT');
  // It has noticed the responses when it has served requests that came later.
  for (let n = 0; n < 50; n++) {
    const { status: answer } = await fetch(`${former.url}/api/rest/cma/contents/${held}`, {
      headers: setup.headers,
    });
    expect(answer).toBe(200);
  }
  expect(await webhooks.get(id)).toMatchObject({ heldAssets: 2 });
  await successor.stop();
  former.signal('SIGKILL');
  await former.ended;

  const last = await start();
  server.answer(withStatus(200));
  last.advanceClock(600_000);
  const seqsOf = (asset: string, messages = received.accepted) =>
    messages.filter(({ event }) => event.data.id === asset).map(({ event }) => event.data.seq);
  const distinct = (asset: string) => [...new Set(seqsOf(asset))];
  await received.until(() => distinct(held).length === 2 && distinct(fresh).length === 2, 'all changes');
  for (const asset of [held, fresh])
    expect(distinct(asset)).toEqual(distinct(asset).toSorted((one, other) => one - other));
  for (const [, messages] of Map.groupBy(received.messages, ({ event }) => event.data.seq))
    expect(new Set(messages.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  await last.stop();
});

it('deletes no record of an asset on hold that its successor has taken over', async () => {
  const catalog = storedCatalog(systemCatalog(), shippedCatalog());
  const store = await openStore({ ...location.config, catalog, logger: silentLogger });
  const runtime = {
    logger: silentLogger,
    clock: systemClock,
    ids: randomIds,
    origins: createRequestOrigins(),
  };
  const records = createHeldAssets(createSystem(store, runtime));
  const [webhookId, assetId, other] = [randomIds.assetId(), randomIds.assetId(), randomIds.assetId()];
  const hold = { webhookId, seq: 7, attempts: 1, firstAttemptAtMs: 0, nextAttemptAtMs: 0 };
  const { owned } = await records.own(webhookId, 1);
  await owned.save({ ...hold, assetId });
  await owned.save({ ...hold, assetId: other });
  await owned.delete(other);
  // It may put more changes on hold behind this one, and keeps only in memory how far they reach.
  const successor = await records.own(webhookId, 2);
  expect(successor.found).toEqual([{ ...hold, assetId }]);
  await expect(owned.delete(assetId)).rejects.toThrow(LeaseTakenOver);
  expect(await records.count(webhookId)).toBe(1);
  // A record that the former one has still written is sent again, and hinders nobody.
  await owned.save({ ...hold, assetId: other });
  await successor.owned.delete(other);
  await successor.owned.delete(assetId);
  expect(await records.count(webhookId)).toBe(0);
  await owned.delete(assetId);
  await store.close();
});
