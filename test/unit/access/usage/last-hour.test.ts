import { expect, it } from 'vitest';
import { readHourMetrics } from '../../../../src/access/usage/hour-metrics.ts';
import { createLastHour } from '../../../../src/access/usage/last-hour.ts';
import { combineMetrics } from '../../../../src/base/metrics/combine-metrics.ts';
import { createFakeClock } from '../../../support/runtime.ts';

const minuteMs = 60_000;
const startMs = 1_000 * 60 * minuteMs;
const get = { method: 'GET', route: '/a', isError: false, ms: 10 };
const at = (path: string, ...methods: string[]) => [{ path, methods }];

it('the requests of the last hour are counted by route and method, and forgotten after it', () => {
  const clock = createFakeClock(startMs);
  const lastHour = createLastHour(clock);
  const read = () => readHourMetrics(lastHour.collect());
  lastHour.add(get);
  lastHour.add({ ...get, method: 'HEAD', isError: true });
  lastHour.add({ ...get, method: 'POST' });
  expect(read().of(at('/a', 'GET'))).toMatchObject({ requests: 2, errors: 1 });
  expect(read().of(at('/a', 'GET', 'POST'))).toMatchObject({ requests: 3, errors: 1 });
  expect(read().of(at('/b', 'GET'))).toEqual({ requests: 0, errors: 0 });
  expect(read()).toMatchObject({ sinceMs: startMs, uncounted: 0 });
  clock.advance(54 * minuteMs);
  lastHour.add(get);
  expect(read().of(at('/a', 'GET'))).toMatchObject({ requests: 3 });
  clock.advance(6 * minuteMs);
  expect(read().of(at('/a', 'GET', 'POST'))).toMatchObject({ requests: 1, errors: 0 });
  expect(read().sinceMs).toBe(startMs + 5 * minuteMs);
  lastHour.add(get);
  expect(read().of(at('/a', 'GET'))).toMatchObject({ requests: 2 });
  clock.advance(24 * 60 * minuteMs);
  expect(read().of(at('/a', 'GET'))).toEqual({ requests: 0, errors: 0 });
});

it.each([
  ['an odd number', [1, 3, 200], 3],
  ['many', Array.from({ length: 1001 }, (_, n) => n / 10), 50],
  ['less than the first bound', [0, 0.1], 0.125],
  ['an hour', [3_600_000], 46_000],
  ['one slow among fast ones', [2, 2, 2, 2, 30_000], 2],
])('the median is estimated within a third: of %s', (_name, durations, median) => {
  const lastHour = createLastHour(createFakeClock(startMs));
  for (const ms of durations) lastHour.add({ ...get, ms });
  const { medianMs = 0 } = readHourMetrics(lastHour.collect()).of(at('/a', 'GET'));
  expect(medianMs).toBeGreaterThan(median * 0.7);
  expect(medianMs).toBeLessThan(median * 1.3);
});

it('counts of several processes are combined, from the earliest on', () => {
  const earlier = createLastHour(createFakeClock(startMs));
  const later = createLastHour(createFakeClock(startMs + minuteMs));
  for (const one of [earlier, later]) one.add({ ...get, isError: true });
  later.add({ ...get, ms: 1_000 });
  later.add({ ...get, route: '/b' });
  // As it travels between processes.
  const sent = [earlier, later].map((one) => JSON.parse(JSON.stringify(one.collect())));
  const traffic = readHourMetrics(combineMetrics([[], ...sent]));
  expect(traffic.of(at('/a', 'GET'))).toMatchObject({ requests: 3, errors: 2 });
  expect(traffic.of([...at('/a', 'GET'), ...at('/b', 'GET')])).toMatchObject({ requests: 4 });
  expect(traffic.sinceMs).toBe(startMs);
});

it('routes beyond the limit are counted together, until others are unused for an hour', () => {
  const clock = createFakeClock(startMs);
  const lastHour = createLastHour(clock, { maxRoutes: 2 });
  const read = () => readHourMetrics(lastHour.collect());
  for (const route of ['/a', '/b', '/c', '/d', '/a']) lastHour.add({ ...get, route });
  expect(read().of(at('/a', 'GET')).requests).toBe(2);
  expect(read().of(at('/c', 'GET')).requests).toBe(0);
  expect(read().uncounted).toBe(2);
  clock.advance(61 * minuteMs);
  lastHour.add({ ...get, route: '/c' });
  expect(read().of(at('/c', 'GET')).requests).toBe(1);
  expect(read().uncounted).toBe(0);
});
