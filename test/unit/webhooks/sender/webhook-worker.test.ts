/** The worker that follows the change log for a webhook. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { systemClock } from '../../../../src/base/runtime.ts';
import type { Webhook } from '../../../../src/webhooks/records/webhook.ts';
import { startWebhookWorker, type WorkerContext } from '../../../../src/webhooks/sender/webhook-worker.ts';

const never = () => new Promise<never>(() => {});

it('waits while as much work is under way as may be, although more is due', async () => {
  let looks = 0;
  const ends: (() => void)[] = [];
  const worker = startWebhookWorker(
    {
      clock: systemClock,
      isLeaseHeld: () => true,
      lastSeq: () => 0,
      untilGrown: never,
      // The worker uses nothing else of its context.
    } as Partial<WorkerContext> as WorkerContext,
    {
      // The worker names its webhook where it logs, which it does not here.
      webhook: {} as Webhook,
      cursor: { state: { startMark: '', epoch: '', seq: 0 }, save: async () => {} },
      createTask: () => ({
        scanned: () => 0,
        position: () => 0,
        held: () => 0,
        hasRoom() {
          looks++;
          return false;
        },
        readMore: async () => true,
        take: () => () => new Promise((resolve) => ends.push(resolve)),
        dueInMs: () => 0,
        state: () => ({}),
      }),
    },
  );
  await sleep(300);
  expect(ends).toHaveLength(8);
  expect(looks).toBeLessThan(10);
  const stopped = worker.stop();
  for (const end of ends) end();
  await stopped;
});
