import { expect, it } from 'vitest';
import { combineMetrics } from '../../../../src/base/metrics/print-metrics.ts';
import { createRecentTraffic, readRecentTraffic } from '../../../../src/http/request/recent-traffic.ts';
import {
  createRequestMetrics,
  type FinishedRequest,
} from '../../../../src/http/request/request-telemetry.ts';
import { createFakeClock } from '../../../support/runtime.ts';

const minuteMs = 60_000;
const startMs = 1_000 * 60 * minuteMs;
const get = { method: 'GET', route: '/a', status: 200, ms: 10 };
const at = (path: string, ...methods: string[]) => [{ path, methods }];

/** Starts to count; `pass` lets time pass, with a snapshot every five minutes. */
function startCounting(atMs = startMs, maxHistograms?: number) {
  const clock = createFakeClock(atMs);
  const requests = createRequestMetrics({ maxHistograms });
  const recentTraffic = createRecentTraffic(requests, clock);
  return {
    add: (request: Partial<FinishedRequest>) => requests.end({ ...get, ...request }),
    collect: recentTraffic.collect,
    read: () => readRecentTraffic(recentTraffic.collect()),
    pass(minutes: number) {
      for (let passed = 0; passed < minutes; passed += 5) {
        clock.advance(5 * minuteMs);
        recentTraffic.takeSnapshot();
      }
    },
  };
}

it('the requests of the last hour are counted by route and method, and forgotten after it', () => {
  const { add, read, pass } = startCounting();
  add({});
  add({ method: 'HEAD', status: 404 });
  add({ method: 'POST', status: undefined });
  expect(read().of(at('/a', 'GET'))).toMatchObject({ requests: 2, errors: 1 });
  expect(read().of(at('/a', 'GET', 'POST'))).toMatchObject({ requests: 3, errors: 1 });
  expect(read().of(at('/b', 'GET'))).toEqual({ requests: 0, errors: 0 });
  expect(read()).toMatchObject({ sinceMs: startMs, uncounted: 0 });
  pass(55);
  add({});
  expect(read().of(at('/a', 'GET'))).toMatchObject({ requests: 3 });
  pass(5);
  expect(read().of(at('/a', 'GET', 'POST'))).toMatchObject({ requests: 1, errors: 0 });
  expect(read().sinceMs).toBe(startMs + 5 * minuteMs);
  add({});
  expect(read().of(at('/a', 'GET'))).toMatchObject({ requests: 2 });
  pass(24 * 60);
  expect(read().of(at('/a', 'GET'))).toEqual({ requests: 0, errors: 0 });
});

it.each([
  ['an odd number', [1, 3, 200], 3],
  ['many', Array.from({ length: 1001 }, (_, n) => n / 10), 50],
  ['less than the first bound', [0, 0.1], 0.25],
  ['more than the last bound', [3_600_000], 10_000],
  ['one slow among fast ones', [2, 2, 2, 2, 30_000], 2],
])('the median is estimated within a third, between the bounds: of %s', (_name, durations, median) => {
  const { add, read } = startCounting();
  for (const ms of durations) add({ ms });
  const { medianMs = 0 } = read().of(at('/a', 'GET'));
  expect(medianMs).toBeGreaterThan(median * 0.66);
  expect(medianMs).toBeLessThan(median * 1.34);
});

it('counts of several processes are combined, from the earliest on', () => {
  const earlier = startCounting();
  const later = startCounting(startMs + minuteMs);
  for (const { add } of [earlier, later]) add({ status: 500 });
  later.add({ ms: 1_000 });
  later.add({ route: '/b' });
  // As it travels between processes.
  const sent = [earlier, later].map(({ collect }) => JSON.parse(JSON.stringify(collect())));
  const traffic = readRecentTraffic(combineMetrics([[], ...sent]));
  expect(traffic.of(at('/a', 'GET'))).toMatchObject({ requests: 3, errors: 2 });
  expect(traffic.of([...at('/a', 'GET'), ...at('/b', 'GET')])).toMatchObject({ requests: 4 });
  expect(traffic.sinceMs).toBe(startMs);
});

it('routes beyond the limit are counted together', () => {
  const { add, read, pass } = startCounting(startMs, 2);
  for (const route of ['/a', '/b', '/c', '/d', '/a']) add({ route });
  expect(read().of(at('/a', 'GET')).requests).toBe(2);
  expect(read().of(at('/c', 'GET')).requests).toBe(0);
  expect(read().uncounted).toBe(2);
  pass(65);
  expect(read().uncounted).toBe(0);
});
