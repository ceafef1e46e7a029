/**
 * Whatever a receiver refuses, and however often the webhook is changed meanwhile, each matching change is delivered at least once, and
 * the changes of one asset are first accepted in their order.
 */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { startInstance, type TestInstance } from '../support/instance.ts';
import { sqliteLocation } from '../support/stores.ts';
import { startReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const text = 'com.colophon.cms.db.Text';
const assets = 4;

/** One step: a write of an asset, the assets that the receiver refuses from now on, time that passes, or a change of the webhook. */
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('write' as const), asset: fc.nat(assets - 1) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('refuse' as const),
      assets: fc.subarray([...Array(assets).keys()]),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(6_000, 301_000) }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'change' as const }) },
);

let instance: TestInstance;
let server: WebhookReceiver;

beforeAll(async () => {
  instance = await startInstance(sqliteLocation(), { webhookPrivate: true });
  server = await startReceiver();
});

it('delivers each matching change in the order of its asset', async () => {
  const { content, webhooks, audit } = instance.services;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const received = server.open();
      let refused: readonly string[] = [];
      server.answer((response, { event }) => {
        response.writeHead(refused.includes(event.data.id) ? 500 : 200).end();
      });
      const { status } = await webhooks.create({
        name: received.url,
        url: received.url,
        types: [text],
        actions: ['create', 'update'],
        where: "not name = 'Hidden 1' and not _before.name = 'Hidden 2'",
        payload: 'thin',
      });
      const { id } = status.webhook;
      const ids: string[] = [];
      const names: string[][] = [];
      for (let n = 0; n < assets; n++) {
        ids.push((await content.create({ _type: text, name: `Asset ${n}` }, {})).asset._id);
        names.push([`Asset ${n}`]);
      }
      for (const [index, each] of steps.entries()) {
        if (each.kind === 'refuse') refused = each.assets.map((n) => ids[n] ?? '');
        else if (each.kind === 'wait') instance.advanceClock(each.ms);
        else if (each.kind === 'change')
          await webhooks.update({ id, changes: { name: `${received.url} ${index}` } });
        else {
          const body = { name: index % 3 === 0 ? `Hidden ${1 + (index % 2)}` : `Change ${index}` };
          await content.update({ id: ids[each.asset] ?? '', body }, {});
          names[each.asset]?.push(body.name);
        }
      }
      refused = [];
      const expected = await Promise.all(ids.map((asset, n) => matchingSeqs(asset, names[n] ?? [])));
      const timer = setInterval(() => instance.advanceClock(301_000), 200);
      const sent = (asset: string) =>
        received.accepted.filter(({ event }) => event.data.id === asset).map(({ event }) => event.data.seq);
      const hasAll = (seqs: readonly number[], n: number) =>
        seqs.every((seq) => sent(ids[n] ?? '').includes(seq));
      await received
        .until(() => expected.every(hasAll), 'every delivery')
        .finally(() => clearInterval(timer));
      await webhooks.delete({ id });
      ids.forEach((asset, n) => {
        expect([...new Set(sent(asset))]).toEqual(expected[n]);
      });
    }),
    { numRuns: 8 },
  );

  /** Finds the changes of an asset that match, given the names that it has had. */
  async function matchingSeqs(asset: string, names: readonly string[]): Promise<number[]> {
    const { items } = await audit.page({ filter: { asset }, limit: 1_000 });
    expect(items).toHaveLength(names.length);
    return items
      .toReversed()
      .filter((_change, n) => names[n] !== 'Hidden 1' && names[n - 1] !== 'Hidden 2')
      .map(({ seq }) => seq);
  }
});
