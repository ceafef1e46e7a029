/** Idempotency records that other processes take over or delete. */
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createIdempotentRequests } from '../../../../src/access/idempotency/idempotent-requests.ts';
import { holdLease, LeaseLost } from '../../../../src/access/idempotency/request-lease.ts';
import { createSystem } from '../../../../src/app/compose/compose-records.ts';
import { createRequestOrigins } from '../../../../src/base/request-origin.ts';
import { silentLogger as logger, randomIds, systemClock } from '../../../../src/base/runtime.ts';
import type { ContentService } from '../../../../src/content/content-service.ts';
import type { ContentStore } from '../../../../src/store/port.ts';
import { openStoreAt } from '../../../support/content.ts';
import { sqliteLocation } from '../../../support/stores.ts';
import { systemCatalog } from '../../../support/types.ts';

const className = 'com.colophon.system.KeyedRequest';
const runtime = { logger, clock: systemClock, ids: randomIds, origins: createRequestOrigins() };

let location: ReturnType<typeof sqliteLocation>;
let store: ContentStore;
let system: ContentService;

beforeEach(async () => {
  location = sqliteLocation();
  store = await openStoreAt(location, systemCatalog());
  system = createSystem(store, runtime);
});
afterEach(() => store.close());

it('a run stops renewing its lease once another run has taken it over', async () => {
  const record = await system.create(
    { _type: className, fingerprint: 'f', seed: 's', reservedAt: 0, expiresAt: 9e12, holder: 'first' },
    {},
  );
  let calls = 0;
  const watched: ContentService = {
    ...system,
    update: (...args) => {
      calls++;
      return system.update(...args);
    },
  };
  const lease = holdLease({ system: watched, holder: 'first' }, record);
  await system.update({ id: record.asset._id, body: { holder: 'second' } }, {});
  await expect(lease.assertHeld()).rejects.toThrow(LeaseLost);
  // A renewal that was under way ends meanwhile.
  await setTimeout(1_000);
  const before = calls;
  await setTimeout(2_500);
  expect(calls).toBe(before);
});

it('all responses with an asset are erased, although records are deleted meanwhile', async () => {
  const asset = '0190a0c0-0000-7000-8000-00000000000f';
  const requests = createIdempotentRequests({ ...runtime, system });
  for (let n = 0; n < 103; n++) {
    const request = { key: `k${n}`, owner: 'o', fingerprint: 'f', assetsIn: () => [asset] };
    await requests.run(request, async () => 'text of the asset');
  }
  let isFirst = true;
  const disturbed: ContentService = {
    ...system,
    async find(...args) {
      const page = await system.find(...args);
      if (isFirst) for (const item of page.items.slice(0, 5)) await system.delete({ id: item.asset._id }, {});
      isFirst = false;
      return page;
    },
  };
  await createIdempotentRequests({ ...runtime, system: disturbed }).eraseResponses(asset);
  const all = {
    from: className,
    where: 'assets = ?',
    values: [asset],
    offset: 0,
    limit: 1000,
    withCount: false,
  };
  const { items } = await system.find(all, {});
  expect(items).toHaveLength(98);
  expect(items.filter((item) => item.asset.answer !== undefined)).toEqual([]);
});
