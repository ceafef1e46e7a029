/** Old entries of the change log are removed in the background, also while somebody pages through it. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createAuditLog } from '../../../../src/access/audit/audit-log.ts';
import { silentLogger } from '../../../../src/base/runtime.ts';
import { createChangeReader } from '../../../../src/content/changes/follow-changes.ts';
import { createLogTrimmer, type LogTrimmer } from '../../../../src/content/changes/trim-log.ts';
import type { ContentStore } from '../../../../src/store/port.ts';
import { openStoreAt } from '../../../support/content.ts';
import { createFakeClock, createRecordingLogger, type FakeClock } from '../../../support/runtime.ts';
import { describeOnEachStore } from '../../../support/stores.ts';
import { catalogOf } from '../../../support/types.ts';

const catalog = catalogOf(`
  type Note @contentType(class: "log.Note") @label(text: "Short note") { title: String }
  type CookieNotice @contentType(class: "log.CookieNotice") { title: String }`);
const dayMs = 86_400_000;
const timing = { stepMs: 20, firstPauseMs: 0, pauseFactor: 1, restMs: 5 };
const idOf = (n: number) => `0191f3a0-5b7e-7c11-9d2e-${String(n).padStart(12, '0')}`;

/** These tests move the clock as they like. */
const clockWatch = { mayAct: async () => true };

describeOnEachStore('trimming', (locations) => {
  let store: ContentStore;
  let clock: FakeClock;
  let trimmers: LogTrimmer[];

  beforeEach(async () => {
    clock = createFakeClock(100 * dayMs);
    trimmers = [];
    store = await openStoreAt(locations(), catalog);
  });

  afterEach(async () => {
    await Promise.all(trimmers.map((trimmer) => trimmer.stop()));
    await store.close();
  });

  function startTrimming(historyDays: number, logger = silentLogger): LogTrimmer {
    const trimmer = createLogTrimmer({ store, clock, clockWatch, logger, historyDays, timing });
    trimmers.push(trimmer);
    trimmer.start();
    return trimmer;
  }

  async function insert(from: number, to: number): Promise<void> {
    const origin = { by: { kind: 'system' } as const, atMs: clock.nowMs() };
    const writes = Array.from({ length: to - from }, (_, n) => ({
      kind: 'insert' as const,
      asset: { _id: idOf(from + n), _type: 'log.Note', title: `${from + n}` },
      version: `v${from + n}`,
    }));
    for (let n = 0; n < writes.length; n += 100) await store.write(writes.slice(n, n + 100), { origin });
  }

  const numberedTo = (count: number) =>
    vi.waitFor(async () => expect((await store.changes.position()).last).toBe(count), 60_000);

  it('removes what is older than the days kept, and nothing that is younger', async () => {
    await insert(0, 200);
    clock.advance(10 * dayMs);
    await insert(200, 210);
    await numberedTo(210);
    startTrimming(11);
    startTrimming(11);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await store.changes.position()).first).toBe(1);
    clock.advance(2 * dayMs);
    await vi.waitFor(async () => expect((await store.changes.position()).first).toBe(201), 60_000);
    await Promise.all(trimmers.map((trimmer) => trimmer.stop()));
    const { entries } = await store.changes.read({ order: 'oldest first', limit: 500 });
    expect(entries.map(({ asset }) => asset)).toEqual(Array.from({ length: 10 }, (_, n) => idOf(200 + n)));
    expect(await store.changes.stateOf(idOf(200), { number: 1 })).toMatchObject({ kind: 'exists' });
    expect(await store.get(idOf(0))).toBeDefined();
  });

  it('ends the pages of a reader where the log now begins', async () => {
    await insert(0, 60);
    clock.advance(10 * dayMs);
    await insert(60, 70);
    await numberedTo(70);
    const audit = createAuditLog({ reader: createChangeReader(store), catalogs: [catalog] });
    const first = await audit.page({ filter: {}, limit: 5 });
    const deep = await audit.page({ filter: {}, limit: 40 });
    startTrimming(7);
    await vi.waitFor(async () => expect((await store.changes.position()).first).toBe(61), 60_000);
    const cursorOf = ({ next }: { next?: string }) => next ?? expect.fail('no next page');
    const second = await audit.page({ filter: {}, limit: 50, cursor: cursorOf(first) });
    expect([...first.items, ...second.items].map(({ seq }) => seq)).toEqual([
      70, 69, 68, 67, 66, 65, 64, 63, 62, 61,
    ]);
    expect(second.next).toBeUndefined();
    expect(await audit.page({ filter: {}, limit: 50, cursor: cursorOf(deep) })).toEqual({ items: [] });
  });

  it('leaves entries that name types by their labels, or in words', async () => {
    const origin = { by: { kind: 'system' } as const, atMs: clock.nowMs() };
    for (const [n, _type] of ['log.Note', 'log.CookieNotice'].entries())
      await store.insert({ asset: { _id: idOf(n), _type }, version: `v${n}` }, origin);
    await numberedTo(2);
    const audit = createAuditLog({ reader: createChangeReader(store), catalogs: [catalog] });
    const { items } = await audit.page({ filter: {}, limit: 5 });
    expect(items.map(({ description }) => description)).toEqual([
      'Created Cookie notice',
      'Created Short note',
    ]);
  });

  it('goes on after a failure, which it logs', async () => {
    await insert(0, 3);
    await numberedTo(3);
    clock.advance(100 * dayMs);
    const { logger, lines } = createRecordingLogger();
    const { trim } = store.changes;
    let isFailing = true;
    const changes = {
      ...store.changes,
      trim: (request: Parameters<typeof trim>[0]) =>
        isFailing ? Promise.reject(new Error('busy')) : trim(request),
    };
    const trimmer = createLogTrimmer({
      store: { ...store, changes },
      clock,
      clockWatch,
      logger,
      historyDays: 7,
      timing,
    });
    trimmers.push(trimmer);
    trimmer.start();
    await vi.waitFor(() => expect(lines.length).toBeGreaterThan(1), { timeout: 60_000 });
    isFailing = false;
    await vi.waitFor(async () => expect((await store.changes.position()).first).toBe(3), 60_000);
    expect(lines[0]).toMatchObject({
      level: 'warn',
      message: 'Old entries of the change log could not be removed; it will be tried again',
    });
  });
});
