/**
 * A sender that is killed with SIGKILL while it delivers to a receiver that fails at random: another process takes over, and every
 * committed change is delivered, in order for each asset and under the same message ID, if some more than once.
 *
 * The processes have a short lease. The clock of the second process is put forward, so that what is on hold is sent again at once.
 */
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFailed } from 'vitest';
import { silentLogger } from '../../../../src/base/runtime.ts';
import {
  environmentOf,
  type ServingProcess,
  startShortTimeoutServer,
} from '../../../support/command-line.ts';
import { startInstance, type TestInstance } from '../../../support/instance.ts';
import { isLong, roundsOf } from '../../../support/rounds.ts';
import { createSeededRandom } from '../../../support/seeded-random.ts';
import { shortLease } from '../../../support/short-lease.ts';
import { describeKillsOnEachStore, type StoreLocation } from '../../../support/stores.ts';
import {
  type ReceivedMessages,
  startReceiver,
  type WebhookReceiver,
} from '../../../support/webhook-receiver.ts';

const text = 'com.colophon.cms.db.Text';
const secretKey = 'a-key-that-only-tests-of-webhooks-have';
const assets = 12;
const patientMs = 240_000;

/** What a receiver does, with weights; `hang` never answers. */
const behaviours = { accept: 75, error: 10, close: 6, busy: 6, hang: 3 };

const answers: Readonly<Record<keyof typeof behaviours, (response: ServerResponse) => void>> = {
  accept: (response) => void response.writeHead(200).end(),
  error: (response) => void response.writeHead(500).end('out of order'),
  close: (response) => void response.destroy(),
  busy: (response) => void response.writeHead(429, { 'Retry-After': '1' }).end(),
  hang: () => {},
};

describeKillsOnEachStore('the sender of webhooks', (locations) => {
  let location: StoreLocation;
  let server: WebhookReceiver;
  let serving: ServingProcess | undefined;
  let rounds = 1;
  const start = () => {
    const settings = { webhookPrivate: true, secretKey };
    return startInstance(location, settings, silentLogger, { leaseTiming: shortLease });
  };

  beforeAll(async () => {
    location = locations();
    // After each kill the test server of MongoDB keeps the open transaction for a minute.
    if (location.config.mongodbUrl === undefined) rounds = roundsOf({ usual: 1, long: 20 });
    server = await startReceiver();
  });
  afterAll(async () => {
    // It is still alive if the test has failed.
    serving?.signal('SIGKILL');
    await serving?.ended;
  });

  it('is replaced by another process, which loses nothing and keeps the order', async () => {
    const random = createSeededRandom();
    onTestFailed(() => console.log(`COLOPHON_TEST_SEED=${random.seed}`));
    const received = server.open();
    const setup = await start();
    await setup.services.webhooks.create({
      name: 'Killed',
      url: received.url,
      types: [text],
      actions: ['create', 'update'],
      payload: 'asset',
    });
    const ids: string[] = [];
    for (let n = 0; n < assets; n++)
      ids.push((await setup.services.content.create({ _type: text, name: `Asset ${n}` }, {})).asset._id);
    await setup.stop();
    const counts: Record<string, number> = {};
    const answered: string[] = [];
    let committed: readonly Committed[] = [];
    let aheadMs = 0;

    async function answerAtRandom(response: ServerResponse): Promise<void> {
      const behaviour = random.choose(behaviours);
      counts[behaviour] = (counts[behaviour] ?? 0) + 1;
      await sleep(random.below(20));
      answers[behaviour](response);
    }

    /** Updates an asset; the server may be killed meanwhile. */
    async function rename(url: string, id: string, name: string): Promise<void> {
      const request = {
        method: 'PUT',
        headers: { ...setup.headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ name }),
      };
      const response = await fetch(`${url}/api/rest/cma/contents/${id}`, request).catch(() => undefined);
      if (response?.ok) answered.push(name);
    }

    async function killSender(round: number): Promise<void> {
      server.answer(answerAtRandom);
      const sender = await startShortTimeoutServer({
        ...environmentOf(location),
        COLOPHON_WEBHOOK_PRIVATE: 'true',
        COLOPHON_SECRET_KEY: secretKey,
      });
      serving = sender;
      const wanted = received.messages.length + 10 + random.below(20);
      let isKilled = false;
      const writing = (async () => {
        for (let n = 0; !isKilled && n < 200; n++)
          await Promise.all(ids.map((id, index) => rename(sender.url, id, `Round ${round}.${n}.${index}`)));
      })();
      const messages = received.until(() => received.messages.length >= wanted, 'messages');
      // A receiver that counts as failing gets one message at a time, after some seconds.
      await Promise.race([messages.catch(() => undefined), sleep(5_000)]);
      isKilled = true;
      sender.signal('SIGKILL');
      await Promise.all([writing, sender.ended]);
    }

    async function takeOver(): Promise<void> {
      const next = await start();
      // Beyond what the processes before have put off.
      next.advanceClock(aheadMs);
      const timer = setInterval(() => {
        aheadMs += 301_000;
        next.advanceClock(301_000);
      }, 300);
      // It meets failures, too, before the receiver recovers.
      const some = received.messages.length + 10;
      const isCurrent = () => hasNames(received, answered);
      await received.until(() => received.messages.length >= some || isCurrent(), 'attempts', patientMs);
      server.answer(answers.accept);
      // A write that was answered is committed. On MongoDB it is numbered later, and is not in the log before.
      await received.until(isCurrent, 'all answered writes', patientMs);
      committed = await readCommitted(next);
      await received.until(() => hasAll(received, committed), 'all changes', patientMs);
      clearInterval(timer);
      await next.stop();
    }

    for (let round = 0; round < rounds; round++) {
      await killSender(round);
      await takeOver();
    }
    expectInOrder(received, ids);
    expectSameIds(received);
    const unanswered = committed.length - assets - answered.length;
    const sizes = { committed: committed.length, answered: answered.length, unanswered };
    const sent = { messages: received.messages.length, accepted: received.accepted.length, ...counts };
    if (isLong) console.log(JSON.stringify({ seed: random.seed, kills: rounds, ...sizes, ...sent }));
  });
});

