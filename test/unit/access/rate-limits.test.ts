import { describe, expect, it } from 'vitest';
import { createRateLimits } from '../../../src/access/rate-limits.ts';
import { createFairQueue } from '../../../src/base/fair-queue.ts';
import { createWorkMeter } from '../../../src/base/work-meter.ts';

describe('the rate limits', () => {
  function create() {
    let nowMs = 0;
    const limits = createRateLimits({ unitsPerSecond: 10, burst: 100 }, () => nowMs);
    return { limits, wait: (seconds: number) => (nowMs += seconds * 1000) };
  }

  it('let a sender use the burst, then as many units as come back', () => {
    const { limits, wait } = create();
    expect(limits.stateOf('client a')).toEqual({
      remaining: 100,
      secondsToFull: 0,
      secondsToWait: 0,
    });
    limits.charge('client a', 95);
    expect(limits.stateOf('client a')).toMatchObject({ remaining: 5, secondsToFull: 10 });
    limits.charge('client a', 25);
    expect(limits.stateOf('client a')).toEqual({ remaining: 0, secondsToFull: 12, secondsToWait: 3 });
    wait(3);
    expect(limits.stateOf('client a').remaining).toBe(10);
    wait(3600);
    expect(limits.stateOf('client a').remaining).toBe(100);
  });

  it('keep senders apart, and leave work of Colophon alone', () => {
    const { limits } = create();
    for (const sender of ['client a', 'system ', 'command ']) limits.charge(sender, 1000);
    for (const sender of ['client b', 'user a', 'anonymous 192.0.2.1', 'system '])
      expect(limits.stateOf(sender).remaining).toBe(100);
    expect(limits.stateOf('client a')).toMatchObject({ remaining: 0, secondsToWait: 91 });
  });

  it('count what other processes have charged, and pass on only what was charged here', () => {
    const [here, there] = [create(), create()];
    expect(here.limits.takeCharges()).toEqual([]);
    here.limits.charge('user a', 30);
    here.limits.charge('user a', 30);
    there.limits.addCharges(here.limits.takeCharges());
    expect(there.limits.stateOf('user a').remaining).toBe(40);
    expect(there.limits.takeCharges()).toEqual([]);
    expect(there.limits.takeCharges()).toEqual([]);
    expect(here.limits.takeCharges()).toEqual([]);
  });

  it('remember a bounded number of senders', () => {
    const { limits } = create();
    limits.charge('anonymous first', 1000);
    for (let n = 0; n < 10_000; n++) limits.charge(`anonymous ${n}`, 1);
    expect(limits.stateOf('anonymous first').remaining).toBe(100);
  });
});

it('the work meter counts busy time for the one that continued last', () => {
  let busyMs = 0;
  const meter = createWorkMeter(() => busyMs);
  const [one, other] = [{ ms: 0 }, { ms: 0 }];
  busyMs = 5;
  meter.continue(one);
  busyMs = 8;
  meter.continue(other);
  busyMs = 10;
  meter.continue(one);
  busyMs = 14;
  meter.update();
  expect([one.ms, other.ms]).toEqual([7, 2]);
});

it('a queue reports how long each call has run, for its client', async () => {
  const runs: [string, number][] = [];
  const queue = createFairQueue<{ client: string; isPreempted: boolean }>(10, (client, ms) =>
    runs.push([client, ms]),
  );
  const item = { client: 'client a', isPreempted: false };
  queue.add(item);
  queue.take();
  queue.putBack([item]);
  queue.take();
  queue.finish(item);
  queue.finish(item);
  expect(runs.map(([client]) => client)).toEqual(['client a', 'client a']);
  expect(runs.every(([, ms]) => ms >= 0)).toBe(true);
});
