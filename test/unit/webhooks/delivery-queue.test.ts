import { describe, expect, it } from 'vitest';
import { maxHeldAssets } from '../../../src/webhooks/records/cursor-records.ts';
import { DeliveryQueue, type QueuedChange } from '../../../src/webhooks/sender/delivery-queue.ts';
import { ReceiverHealth } from '../../../src/webhooks/sender/receiver-health.ts';

const change = (seq: number, asset: string): QueuedChange => ({
  id: `change-${seq}`,
  seq,
  asset,
  number: seq,
  type: 'x.Note',
  action: 'update',
  changed: [],
  atMs: 0,
  by: { kind: 'system' },
});
const held = (seq: number, assetId: string, nextAttemptAtMs = 100) => ({
  webhookId: 'w',
  assetId,
  seq,
  attempts: 1,
  firstAttemptAtMs: 0,
  nextAttemptAtMs,
  heldUpTo: seq,
});
const takeNew = (queue: DeliveryQueue) => {
  const next = queue.takeNew();
  return next?.kind === 'new' ? next.change : undefined;
};

describe('a queue of deliveries', () => {
  it('takes one change of an asset at a time, and passes only what is done', () => {
    const queue = new DeliveryQueue(0, []);
    queue.add([change(1, 'a'), change(2, 'a'), change(4, 'b')], 6);
    expect([takeNew(queue)?.seq, takeNew(queue)?.seq, takeNew(queue)]).toEqual([1, 4, undefined]);
    expect(queue.position).toBe(0);
    queue.endNew({ asset: 'b' });
    expect(queue.position).toBe(0);
    queue.endNew({ asset: 'a' });
    expect(queue.position).toBe(1);
    const last = takeNew(queue);
    expect(last?.seq).toBe(2);
    if (last) queue.putBack(last);
    expect([takeNew(queue)?.seq, queue.position]).toEqual([2, 1]);
    queue.endNew({ asset: 'a' });
    expect(queue.position).toBe(6);
  });

  it('passes the changes of an asset on hold, and knows how far they reach', () => {
    const queue = new DeliveryQueue(0, []);
    queue.add([change(1, 'a'), change(2, 'a'), change(3, 'b'), change(5, 'a')], 5);
    takeNew(queue);
    queue.endNew({ asset: 'a' }, held(1, 'a'));
    expect(takeNew(queue)?.seq).toBe(3);
    queue.endNew({ asset: 'b' });
    expect([takeNew(queue), queue.position]).toEqual([undefined, 5]);
    expect(queue.findHold('a')).toMatchObject({ seq: 1, heldUpTo: 5 });
    expect([queue.takeHeld(99), queue.nextDueMs()]).toEqual([undefined, 100]);
    const taken = queue.takeHeld(100);
    expect([taken?.kind, queue.takeHeld(100), queue.inFlight]).toEqual(['held', undefined, 1]);
    queue.endHeld('a', held(2, 'a', 300));
    expect(queue.findHold('a')).toMatchObject({ seq: 2, heldUpTo: 5 });
    queue.makeDue(200);
    expect(queue.nextDueMs()).toBe(200);
    queue.takeHeld(200);
    queue.endHeld('a');
    queue.add([change(7, 'a')], 7);
    expect([queue.held, takeNew(queue)?.seq]).toEqual([0, 7]);
  });

  it('takes no new changes while too many assets are on hold', () => {
    const holds = Array.from({ length: maxHeldAssets }, (_, n) => held(n + 1, `asset ${n}`));
    const queue = new DeliveryQueue(maxHeldAssets, holds);
    queue.add([change(2_000, 'new')], 2_000);
    expect([queue.hasRoom, takeNew(queue)]).toEqual([false, undefined]);
    queue.takeHeld(100);
    queue.endHeld('asset 0');
    expect(takeNew(queue)?.seq).toBe(2_000);
  });
});

describe('the health of a receiver', () => {
  const fail = (health: ReceiverHealth, assetId: string, nowMs = 0, others = {}) =>
    health.fail({ assetId, nowMs, isProbe: false, ...others });

  it('fails as a whole when three assets in succession have failed', () => {
    const health = new ReceiverHealth({});
    fail(health, 'a');
    fail(health, 'a');
    fail(health, 'b');
    expect([health.isFailing, health.room(0, 2)]).toEqual([false, 6]);
    health.succeed(1);
    fail(health, 'c');
    fail(health, 'd');
    fail(health, 'e', 10);
    // Deliveries that began before are no probes.
    fail(health, 'f', 11);
    expect([health.isFailing, health.retryAtMs, health.stored.failures]).toEqual([true, 5_010, 1]);
    expect([health.room(5_009, 0), health.room(5_010, 0), health.room(5_010, 1)]).toEqual([0, 1, 0]);
  });

  it('is tried by the table of retries, and is exhausted after it', () => {
    const health = new ReceiverHealth({ failingSinceMs: 0, failures: 1, retryAtMs: 5_000 });
    let nowMs = 0;
    let probes = 0;
    while (!health.isExhausted) {
      nowMs = health.retryAtMs;
      health.fail({ assetId: 'a', nowMs, isProbe: true });
      probes++;
    }
    expect([probes, Math.round(nowMs / 3_600_000)]).toEqual([9, 76]);
    expect(health.succeed(nowMs)).toBe(true);
    expect([health.isFailing, health.stored]).toEqual([false, { lastSuccessAtMs: nowMs }]);
  });

  it('rests as long as the receiver asks', () => {
    const health = new ReceiverHealth({});
    fail(health, 'a', 1_000, { retryAfterMs: 60_000 });
    expect([health.isFailing, health.room(60_999, 0), health.room(61_000, 0)]).toEqual([false, 0, 8]);
  });
});