/** A change as the change log has it. */
interface Committed {
  readonly seq: number;
  readonly asset: string;
  readonly version: string | undefined;
}

/** Reads all changes of content. */
async function readCommitted({ services }: TestInstance): Promise<readonly Committed[]> {
  const found: Committed[] = [];
  for await (const some of await services.audit.all({ types: [text] }))
    found.push(...some.map(({ seq, asset, version }) => ({ seq, asset, version })));
  return found;
}

/** Whether each committed change was accepted: its number, its asset and its version. */
function hasAll({ accepted }: ReceivedMessages, committed: readonly Committed[]): boolean {
  const known = new Set(accepted.map(({ event: { data } }) => `${data.seq} ${data.id} ${data.version}`));
  return committed.every(({ seq, asset, version }) => known.has(`${seq} ${asset} ${version}`));
}

/** Whether a change that gave an asset this name was accepted, for each name. */
function hasNames({ accepted }: ReceivedMessages, names: readonly string[]): boolean {
  const known = new Set(accepted.map(({ event }) => event.data.asset?.name));
  return names.every((name) => known.has(name));
}

function expectInOrder({ accepted }: ReceivedMessages, ids: readonly string[]): void {
  for (const id of ids) {
    const seqs = accepted.filter(({ event }) => event.data.id === id).map(({ event }) => event.data.seq);
    const first = [...new Set(seqs)];
    expect(first).toEqual(first.toSorted((one, other) => one - other));
  }
}

/** Each change has one ID, whoever sends it and however often, and no two have the same. */
function expectSameIds({ messages }: ReceivedMessages): void {
  const bySeq = Map.groupBy(messages, ({ event }) => event.data.seq);
  const sent = [...bySeq.values()].map((some) => new Set(some.map(({ headers }) => headers['webhook-id'])));
  expect(sent.filter(({ size }) => size !== 1)).toEqual([]);
  expect(new Set(sent.flatMap((ids) => [...ids])).size).toBe(bySeq.size);
}
