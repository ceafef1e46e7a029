import { beforeAll, beforeEach, expect, it } from 'vitest';
import { openRuns, type RunsUnderTest } from '../../../support/runs.ts';
import { describeOnEachStore, type StoreLocation } from '../../../support/stores.ts';
import { catalogOf } from '../../../support/types.ts';

const catalog = catalogOf('type Book @contentType(class: "a.Book") { name: String! }');
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

describeOnEachStore('writing in a run', (locations) => {
  let location: StoreLocation;
  let at: RunsUnderTest;
  let other: RunsUnderTest;
  let named = 0;

  beforeAll(async () => {
    location = locations();
    at = await openRuns(location, catalog);
    other = await openRuns(location, catalog);
  });

  beforeEach(({ skip }) => skip(!at.store.capabilities.changes, 'the store keeps no change log'));

  const newName = () => `run-${++named}`;
  const write = (run: string, { by = 'importer', process = at } = {}) =>
    process.inRun(run, () => process.content.create({ _type: 'a.Book', name: 'b' }, {}), by);

  const advance = (ms: number) => {
    at.clock.advance(ms);
    other.clock.advance(ms);
  };

  it('is open to the client that began it, in every process', async () => {
    const run = newName();
    await write(run);
    await write(run, { process: other });
    for (const process of [at, other]) {
      await expect(write(run, { by: 'somebody', process })).rejects.toMatchObject({ code: 'run_foreign' });
    }
    await at.waitUntilLogged();
    expect(await at.runs.get(run)).toMatchObject({ by: { id: 'importer' }, writes: { create: 2 } });
  });

  it('begins once, for one of two clients in two processes', async () => {
    const run = newName();
    const outcomes = await Promise.allSettled([write(run), write(run, { by: 'somebody', process: other })]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'run_foreign' },
    });
  });

  it('ends 24 hours after the last write of any process', async () => {
    const run = newName();
    await write(run);
    await write(run, { process: other });
    advance(23 * hourMs);
    await write(run);
    await at.waitUntilLogged();
    advance(23 * hourMs);
    await write(run, { process: other });
    await at.waitUntilLogged();
    advance(23 * hourMs);
    expect(await at.runs.get(run)).toMatchObject({ state: 'open' });
    advance(hourMs);
    for (const process of [at, other]) {
      await expect(write(run, { process })).rejects.toMatchObject({ code: 'run_closed' });
    }
    expect(await at.runs.get(run)).toMatchObject({ state: 'closed', writes: { create: 4 } });
  });

  it('ends in every process within two seconds when the run is reverted', async () => {
    const run = newName();
    await write(run);
    await write(run, { process: other });
    await at.waitUntilLogged();
    advance(60_000);
    await at.asClient(() => at.runs.start(run), 'admin');
    await at.runs.wait(run);
    await expect(write(run)).rejects.toMatchObject({ code: 'run_closed' });
    advance(2000);
    await expect(write(run, { process: other })).rejects.toMatchObject({ code: 'run_closed' });
  });

  it('leaves no run of which the log has nothing and that is older than the log ever is', async () => {
    const run = newName();
    await write(run);
    await at.waitUntilLogged();
    advance(8 * dayMs);
    while ((await at.store.changes.trim({ beforeMs: at.clock.nowMs() - dayMs, limit: 1000 })) === 1000);
    // The newest entry of all stays.
    await write(newName());
    await write(newName());
    await expect(at.runs.get(run)).rejects.toMatchObject({ code: 'not_found' });
  });
});
