import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createIdempotencyRecords,
  keptMs,
  toRecordId,
} from '../../../../src/access/idempotency/idempotency-records.ts';
import {
  createIdempotentRequests,
  fingerprintOf,
  type IdempotentRequests,
} from '../../../../src/access/idempotency/idempotent-requests.ts';
import { leaseMs, takenOverQuietMs, watchLease } from '../../../../src/access/idempotency/request-lease.ts';
import { storedCatalog } from '../../../../src/access/system-types.ts';
import { storeBusy } from '../../../../src/base/errors.ts';
import { type IdSource, randomIds, silentLogger } from '../../../../src/base/runtime.ts';
import type { BatchOperation } from '../../../../src/content/batch/batch.ts';
import type { ContentService } from '../../../../src/content/content-service.ts';
import type { PreAssignedIds } from '../../../../src/content/pre-assigned-ids.ts';
import type { ContentStore } from '../../../../src/store/port.ts';
import { contentOver, openStoreAt } from '../../../support/content.ts';
import { createFakeClock, createRecordingLogger, type FakeClock } from '../../../support/runtime.ts';
import { describeOnEachStore } from '../../../support/stores.ts';
import { catalogOf, systemCatalog } from '../../../support/types.ts';

const noteType = 'x.Note';
const catalog = catalogOf(`type Note @contentType(class: "${noteType}") {
  slug: String @indexed(unique: true)
  text: String
  next: Note
}`);
const startMs = 1_763_704_800_000;

