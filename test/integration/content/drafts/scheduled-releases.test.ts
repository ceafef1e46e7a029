/** Scheduled releases: when they are published, in which order, how often, and what stops one. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { storedCatalog } from '../../../../src/access/system-types.ts';
import { storeBusy } from '../../../../src/base/errors.ts';
import { createRequestOrigins } from '../../../../src/base/request-origin.ts';
import { randomIds, systemClock } from '../../../../src/base/runtime.ts';
import { type ContentService, createContentService } from '../../../../src/content/content-service.ts';
import type { ContentStore } from '../../../../src/store/port.ts';
import { openStoreAt } from '../../../support/content.ts';
import { describeOnEachStore } from '../../../support/stores.ts';
import { catalogOf, systemCatalog } from '../../../support/types.ts';

const catalog = catalogOf(`
  type Page @contentType(class: "lib.Page") { title: String! @indexed(unique: true)  next: Page }`);
const everyone = {};
const origins = createRequestOrigins();
const hourMs = 3_600_000;
const rules = { siteOwnerRequired: false, referencesChecked: true };

describeOnEachStore('scheduled releases', (locations) => {
  let store: ContentStore;
  let nowMs: number;
  let runs: string[];
  let content: ContentService;
  /** A service of another process, whose clock differs from that of the store. */
  const serve = (overrides: Partial<ContentStore> = {}, own = rules) =>
    createContentService({
      catalog,
      store: { ...store, readClock: async () => nowMs, ...overrides },
      clock: { ...systemClock, nowMs: () => nowMs + hourMs },
      ids: randomIds,
      origins,
      rules: own,
      runs: { assertMayWrite: async ({ run }) => void runs.push(run), assertCouldWrite: async () => {} },
    });

  beforeEach(async () => {
    store = await openStoreAt(locations(), storedCatalog(systemCatalog(), catalog));
    nowMs = Date.now();
    runs = [];
    content = serve();
  });
  afterEach(() => store.close());

  const create = async (release: string, title: string, more = {}) => {
    await content.releases.create({ name: release }).catch(() => undefined);
    const asset = { _type: 'lib.Page', title, ...more };
    return (await content.inRelease(release, everyone).create(asset, everyone)).asset;
  };
  const titles = async () => {
    const query = { from: 'lib.Page', offset: 0, limit: 9, withCount: false };
    return (await content.find(query, everyone)).items.map(({ asset }) => asset.title).sort();
  };
  const schedule = (release: string, inMs: number) =>
    content.releases.schedules.schedule(release, nowMs + inMs);
  const publishDue = (service = content) => service.releases.schedules.publishDue();

  it("are published once by one of several processes, in the order of their times, and not before by the store's clock", async () => {
    const first = await create('z', 'first');
    await create('a', 'second', { next: { _ref: first._id, _type: 'lib.Page' } });
    await schedule('a', 2_000);
    await schedule('z', 1_000);
    nowMs += 999;
    await publishDue();
    expect(await titles()).toEqual([]);
    nowMs += 5_000;
    await Promise.all([serve(), serve(), content].map((each) => publishDue(each)));
    expect(await titles()).toEqual(['first', 'second']);
    for (const name of ['a', 'z']) expect(await content.releases.get(name)).not.toHaveProperty('publishAt');
    const history = await content.history.list({ id: first._id, limit: 9 }, everyone);
    expect(history.entries).toMatchObject([{ by: { kind: 'system' } }]);
  });

  it('wait while the clock of the store may not be followed', async () => {
    await create('a', 'first');
    await schedule('a', 1_000);
    nowMs += 5_000;
    let isFollowed = false;
    const asked: number[] = [];
    const clockWatch = { mayAct: async (atMs: number) => asked.push(atMs) > 0 && isFollowed };
    await content.releases.schedules.publishDue(clockWatch);
    expect([await titles(), asked]).toEqual([[], [nowMs]]);
    isFollowed = true;
    await content.releases.schedules.publishDue(clockWatch);
    expect(await titles()).toEqual(['first']);
  });

  it('name who scheduled them in the history, and say when they went live', async () => {
    const { _id: id } = await create('a', 'first');
    const by = { kind: 'user', id: 'an-id', name: 'Ana' } as const;
    await origins.runAs({ by }, () => schedule('a', 1_000));
    expect(await content.releases.get('a')).toMatchObject({ scheduledBy: 'Ana' });
    nowMs += 2_000;
    await publishDue();
    const { entries } = await content.history.list({ id, limit: 9 }, everyone);
    expect(entries).toMatchObject([{ by: { kind: 'system', name: 'Ana (scheduled)' } }]);
    const release = await content.releases.get('a');
    expect(release).toMatchObject({
      published: { at: nowMs + hourMs, by: 'Ana (scheduled)', drafts: 1 },
      drafts: 0,
    });
    expect(release).not.toHaveProperty('scheduledBy');
    await create('a', 'second');
    await origins.runAs({ by: { kind: 'client', id: 'c' } }, () =>
      content.releases.publish({ release: 'a' }),
    );
    expect((await content.releases.get('a')).published).toEqual({ at: nowMs + hourMs, drafts: 1 });
  });

  it('stop when their drafts cannot be published, until they are scheduled again', async () => {
    await content.create({ _type: 'lib.Page', title: 'taken' }, everyone);
    const { _id: id } = await create('a', 'taken');
    await create('b', 'later');
    await schedule('a', 1);
    await schedule('b', 2);
    nowMs += 2;
    await publishDue();
    expect(await titles()).toEqual(['later', 'taken']);
    const { stopped, publishAt } = await content.releases.get('a');
    expect([stopped?.at, publishAt]).toEqual([nowMs, nowMs - 1]);
    expect(stopped?.message).toContain('1 draft of the release "a" cannot be published, so none was');
    await content.inRelease('a', everyone).update({ id, body: { title: 'free' } }, everyone);
    await publishDue();
    expect(await titles()).toEqual(['later', 'taken']);
    expect(content.releases.schedules.collect()[0]).toMatchObject({ samples: [{ value: 1 }] });
    expect(await schedule('a', 1)).not.toHaveProperty('stopped');
    nowMs += 1;
    await publishDue();
    expect(await titles()).toEqual(['free', 'later', 'taken']);
  });

  it('are tried again after an error of the store', async () => {
    await create('a', 'one');
    await schedule('a', 1);
    nowMs += 1;
    const failing = serve({ write: () => Promise.reject(storeBusy('it is being moved')) });
    await expect(publishDue(failing)).rejects.toMatchObject({ code: 'store_busy' });
    await publishDue();
    expect(await titles()).toEqual(['one']);
  });

  it('wait when they are scheduled for a later time, and not at all when the schedule is taken back', async () => {
    await create('a', 'one');
    await create('drafts', 'two');
    await schedule('a', 1);
    await schedule('drafts', 1);
    nowMs += 1;
    const publishing = publishDue(
      serve({
        // Between the search for releases and the publication, a person schedules one again and takes the other back.
        find: async (request) => {
          const found = await store.find(request);
          if (request.types.some((type) => type.endsWith('.Release'))) {
            await schedule('a', 1_000);
            await content.releases.schedules.unschedule('drafts');
          }
          return found;
        },
      }),
    );
    await publishing;
    expect(await titles()).toEqual([]);
    expect((await content.releases.get('a')).publishAt).toBe(nowMs + 1_000);
    expect(await content.releases.get('drafts')).not.toHaveProperty('publishAt');
  });

  it('without drafts lose their schedule', async () => {
    await schedule('drafts', 1);
    nowMs += 1;
    await publishDue();
    expect(await content.releases.get('drafts')).not.toHaveProperty('publishAt');
    expect(runs).toEqual([]);
  });

  it('pass over what was withdrawn, and lose their schedule with the other drafts', async () => {
    const { asset } = await content.create({ _type: 'lib.Page', title: 'withdrawn' }, everyone);
    const alone = await content.create({ _type: 'lib.Page', title: 'alone' }, everyone);
    await create('drafts', 'new');
    for (const withdrawn of [asset, alone.asset]) {
      await content.releases.withdraw({ id: withdrawn._id }, everyone);
      await schedule('drafts', 1);
      nowMs += 1;
      await publishDue();
      expect(await titles()).toEqual(withdrawn === asset ? ['alone', 'new'] : ['new']);
      expect(await content.releases.get('drafts')).not.toHaveProperty('publishAt');
    }
    expect((await content.releases.get('drafts')).drafts).toBe(2);
    expect(runs.filter((run) => run.startsWith('publish-'))).toHaveLength(1);
  });

  it('stop when a site must own every asset and none owns a drafted one', async () => {
    await create('a', 'one');
    await schedule('a', 1);
    nowMs += 1;
    await publishDue(serve({}, { ...rules, siteOwnerRequired: true }));
    expect((await content.releases.get('a')).stopped?.message).toContain('cms.site.owner');
    expect(await titles()).toEqual([]);
  });
});
