/**
 * A sender that is killed with SIGKILL while it delivers: another process takes over, and every change is delivered in order for each
 * asset, if some more than once.
 *
 * The clock of the second process is ahead, so that the lease of the first one counts as expired; on MongoDB the clock is the server's.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { environmentOf, startServing } from '../../../support/command-line.ts';
import { startInstance } from '../../../support/instance.ts';
import { roundsOf } from '../../../support/rounds.ts';
import { type StoreLocation, sqliteLocation } from '../../../support/stores.ts';
import {
  type ReceivedMessages,
  startReceiver,
  type WebhookReceiver,
} from '../../../support/webhook-receiver.ts';

const text = 'com.colophon.cms.db.Text';
const secretKey = 'a-key-that-only-tests-of-webhooks-have';
const rounds = roundsOf({ usual: 1, long: 20 });
const assets = 12;

let location: StoreLocation;
let server: WebhookReceiver;

beforeAll(async () => {
  location = sqliteLocation();
  server = await startReceiver();
});
afterAll(async () => {
  await server.stop();
  await location.remove();
});

it('is replaced by another process, which loses nothing and keeps the order', async () => {
  const received = server.open();
  const setup = await startInstance(location, { webhookPrivate: true, secretKey });
  await setup.services.webhooks.create({
    name: 'Killed',
    url: received.url,
    types: [text],
    actions: ['create', 'update'],
    payload: 'thin',
  });
  const ids = await Promise.all(
    Array.from({ length: assets }, async (_, n) => {
      const { asset } = await setup.services.content.create({ _type: text, name: `Asset ${n}` }, {});
      return asset._id;
    }),
  );
  const { headers } = setup;
  await setup.stop();
  let written = assets;
  for (let round = 0; round < rounds; round++) {
    server.answer(async (response) => {
      await sleep(Math.random() * 20);
      response.writeHead(200).end();
    });
    const serving = await startServing({
      ...environmentOf(location),
      COLOPHON_WEBHOOK_PRIVATE: 'true',
      COLOPHON_SECRET_KEY: secretKey,
      COLOPHON_LOG_LEVEL: 'error',
    });
    const before = received.messages.length;
    const rename = async (id: string, name: string) => {
      const url = `${serving.url}/api/rest/cma/contents/${id}`;
      const sent = { ...headers, 'Content-Type': 'application/json' };
      const response = await fetch(url, { method: 'PUT', headers: sent, body: JSON.stringify({ name }) });
      if (response.ok) written++;
    };
    const writing = (async () => {
      for (let n = 0; n < 5; n++) await Promise.all(ids.map((id) => rename(id, `Round ${round}.${n}`)));
    })();
    await received.until(() => received.messages.length >= before + 20, 'deliveries');
    serving.signal('SIGKILL');
    await Promise.allSettled([writing, serving.ended]);
    const next = await startInstance(location, { webhookPrivate: true, secretKey });
    next.advanceClock(31_000 * (round + 1));
    const { last } = await logEnds(next);
    await received.until(() => lastSeqs(received).some((seq) => seq === last), 'the last change');
    await received.until(() => new Set(seqsOf(received)).size >= written, 'all changes');
    await next.stop();
  }
  for (const id of ids) {
    const seqs = received.accepted
      .filter(({ event }) => event.data.id === id)
      .map(({ event }) => event.data.seq);
    const first = seqs.filter((seq, index) => seqs.indexOf(seq) === index);
    expect(first).toEqual(first.toSorted((one, other) => one - other));
  }
  const names = new Map(
    received.messages.map(({ event, headers }) => [event.data.seq, headers['webhook-id']]),
  );
  for (const { event, headers } of received.messages)
    expect(headers['webhook-id']).toBe(names.get(event.data.seq));
});

const seqsOf = ({ accepted }: ReceivedMessages) => accepted.map(({ event }) => event.data.seq);
const lastSeqs = (received: ReceivedMessages) => seqsOf(received).slice(-200);

/** Finds the last change of content. */
async function logEnds({ services }: Awaited<ReturnType<typeof startInstance>>): Promise<{ last: number }> {
  const { items } = await services.audit.page({ filter: { types: [text] }, limit: 1 });
  return { last: items[0]?.seq ?? 0 };
}