describeOnEachStore('idempotent requests', (locations) => {
  let store: ContentStore;
  let clock: FakeClock;
  let content: ContentService;
  let system: ContentService;
  let requests: IdempotentRequests;

  beforeEach(async () => {
    const systemTypes = systemCatalog();
    store = await openStoreAt(locations(), storedCatalog(systemTypes, catalog));
    clock = createFakeClock(startMs);
    content = contentOver(catalog, store, { clock });
    system = contentOver(systemTypes, store, { clock });
    requests = anotherProcess();
  });
  afterEach(() => store.close());

  const anotherProcess = (ids: IdSource = randomIds) =>
    createIdempotentRequests({ system, clock, ids, logger: silentLogger });
  const requestsAt = (nowMs: number) =>
    createIdempotentRequests({ system, clock: createFakeClock(nowMs), ids: randomIds, logger: silentLogger });
  const request = (key = 'k', fingerprint = 'f') => ({ key, owner: 'o', fingerprint });
  const notes = async () => {
    const { items } = await content.find({ from: noteType, offset: 0, limit: 1000, withCount: false }, {});
    return items.map(({ asset }) => asset);
  };
  const createNote = (slug: string) => async (reserved: PreAssignedIds) =>
    (await content.create({ _type: noteType, slug }, {}, reserved)).asset;
  const dies = async () => {
    throw storeBusy('the process has died');
  };
  /** Executes the request, and ends before the response. */
  const dieAfter =
    (work: (reserved: PreAssignedIds) => Promise<unknown>) => async (reserved: PreAssignedIds) => {
      await work(reserved);
      return dies();
    };

  it('execute once and repeat the response for 24 hours', async () => {
    const first = await requests.run(request(), createNote('a'));
    expect(first).toEqual({ response: (await notes())[0], isReplayed: false });
    clock.advance(keptMs - 1);
    expect(await anotherProcess().run(request(), dies)).toEqual({ ...first, isReplayed: true });
    clock.advance(1);
    const other = await requests.run(request(), createNote('b'));
    expect(other.isReplayed).toBe(false);
    expect((await notes()).map(({ slug }) => slug).toSorted()).toEqual(['a', 'b']);
    expect(other.response._id).not.toBe(first.response._id);
  });

  it('may reuse a key that has expired', async () => {
    await requests.run(request(), createNote('a'));
    await expect(requests.run(request('k', 'other'), dies)).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
    clock.advance(keptMs);
    expect((await requests.run(request('k', 'other'), createNote('b'))).isReplayed).toBe(false);
  });

  it('delete only expired records, a few with each request', async () => {
    const count = async () => {
      const query = { from: 'com.colophon.system.KeyedRequest', offset: 0, limit: 0, withCount: true };
      return (await system.find(query, {})).count;
    };
    for (let n = 0; n < 30; n++) await requests.run(request(`old ${n}`), async () => 'done');
    clock.advance(keptMs);
    await requests.run(request('new 1'), async () => 'done');
    expect(await count()).toBe(11);
    await requests.run(request('new 2'), async () => 'done');
    expect(await count()).toBe(2);
  });

  it('delete the oldest records first', async () => {
    for (let n = 30; n > 0; n--) {
      await requestsAt(startMs - n * 1000).run(request(`old ${n}`), async () => n);
    }
    clock.advance(keptMs);
    await requests.run(request('new'), async () => 'done');
    const query = { from: 'com.colophon.system.KeyedRequest', offset: 0, limit: 99, withCount: false };
    const { items } = await system.find(query, {});
    const left = items.map(({ asset: { expiresAt } }) => (Number(expiresAt) - keptMs - startMs) / 1000);
    expect(left.filter((seconds) => seconds < 0).toSorted((a, b) => a - b)).toEqual([
      -10, -9, -8, -7, -6, -5, -4, -3, -2, -1,
    ]);
  });

  it('do not delete a record that another process has reserved again meanwhile', async () => {
    await requests.run(request('old'), createNote('a'));
    clock.advance(keptMs);
    const other = anotherProcess();
    const late = createIdempotentRequests({
      clock,
      ids: randomIds,
      logger: silentLogger,
      system: {
        ...system,
        async find(...args) {
          const page = await system.find(...args);
          await other.run(request('old'), createNote('b'));
          return page;
        },
      },
    });
    await late.run(request('new'), async () => 'done');
    expect(await other.run(request('old'), dies)).toMatchObject({ isReplayed: true });
  });

  it('store neither keys nor requests in plain text', async () => {
    await requests.run(
      { key: 'my key', owner: 'me', fingerprint: fingerprintOf('x', { a: 'secret' }) },
      async () => 1,
    );
    const { items } = await system.find(
      { from: 'com.colophon.system.KeyedRequest', offset: 0, limit: 9, withCount: false },
      {},
    );
    expect(JSON.stringify(items)).not.toMatch(/my key|secret"|"me"/);
  });

  describe('after a process ended between the write and the response', () => {
    it('a create returns the existing asset', async () => {
      await expect(requests.run(request(), dieAfter(createNote('a')))).rejects.toThrow('died');
      const [left] = await notes();
      expect(await anotherProcess().run(request(), createNote('a'))).toEqual({
        response: left,
        isReplayed: false,
      });
      expect(await notes()).toEqual([left]);
    });

    it('a create with a given _id returns its own asset, but not the asset of another request', async () => {
      const _id = randomIds.assetId();
      const create = (reserved: PreAssignedIds) =>
        content.create({ _id, _type: noteType, text: 'x' }, {}, reserved);
      const work = async (reserved: PreAssignedIds) => (await create(reserved)).asset;
      await expect(requests.run(request(), dieAfter(work))).rejects.toThrow('died');
      expect((await anotherProcess().run(request(), work)).response._id).toBe(_id);
      await expect(requests.run(request('other key'), work)).rejects.toMatchObject({ code: 'id_in_use' });
    });

    it('a create returns the asset although others have changed it', async () => {
      await expect(requests.run(request(), dieAfter(createNote('a')))).rejects.toThrow('died');
      const [left] = await notes();
      await content.update({ id: left?._id ?? '', body: { text: 'changed' } }, {});
      expect((await requests.run(request(), createNote('a'))).response.text).toBe('changed');
      expect(await notes()).toHaveLength(1);
    });

    const id = '0190a0c0-0000-7000-8000-00000000000f';
    const operations: BatchOperation[] = [
      { action: 'create', asset: { _type: noteType, slug: 'one' } },
      { action: 'create', asset: { _id: id, _type: noteType, slug: 'two' } },
      {
        action: 'upsert',
        by: 'slug',
        asset: { _type: noteType, slug: 'three', next: { _ref: id, _type: noteType } },
      },
      { action: 'upsert', by: 'slug', asset: { _type: noteType, slug: 'three', text: 'again' } },
      { action: 'update', by: 'slug', asset: { _type: noteType, slug: 'four', text: 'changed' } },
      { action: 'upsert', by: 'slug', asset: { _type: noteType, slug: 'four', text: 'changed more' } },
      { action: 'delete', id: '0190a0c0-0000-7000-8000-0000000000ff' },
    ];
    const made = ['created', 'created', 'created', 'updated', 'updated', 'updated', 'deleted'];
    const prepare = () =>
      content.batch(
        {
          operations: [
            { action: 'create', asset: { _type: noteType, slug: 'four' } },
            { action: 'create', asset: { _id: '0190a0c0-0000-7000-8000-0000000000ff', _type: noteType } },
          ],
          atomic: false,
          references: 'checked',
        },
        {},
      );
    const carryOut =
      (some: readonly BatchOperation[], atomic: boolean) => async (reserved: PreAssignedIds) => {
        const outcomes = await content.batch(
          { operations: some, atomic, references: 'checked' },
          {},
          reserved,
        );
        return outcomes.map((outcome) => (outcome.kind === 'done' ? outcome.effect : outcome.error.code));
      };

    it.each([
      ['each on its own', false],
      ['all or none', true],
    ])('a repeated batch returns the results of its first run: %s', async (_name, atomic) => {
      await prepare();
      await expect(requests.run(request(), dieAfter(carryOut(operations, atomic)))).rejects.toThrow('died');
      const left = await notes();
      expect(left).toHaveLength(4);
      expect((await anotherProcess().run(request(), carryOut(operations, atomic))).response).toEqual(made);
      expect(await notes()).toEqual(left);
    });

    it.each(operations.map((_, index) => index))('a batch continues after its operation %i', async (end) => {
      await prepare();
      const part = carryOut(operations.slice(0, end), false);
      await expect(requests.run(request(), dieAfter(part))).rejects.toThrow('died');
      expect((await anotherProcess().run(request(), carryOut(operations, false))).response).toEqual(made);
      const left = (await notes()).map(({ slug, text }) => `${slug} ${text}`);
      expect(left.toSorted()).toEqual(['four changed more', 'one undefined', 'three again', 'two undefined']);
    });
  });

  it('run by two processes at once, execute everything once', async () => {
    const responses = await Promise.all(
      [requests, anotherProcess(), anotherProcess()].map((one) => one.run(request(), createNote('a'))),
    );
    expect(new Set(responses.map(({ response }) => response._id)).size).toBe(1);
    expect(await notes()).toHaveLength(1);
  });

  it('run by two processes at once as a batch, execute everything once', async () => {
    const operations = Array.from({ length: 50 }, (_, n) => ({
      action: 'upsert' as const,
      by: 'slug',
      asset: { _type: noteType, slug: `s${n}` },
    }));
    const work = async (reserved: PreAssignedIds) => {
      const outcomes = await content.batch(
        { operations, atomic: false, references: 'checked' },
        {},
        reserved,
      );
      return outcomes.map((outcome) => (outcome.kind === 'done' ? outcome.id : outcome.error.code));
    };
    const responses = await Promise.all([requests, anotherProcess()].map((one) => one.run(request(), work)));
    expect(responses[0]?.response).toEqual(responses[1]?.response);
    expect((await notes()).map(({ _id }) => _id).toSorted()).toEqual(responses[0]?.response.toSorted());
  });

  it('return the response of the first to a concurrent second request', async () => {
    let runs = 0;
    const work = async () => ++runs;
    const responses = await Promise.all([1, 2, 3].map(() => requests.run(request(), work)));
    expect(responses.map(({ response }) => response)).toEqual([1, 1, 1]);
  });

  it('run again after a failure, also for requests that waited', async () => {
    let runs = 0;
    const work = async () => {
      if (++runs === 1) throw storeBusy('for once');
      return runs;
    };
    const [first, second] = await Promise.allSettled([1, 2].map(() => requests.run(request(), work)));
    expect(first).toMatchObject({ status: 'rejected' });
    expect(second).toMatchObject({ value: { response: 2, isReplayed: false } });
  });

  it('run again after a response that is not final', async () => {
    let runs = 0;
    const wanted = { ...request(), isFinal: (response: number) => response > 1 };
    const responses = [];
    for (let n = 0; n < 3; n++) responses.push(await requests.run(wanted, async () => ++runs));
    expect(responses.map(({ response, isReplayed }) => [response, isReplayed])).toEqual([
      [1, false],
      [2, false],
      [2, true],
    ]);
  });

  const typeName = 'com.colophon.system.KeyedRequest';
  const records = async () =>
    (await system.find({ from: typeName, offset: 0, limit: 9, withCount: false }, {})).items.map(
      ({ asset }) => asset,
    );

  it('resume requests that a failed run left unfinished, and recognize its writes', async () => {
    await expect(requests.run(request(), dieAfter(createNote('a')))).rejects.toThrow('died');
    await expect.poll(async () => (await records())[0]).not.toHaveProperty('holder');
    const { response } = await anotherProcess().run(request(), createNote('a'));
    expect(await notes()).toEqual([response]);
  });

  it('take over the lease of a process that died, over several processes that wait for less time than a lease lasts', async () => {
    const idempotency = createIdempotencyRecords({ system, clock, ids: randomIds });
    const attempt = { id: toRecordId(request()), request: request() };
    // Nobody renews this lease, as if its process had died.
    expect((await idempotency.claim(attempt, watchLease(), () => {})).kind).toBe('held');
    const waits: number[] = [];
    let claim: Awaited<ReturnType<typeof idempotency.claim>> = { kind: 'taken' };
    for (let process = 0; claim.kind === 'taken' && process < 20; process++) {
      // Time passes for each process alone, from another beginning.
      let nowMs = process * 1e9;
      const watch = watchLease(() => nowMs);
      for (const afterMs of [0, 400, 1_000, 1_400]) {
        nowMs = process * 1e9 + afterMs;
        claim = await idempotency.claim(attempt, watch, () => {});
        if (claim.kind !== 'taken') break;
      }
      waits.push(Number((await records())[0]?.quietMs ?? 0));
    }
    expect(waits).toEqual([1_000, 2_000, 3_000, 4_000, takenOverQuietMs]);
    expect(claim).toMatchObject({ kind: 'held', run: 'repeat' });
    // The run that has it now must give a sign sooner, since it may end as early.
    let nowMs = 0;
    const watch = watchLease(() => nowMs);
    expect((await idempotency.claim(attempt, watch, () => {})).kind).toBe('taken');
    nowMs = leaseMs - takenOverQuietMs;
    expect((await idempotency.claim(attempt, watch, () => {})).kind).toBe('held');
  });

  /** Begins a run that works until `end` is called. */
  async function beginRun() {
    const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: work, resolve: end } = Promise.withResolvers<string>();
    const running = requests.run(request(), () => {
      begin();
      return work;
    });
    await hasBegun;
    return { running, end };
  }

  it('lose the time that others have seen no sign of a holder once there is one', async () => {
    const { running, end } = await beginRun();
    const id = (await records())[0]?._id ?? '';
    await system.update({ id, body: { quietMs: leaseMs - 1 } }, {});
    await expect.poll(async () => (await records())[0]?.quietMs).toBeUndefined();
    end('end');
    expect((await running).response).toBe('end');
  });

  it('renew their lease, so that nobody takes over a long run', async () => {
    let runs = 0;
    const work = async () => {
      await setTimeout(leaseMs + 1_500);
      return ++runs;
    };
    const responses = await Promise.all([requests, anotherProcess()].map((one) => one.run(request(), work)));
    expect(responses.map(({ response }) => response)).toEqual([1, 1]);
  });

  it('answer that the store is busy when another run takes too long', async () => {
    const { running, end } = await beginRun();
    const waiting = [requests, anotherProcess()].map((one) => one.run(request(), dies));
    for (const { reason } of (await Promise.allSettled(waiting)).map((one) => Object(one))) {
      expect(reason).toMatchObject({ code: 'store_busy', message: expect.stringContaining('under way') });
    }
    end('end');
    expect((await running).response).toBe('end');
    expect((await anotherProcess().run(request(), dies)).response).toBe('end');
  });

  it('do not overwrite changed assets after losing the lease', async () => {
    const id = '0190a0c0-0000-7000-8000-00000000000f';
    await content.create({ _id: id, _type: noteType, slug: 'a', text: 'before' }, {});
    const operations: BatchOperation[] = [
      { action: 'update', by: '_id', asset: { _id: id, text: 'changed' } },
    ];
    const batch = (over: ContentService) => async (reserved: PreAssignedIds) => {
      const [outcome] = await over.batch({ operations, atomic: false, references: 'checked' }, {}, reserved);
      return outcome?.kind === 'done' ? (outcome.version ?? null) : null;
    };
    let takenOver: unknown;
    // After it has read the asset, another run takes over the lease and another client changes the asset.
    const slow = {
      ...store,
      async write(...args: Parameters<ContentStore['write']>) {
        const [{ _id: recordId = '' } = {}] = await records();
        await system.update({ id: recordId, body: { holder: null } }, {});
        takenOver ??= (await anotherProcess().run(request(), batch(content))).response;
        await content.update({ id, body: { text: 'of another client' } }, {});
        return store.write(...args);
      },
    };
    const late = contentOver(catalog, slow, { clock });
    const response = await requests.run(request(), batch(late));
    expect(response).toEqual({ response: takenOver, isReplayed: true });
    expect((await notes()).map(({ text }) => text)).toEqual(['of another client']);
  });

  it('respond although the response cannot be stored, and log it', async () => {
    const { logger, lines } = createRecordingLogger();
    const withLog = createIdempotentRequests({ system, clock, ids: randomIds, logger });
    const work = async () => {
      const { items } = await system.find(
        { from: 'com.colophon.system.KeyedRequest', offset: 0, limit: 9, withCount: false },
        {},
      );
      for (const { asset } of items) await system.delete({ id: asset._id }, {});
      return 'done';
    };
    expect((await withLog.run(request(), work)).response).toBe('done');
    expect(lines).toMatchObject([
      { level: 'warn', message: 'the response to an idempotent request was not kept' },
    ]);
  });
});
