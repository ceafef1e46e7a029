import { expect, it } from 'vitest';
import { createUsageCounts, dayMs } from '../../../../src/access/usage/usage-counts.ts';

it('requests are counted by day, route, client and key until they are taken', () => {
  let nowMs = 20_000 * dayMs + 5;
  const counts = createUsageCounts({ nowMs: () => nowMs });
  const request = { method: 'GET', route: '/a', clientId: 'x', isError: false, ms: 2, types: ['t.A', 't.B'] };
  counts.add(request);
  counts.add({ ...request, isError: true, ms: 3, types: ['t.A'] });
  counts.add({ ...request, clientId: undefined, types: undefined });
  counts.add({ ...request, keyId: 'k', types: undefined });
  counts.add({ ...request, keyId: 'k' });
  nowMs += dayMs;
  counts.add({ ...request, method: 'POST' });
  const rows = counts.take();
  const key = { route: '/a', clientId: 'x' };
  expect(rows).toEqual([
    {
      ...key,
      day: 20_000,
      method: 'GET',
      requests: 2,
      errors: 1,
      totalMs: 5,
      types: new Map([
        ['t.A', 2],
        ['t.B', 1],
      ]),
    },
    {
      ...key,
      day: 20_000,
      method: 'GET',
      keyId: 'k',
      requests: 2,
      errors: 0,
      totalMs: 4,
      types: new Map([
        ['t.A', 1],
        ['t.B', 1],
      ]),
    },
    {
      ...key,
      day: 20_000,
      method: 'GET',
      clientId: undefined,
      requests: 1,
      errors: 0,
      totalMs: 2,
      types: new Map(),
    },
    {
      ...key,
      day: 20_001,
      method: 'POST',
      requests: 1,
      errors: 0,
      totalMs: 2,
      types: new Map([
        ['t.A', 1],
        ['t.B', 1],
      ]),
    },
  ]);
  expect(counts.take()).toEqual([]);
  counts.putBack(rows.slice(0, 1));
  nowMs -= dayMs;
  counts.add(request);
  expect(counts.take()).toEqual([
    {
      ...key,
      day: 20_000,
      method: 'GET',
      requests: 3,
      errors: 1,
      totalMs: 7,
      types: new Map([
        ['t.A', 3],
        ['t.B', 2],
      ]),
    },
  ]);
});
