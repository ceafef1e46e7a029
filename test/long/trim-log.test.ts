/** Trims a change log of 200,000 entries while a client writes: the steps are short, and no write waits noticeably. */
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { randomIds, silentLogger, systemClock } from '../../src/base/runtime.ts';
import { createLogTrimmer } from '../../src/content/changes/trim-log.ts';
import type { ContentStore } from '../../src/store/port.ts';
import { openStoreAt } from '../support/content.ts';
import { sqliteLocation } from '../support/stores.ts';
import { catalogOf } from '../support/types.ts';

const entries = 200_000;
const batch = 500;
const noteType = 'log.Note';
const catalog = catalogOf(
  `type Note @contentType(class: "${noteType}") { title: String @indexed, text: String }`,
);
const location = sqliteLocation();
const timing = { stepMs: 20, firstPauseMs: 0, pauseFactor: 5, restMs: 1_000_000 };
let store: ContentStore;

beforeAll(async () => {
  store = await openStoreAt(location, catalog);
  const ids = Array.from({ length: entries / 2 }, () => randomIds.assetId());
  for (let from = 0; from < ids.length; from += batch) await write(ids.slice(from, from + batch), toInsert);
  for (let from = 0; from < ids.length; from += batch) await write(ids.slice(from, from + batch), toPatch);
});

const origin = (atMs: number) => ({ by: { kind: 'system' } as const, atMs });
const text = '<p>A few words that an update changes.</p>'.repeat(10);
const toInsert = (id: string) => ({
  kind: 'insert' as const,
  asset: { _id: id, _type: noteType, title: id, text },
  version: randomIds.version(),
});
const toPatch = (id: string) => ({
  kind: 'patch' as const,
  id,
  type: noteType,
  set: { text: 'Changed' },
  unset: [],
  version: randomIds.version(),
});

async function write(
  ids: readonly string[],
  toWrite: (id: string) => ReturnType<typeof toInsert | typeof toPatch>,
) {
  await store.write(ids.map(toWrite), { origin: origin(0) });
}

const quantile = (times: readonly number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)] ?? Number.NaN;

it('steps take under 20 ms, and writes wait no longer than for each other', async () => {
  const [steps, alone, beside]: number[][] = [[], [], []];
  const timed = async <Outcome>(times: number[] | undefined, work: () => Promise<Outcome>) => {
    const startedMs = performance.now();
    const outcome = await work();
    times?.push(performance.now() - startedMs);
    return outcome;
  };
  const writeOne = (times: number[] | undefined) =>
    timed(times, () => store.insert(toInsert(randomIds.assetId()), origin(systemClock.nowMs())));
  for (let n = 0; n < 500; n++) await writeOne(alone);

  let left = entries;
  const changes: ContentStore['changes'] = {
    ...store.changes,
    async trim(request) {
      const removed = await timed(steps, () => store.changes.trim(request));
      left -= removed;
      return removed;
    },
  };
  const trimmer = createLogTrimmer({
    store: { ...store, changes },
    clock: systemClock,
    clockWatch: { mayAct: async () => true },
    logger: silentLogger,
    historyDays: 90,
    timing,
  });
  trimmer.start();
  while (left > 0) {
    await writeOne(beside);
    await wait(5);
  }
  await trimmer.stop();
  const figures = { steps: steps ?? [], alone: alone ?? [], beside: beside ?? [] };
  for (const [name, times] of Object.entries(figures)) {
    const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
    console.log(`${name}: ${times.length}, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
  }
  expect(quantile(figures.steps, 0.5)).toBeLessThan(timing.stepMs);
  expect((await store.changes.position()).first).toBeGreaterThan(entries);
});
