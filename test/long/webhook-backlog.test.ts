/** 50,000 changes while a receiver is down: the sender keeps them in the log and not in memory, and delivers them when it is back. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { environmentOf, type ServingProcess, startServing } from '../support/command-line.ts';
import { startInstance } from '../support/instance.ts';
import { type StoreLocation, sqliteLocation } from '../support/stores.ts';
import { startReceiver, type WebhookReceiver, withStatus } from '../support/webhook-receiver.ts';

const text = 'com.colophon.cms.db.Text';
const changes = 50_000;
const batch = 500;

let location: StoreLocation;
let server: WebhookReceiver;
let serving: ServingProcess | undefined;

beforeAll(async () => {
  location = sqliteLocation();
  server = await startReceiver();
});
afterAll(async () => {
  serving?.signal('SIGKILL');
  await serving?.ended;
});

const residentBytes = () => {
  const [, kilobytes = '0'] =
    /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${serving?.pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
};

it('grows by less than 64 MiB, and delivers everything in the end', async () => {
  const received = server.open();
  server.answer(withStatus(503));
  const setup = await startInstance(location, { webhookPrivate: true });
  await setup.services.webhooks.create({
    name: 'Backlog',
    url: received.url,
    types: [text],
    actions: ['create'],
    payload: 'asset',
  });
  const { headers } = setup;
  await setup.stop();
  serving = await startServing(
    { ...environmentOf(location), COLOPHON_WEBHOOK_PRIVATE: 'true', COLOPHON_LOG_LEVEL: 'error' },
    { timeoutMs: 3_600_000 },
  );
  const write = async (start: number) => {
    const operations = Array.from({ length: batch }, (_, n) => ({
      action: 'create',
      asset: { _type: text, name: `Asset ${start + n}`, text: 'x'.repeat(1_000) },
    }));
    const response = await fetch(`${serving?.url}/api/rest/cma/contents/batch`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ operations }),
    });
    expect(await response.json()).toMatchObject({ status: 'ok', result: { failed: 0 } });
  };
  for (let n = 0; n < 5_000; n += batch) await write(n);
  const before = residentBytes();
  for (let n = 5_000; n < changes; n += batch) await write(n);
  expect(residentBytes() - before).toBeLessThan(64 * 1024 * 1024);
  server.answer(withStatus(200));
  await serving.stop();
  const back = await startInstance(location, { webhookPrivate: true });
  // Beyond the next attempt.
  const timer = setInterval(() => back.advanceClock(301_000), 500);
  const ids = () => new Set(received.accepted.map(({ event }) => event.data.id)).size;
  for (let known = -1; ids() < changes && ids() > known; ) {
    known = ids();
    await received.until(() => ids() >= Math.min(changes, known + 1_000), 'a thousand deliveries', 600_000);
  }
  clearInterval(timer);
  expect(ids()).toBe(changes);
  await back.stop();
});
