/** A clock that is far ahead of what the store has seen deletes and publishes nothing until an operator accepts its time. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { silentLogger } from '../../../../src/base/runtime.ts';
import { createClockWatch } from '../../../../src/content/changes/clock-watch.ts';
import { createLogTrimmer } from '../../../../src/content/changes/trim-log.ts';
import type { ContentStore } from '../../../../src/store/port.ts';
import { openStoreAt } from '../../../support/content.ts';
import { createFakeClock, createRecordingLogger, type FakeClock } from '../../../support/runtime.ts';
import { describeOnEachStore } from '../../../support/stores.ts';
import { catalogOf } from '../../../support/types.ts';

const dayMs = 86_400_000;
const catalog = catalogOf('type Note @contentType(class: "log.Note") { title: String }');
const timing = { stepMs: 20, firstPauseMs: 0, pauseFactor: 0, restMs: 10 };

describeOnEachStore('a clock', (locations) => {
  let store: ContentStore;
  let clock: FakeClock;

  beforeEach(async () => {
    clock = createFakeClock(1_000 * dayMs);
    store = await openStoreAt(locations(), catalog);
    for (const n of [1, 2, 3]) {
      const asset = { _id: `0190a0c0-0000-7000-8000-00000000000${n}`, _type: 'log.Note', title: `${n}` };
      await store.insert({ asset, version: `v${n}` }, { by: { kind: 'system' }, atMs: clock.nowMs() });
    }
    await vi.waitFor(async () => expect((await store.changes.position()).last).toBe(3), 60_000);
  });
  afterEach(() => store.close());
  const watch = (logger = silentLogger) => createClockWatch({ store, clock, logger });

  it('may be up to seven days ahead at a time, and is kept', async () => {
    const { mayAct } = watch();
    for (let week = 0; week < 5; week++) {
      expect(await mayAct(clock.nowMs())).toBe(true);
      expect(await store.readHighestTime()).toBe(clock.nowMs());
      clock.advance(7 * dayMs);
      // As after a start.
      expect(await watch().mayAct(clock.nowMs())).toBe(true);
    }
    clock.advance(-400 * dayMs);
    expect(await watch().mayAct(clock.nowMs())).toBe(true);
    expect(await store.readHighestTime()).toBe(1_035 * dayMs);
  });

  it.each([
    ['the time that was kept', true],
    ['the newest entry, where no time was kept', false],
  ])(
    'that is more than seven days beyond %s removes no history until its time is accepted',
    async (_name, isKept) => {
      if (isKept) expect(await watch().mayAct(clock.nowMs())).toBe(true);
      clock.advance(400 * dayMs);
      const { logger, lines } = createRecordingLogger();
      const clockWatch = watch(logger);
      const trimmer = createLogTrimmer({ store, clock, clockWatch, logger, historyDays: 90, timing });
      trimmer.start();
      try {
        await vi.waitFor(() => expect(lines).toHaveLength(1), 60_000);
        const asset = { _id: '0190a0c0-0000-7000-8000-000000000009', _type: 'log.Note', title: 'ahead' };
        await store.insert({ asset, version: 'v9' }, { by: { kind: 'system' }, atMs: clock.nowMs() });
        for (let n = 0; n < 3; n++) expect(await clockWatch.mayAct(clock.nowMs())).toBe(false);
        expect(lines).toMatchObject([
          { level: 'error', message: expect.stringContaining('`colophon clock accept`') },
        ]);
        expect(clockWatch.collect()).toMatchObject([
          { name: 'colophon_clock_ahead', samples: [{ value: 1 }] },
        ]);
        expect((await store.changes.position()).first).toBe(1);
        await store.keepTime({ atMs: clock.nowMs(), isAccepted: true });
        await vi.waitFor(async () => expect((await store.changes.position()).first).toBe(4), 60_000);
        expect(clockWatch.collect()).toMatchObject([{ samples: [{ value: 0 }] }]);
      } finally {
        await trimmer.stop();
      }
    },
  );

  it('whose time was accepted by mistake can be set back', async () => {
    await store.keepTime({ atMs: 1_400 * dayMs, isAccepted: true });
    await store.keepTime({ atMs: 1_000 * dayMs });
    expect(await store.readHighestTime()).toBe(1_400 * dayMs);
    await store.keepTime({ atMs: 1_000 * dayMs, isAccepted: true });
    expect(await store.readHighestTime()).toBe(1_000 * dayMs);
  });
});
