/** The backfill of renamed fields, on stores that processes with the former and with the present types serve meanwhile. */
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { silentLogger } from '../../../../src/base/runtime.ts';
import type { Asset } from '../../../../src/model/content-type.ts';
import type { BackfillState } from '../../../../src/store/backfill-calls.ts';
import { openStore } from '../../../../src/store/open-store.ts';
import { planBackfill } from '../../../../src/store/renames/backfill-plan.ts';
import type { BackfillGoal } from '../../../../src/store/renames/backfill-steps.ts';
import { followMs } from '../../../../src/store/renames/follow-backfill.ts';
import { type BackfillRun, runBackfill } from '../../../../src/store/renames/run-backfill.ts';
import { describeOnEachStore } from '../../../support/stores.ts';
import { catalogOf } from '../../../support/types.ts';
import { formerTypes, latestTypes, newId, presentTypes, type ServedStore } from './changed-types.ts';
import { useServedStores } from './served-stores.ts';

/** The present types after the backfill was finished: without the former names of fields. */
const finalTypes = presentTypes.replaceAll(/@was\(name: "\w+"\)/g, '');

const story = (title: string, fields: object = {}): Asset => ({
  _id: newId(),
  _type: 't.Story',
  title,
  ...fields,
});

describeOnEachStore('a backfill', (locations) => {
  const stores = useServedStores(locations);

  const backfill = (goal: BackfillGoal, options: Partial<BackfillRun> = {}) =>
    runBackfill(stores.location.config, {
      catalog: catalogOf(presentTypes),
      logger: silentLogger,
      goal,
      settleMs: stores.count > 0 ? followMs + 200 : 0,
      ...options,
    });

  const plan = (goal: BackfillGoal) =>
    planBackfill(stores.location.config, { catalog: catalogOf(presentTypes), logger: silentLogger, goal });

  /** Fills a store with former content, and ends the process with the former types. */
  async function fill(count: number) {
    const former = await stores.serve(formerTypes);
    const stories: Asset[] = [];
    for (let n = 0; n < count; n++) {
      const asset = story(`Story ${String(n).padStart(3, '0')}`, {
        code: `c${n}`,
        rank: n,
        labels: [`l${n % 3}`],
        place: { town: `Town ${n}`, inner: { town: 'Inner' } },
        stops: [{ town: 'Pisa' }, { town: `Stop ${n}` }],
      });
      stories.push(asset);
      await former.insert(asset);
    }
    const ada: Asset = { _id: newId(), _type: 't.Writer', title: 'Ada' };
    await former.insert(ada);
    return { former, stories, ada };
  }

  /** The members of an asset as they are stored, sorted. */
  async function storedNames(id: string): Promise<readonly string[]> {
    // A process whose types know nothing of the asset shows what is stored.
    const catalog = catalogOf('type Other @contentType(class: "t.Other") { name: String }');
    const store = await openStore({ ...stores.location.config, catalog, logger: silentLogger });
    try {
      const members = (await store.get(id))?.asset ?? {};
      return Object.keys(members).sort();
    } finally {
      await store.close();
    }
  }

  const formerNames = ['_id', '_type', 'code', 'labels', 'place', 'rank', 'stops', 'title'];
  const presentNames = ['_id', '_type', 'headline', 'location', 'number', 'rank', 'stops', 'tags'];
  const bothNames = [...new Set([...formerNames, ...presentNames])].sort();

  it('copies, removes and brings back values without a trace in versions, log and revision', async () => {
    const { former, stories, ada } = await fill(20);
    const [first] = stories as [Asset];
    await former.patch(first, { title: 'Changed' }, ['code']);
    await stores.stop(former);
    const present = await stores.serve(presentTypes);
    const before = await present.store.get(first._id);
    const revision = await present.store.revision(['t.Story']);
    const log = await present.store.changes.position();
    const check = async () => {
      expect(await present.store.get(first._id)).toEqual(before);
      expect(
        await present.find('t.Story', 'headline startsWith "Story" and tags = "l1"', '-number'),
      ).toHaveLength(7);
      expect(await present.find('t.Story', 'headline matches "changed"')).toEqual([first._id]);
      expect(
        await present.find('t.Story', 'stops.city = "Stop 4" and location.inner.city = "Inner"'),
      ).toHaveLength(1);
      expect(await present.find('t.Titled', 'headline = "Ada"')).toEqual([ada._id]);
      expect(await present.facet('t.Story', 'tags')).toEqual([
        ['l0', 7],
        ['l1', 7],
        ['l2', 6],
      ]);
      expect(await present.store.revision(['t.Story'])).toBe(revision);
      expect(await present.store.changes.position()).toEqual(log);
    };
    await check();
    expect(await storedNames(first._id)).toEqual(formerNames.filter((name) => name !== 'code'));

    expect((await backfill('copy'))?.phase).toBe('copied');
    await check();
    expect(await storedNames(first._id)).toEqual(
      bothNames.filter((name) => name !== 'code' && name !== 'number'),
    );

    expect((await backfill('finish'))?.phase).toBe('removed');
    await check();
    expect(await storedNames(first._id)).toEqual(presentNames.filter((name) => name !== 'number'));

    expect((await backfill('back'))?.phase).toBe('withdrawn');
    await check();
    expect(await storedNames(first._id)).toEqual(formerNames.filter((name) => name !== 'code'));
    // The former version can be deployed again.
    const again = await stores.serve(formerTypes);
    expect((await again.read(first._id))?.title).toBe('Changed');
    expect(await again.find('t.Story', 'title = "Changed"')).toEqual([first._id]);
  });

  it('lets the former names go from the types, and shows past states under the present ones', async () => {
    const { former, stories } = await fill(3);
    const [first, second, third] = stories as [Asset, Asset, Asset];
    await former.patch(first, { title: 'Second title', place: { town: 'Bari' } });
    await former.patch(second, {}, ['labels']);
    await former.store.delete({ id: third._id, type: 't.Story' });
    await stores.stop(former);
    await backfill('copy');
    await backfill('finish');
    const final = await stores.serve(finalTypes);
    await final.patch(first, { headline: 'Third title' });
    expect(await final.read(first._id)).toMatchObject({
      headline: 'Third title',
      location: { city: 'Bari' },
    });
    expect((await final.store.texts.get(first._id))?.text).not.toContain('"title"');
    if (!final.store.capabilities.changes) return;
    const at = async (id: string, number: number) => {
      const state = await final.store.changes.stateOf(id, { number });
      return state.kind === 'exists' ? state.asset : undefined;
    };
    expect(await at(first._id, 1)).toEqual({
      _id: first._id,
      _type: 't.Story',
      headline: 'Story 000',
      number: 'c0',
      rank: 0,
      tags: ['l0'],
      location: { city: 'Town 0', inner: { city: 'Inner' } },
      stops: [{ city: 'Pisa' }, { city: 'Stop 0' }],
    });
    expect(await at(first._id, 2)).toMatchObject({ headline: 'Second title', location: { city: 'Bari' } });
    expect(await at(second._id, 1)).toMatchObject({ tags: ['l1'] });
    expect(await at(second._id, 2)).not.toHaveProperty('tags');
    expect(await at(third._id, 1)).toMatchObject({ headline: 'Story 002', number: 'c2' });
    const { entries } = await final.store.changes.history({ asset: first._id, limit: 10 });
    expect(entries.map(({ changed }) => [...changed].sort())).toEqual([
      ['headline'],
      ['headline', 'location'],
      ['headline', 'location', 'number', 'rank', 'stops', 'tags'],
    ]);
    expect(entries[1]?.before).toMatchObject({ headline: 'Story 000', location: { city: 'Town 0' } });
  });

  it('keeps what processes with either types write meanwhile', async () => {
    const { former, stories } = await fill(10);
    await stores.stop(former);
    const present = await stores.serve(presentTypes);
    const [one, two, three] = stories as [Asset, Asset, Asset];
    // A process with the former types that starts during the backfill follows it.
    const phases: string[] = [];
    let rolledBack: ServedStore | undefined;
    const run = backfill('copy', { onProgress: ({ phase }) => phases.push(phase), settleMs: 2_500 });
    while (!phases.includes('copying')) await setTimeout(20);
    rolledBack = await stores.serve(formerTypes);
    await rolledBack.patch(one, { title: 'By the former', stops: [{ town: 'Turin' }] });
    await present.patch(two, { headline: 'By the present' }, ['number']);
    await rolledBack.store.delete({ id: three._id, type: 't.Story' });
    await run;
    for (const each of [present, rolledBack]) {
      expect(await each.read(three._id)).toBeUndefined();
    }
    expect(await present.read(one._id)).toMatchObject({
      headline: 'By the former',
      stops: [{ city: 'Turin' }],
      number: 'c0',
    });
    expect(await present.find('t.Story', 'headline = "By the former" and stops.city = "Turin"')).toEqual([
      one._id,
    ]);
    expect(await rolledBack.read(two._id)).toMatchObject({ title: 'By the present', labels: ['l1'] });
    expect(await rolledBack.read(two._id)).not.toHaveProperty('code');
    expect(await rolledBack.find('t.Story', 'title = "By the present"')).toEqual([two._id]);
    // After the copying, both still see what the other writes.
    await rolledBack.patch(two, { title: 'Again', code: 'new' });
    expect(await present.find('t.Story', 'headline = "Again" and number = "new"')).toEqual([two._id]);
    await expect(present.patch(one, { number: 'new' })).rejects.toMatchObject({
      code: 'value_in_use',
      details: { field: 'number' },
    });
    // Former values cannot go while that process runs.
    await expect(backfill('finish')).rejects.toThrow(/A server runs with types that do not have both names/);
    await stores.stop(rolledBack);
    expect((await backfill('finish'))?.phase).toBe('removed');
    await expect(stores.serve(formerTypes)).rejects.toThrow(/"headline".*types backfill --back/);
    expect(await present.read(two._id)).toMatchObject({ headline: 'Again', number: 'new' });
  });

  it('refuses to begin while a server with the former types cannot follow', async () => {
    await fill(2);
    expect((await plan('copy')).obstacle).toEqual({ kind: 'servers', count: 1, folders: ['types'] });
    await expect(backfill('copy')).rejects.toThrow(/A server runs with types that do not have both names/);
  });

  it('goes on where it was stopped, one process at a time', async () => {
    const { former, stories } = await fill(40);
    await stores.stop(former);
    const states: BackfillState[] = [];
    const stopper = new AbortController();
    const stopped = await backfill('copy', {
      signal: stopper.signal,
      onProgress: (state) => {
        states.push(state);
        if (state.progress) stopper.abort();
      },
    });
    expect(stopped?.phase).toBe('copying');
    expect((await plan('copy')).obstacle).toBeUndefined();
    await report(Date.now() + 5_000);
    expect((await plan('copy')).obstacle).toMatchObject({ kind: 'running' });
    await expect(backfill('copy')).rejects.toThrow(/Another process works on the backfill/);
    // As if the process had been killed half a minute ago.
    await report(Date.now() - 30_000);
    expect((await backfill('copy', { onProgress: (state) => states.push(state) }))?.phase).toBe('copied');
    expect(states.findLast(({ progress }) => progress)?.progress).toMatchObject({
      visited: 41,
      rewritten: 41,
      total: 41,
    });
    expect(await storedNames((stories[39] as Asset)._id)).toEqual(bothNames);
    expect(await plan('copy')).toMatchObject({ phase: 'copied', isDone: true });
    await expect(backfill('back')).resolves.toMatchObject({ phase: 'withdrawn' });
    await expect(backfill('finish')).rejects.toThrow(/No values have been copied/);
  });

  /** Reports, at some time, in the name of the process that worked on the backfill. */
  async function report(seenMs: number): Promise<void> {
    const { store } = await stores.serve(presentTypes);
    const state = await store.backfill.readState();
    if (!state?.progress) throw new Error('no process works on a backfill');
    const progress = { ...state.progress, seenMs };
    await store.backfill.writeState({ ...state, revision: state.revision + 1, progress });
    await stores.stopAll();
  }

  it('moves a field again after another rename', async () => {
    const { former, stories } = await fill(3);
    const [first] = stories as [Asset];
    await stores.stop(former);
    await backfill('copy');
    await backfill('finish');
    const later = { catalog: catalogOf(latestTypes) };
    const latest = await stores.serve(latestTypes);
    expect(await latest.find('t.Story', 'heading = "Story 000"')).toEqual([first._id]);
    expect((await backfill('copy', later))?.phase).toBe('copied');
    expect((await backfill('finish', later))?.phase).toBe('removed');
    await setTimeout(followMs);
    expect(await latest.read(first._id)).toMatchObject({ heading: 'Story 000', number: 'c0' });
    expect(await storedNames(first._id)).toEqual(
      presentNames.map((name) => (name === 'headline' ? 'heading' : name)).sort(),
    );
  });
});
