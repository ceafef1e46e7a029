/** The usage of a process that is started stores its counts again and again, so that a kill loses little. */
import { expect, it, vi } from 'vitest';
import { createUsage } from '../../../../src/access/usage/usage.ts';
import { createSystem } from '../../../../src/app/compose/compose-records.ts';
import { createRequestOrigins } from '../../../../src/base/request-origin.ts';
import { silentLogger as logger, randomIds, systemClock } from '../../../../src/base/runtime.ts';
import type { ContentService } from '../../../../src/content/content-service.ts';
import { openStoreAt } from '../../../support/content.ts';
import { sqliteLocation } from '../../../support/stores.ts';
import { systemCatalog } from '../../../support/types.ts';

it('counts are stored again and again while the process runs', async () => {
  const location = sqliteLocation();
  const store = await openStoreAt(location, systemCatalog());
  const runtime = { logger, clock: systemClock, ids: randomIds, origins: createRequestOrigins() };
  const system = createSystem(store, runtime);
  const usage = createUsage({ system, ...runtime, flushMs: 20 });
  usage.start();
  const request = { method: 'GET', route: '/a', clientId: 'x', isError: false, ms: 1, types: ['t.A'] };
  for (let requests = 1; requests <= 3; requests++) {
    usage.counts.add(request);
    await vi.waitFor(async () => {
      const report = await usage.report({ days: 1, groupBy: ['client'] });
      expect(report).toEqual([
        {
          clientId: 'x',
          requests,
          errors: 0,
          totalMs: requests,
          lastDay: expect.any(Number),
          types: new Map([['t.A', requests]]),
        },
      ]);
    }, 60_000);
  }
  await usage.stop();
  await store.close();
  await location.remove();
});

it('counts of the time in which others are stored are stored at the stop', async () => {
  const location = sqliteLocation();
  const store = await openStoreAt(location, systemCatalog());
  const runtime = { logger, clock: systemClock, ids: randomIds, origins: createRequestOrigins() };
  const system = createSystem(store, runtime);
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow: ContentService = {
    ...system,
    async create(...args) {
      begun.resolve();
      await released.promise;
      return system.create(...args);
    },
  };
  const usage = createUsage({ system: slow, ...runtime, flushMs: 20 });
  usage.start();
  const request = { method: 'GET', route: '/a', clientId: 'x', isError: false, ms: 1 };
  usage.counts.add(request);
  await begun.promise;
  usage.counts.add(request);
  const stopped = usage.stop();
  released.resolve();
  await stopped;
  expect(await usage.report({ days: 1, groupBy: ['client'] })).toMatchObject([{ requests: 2 }]);
  await store.close();
  await location.remove();
});
