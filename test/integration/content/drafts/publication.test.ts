/** The publication of releases: what it finds, what it writes, and what it does when others write at the same time. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { storedCatalog } from '../../../../src/access/system-types.ts';
import { isDomainError } from '../../../../src/base/errors.ts';
import { randomIds, systemClock } from '../../../../src/base/runtime.ts';
import type { ContentService } from '../../../../src/content/content-service.ts';
import { draftClass, draftId } from '../../../../src/content/drafts/draft.ts';
import type { ReleaseContent } from '../../../../src/content/drafts/releases.ts';
import { preAssignIds } from '../../../../src/content/pre-assigned-ids.ts';
import type { JsonObject } from '../../../../src/model/content-type.ts';
import type { ContentStore } from '../../../../src/store/port.ts';
import { contentOver, openStoreAt } from '../../../support/content.ts';
import { describeOnEachStore } from '../../../support/stores.ts';
import { catalogOf, systemCatalog } from '../../../support/types.ts';

const sdl = `
  type Page @contentType(class: "lib.Page") {
    slug: String! @indexed(unique: true)
    title: String! @constraint(maxLength: 20)
    text: String
    mood: String @default(value: "calm")
    next: Page
  }`;
const catalog = catalogOf(sdl);
const everyone = {};
const release = 'spring';
const idOf = (n: number) => `0191f3a0-5b7e-7c11-9d2e-${String(n).padStart(12, '0')}`;
const page = (n: number, more: JsonObject = {}): JsonObject => ({
  _id: idOf(n),
  _type: 'lib.Page',
  slug: `page-${n}`,
  title: `Page ${n}`,
  ...more,
});
const referenceTo = (n: number) => ({ _ref: idOf(n), _type: 'lib.Page' });
const runs = { assertMayWrite: async () => {}, assertCouldWrite: async () => {} };
/** The dates of a write. */
const dates = { 'cms.content.updateDate': expect.any(Number) };

describeOnEachStore('a publication', (locations) => {
  let store: ContentStore;
  let content: ContentService;
  let drafts: ReleaseContent;
  const serve = (on: ContentStore, types = catalog) => contentOver(types, on, { runs });

  beforeEach(async () => {
    store = await openStoreAt(locations(), storedCatalog(systemCatalog(), catalog));
    content = serve(store);
    await content.releases.create({ name: release });
    drafts = content.inRelease(release, everyone);
    for (const n of [1, 2, 3]) await content.create(page(n), everyone);
  });
  afterEach(() => store.close());

  const draft = (n: number, body: JsonObject) => drafts.update({ id: idOf(n), body }, everyone);
  const live = (n: number, body: JsonObject) => content.update({ id: idOf(n), body }, everyone);
  const slugs = async () => {
    const query = { from: 'lib.Page', offset: 0, limit: 9, withCount: false };
    const { items } = await content.find(query, everyone);
    return items.map(({ asset }) => asset.slug);
  };
  const findingsOf = async (publish: Promise<unknown>) => {
    const error = await publish.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (!isDomainError(error, 'publication_refused')) throw error ?? new Error('It was published');
    return error.details.findings.map(({ asset, code }) => `${Number(asset.slice(-4))} ${code}`).sort();
  };
  const left = async () => (await content.releases.get(release)).drafts;

  it('names drafts whose live assets are gone by what the drafts and the log tell', async () => {
    await draft(1, { title: 'Drafted' });
    await draft(2, { text: 'new' });
    await drafts.delete({ id: idOf(3) }, everyone);
    for (const n of [1, 2, 3]) await content.delete({ id: idOf(n) }, everyone);
    const named = [
      [idOf(1), 'Drafted'],
      [idOf(2), 'Page 2'],
      [idOf(3), 'Page 3'],
    ];
    const titlesOf = (all: readonly { asset: string; title: string }[]) =>
      all.map(({ asset, title }) => [asset, title]).sort();
    const { items, findings } = await content.releases.check({ release });
    expect(titlesOf(items)).toEqual(named);
    expect(titlesOf(findings)).toEqual(named.slice(0, 2));
    expect(titlesOf((await content.releases.listDrafts({ release, limit: 9 })).items)).toEqual(named);
    // Nobody learns titles of other sites.
    const elsewhere = await content.releases.check({ release, sites: [idOf(9)] });
    expect(titlesOf(elsewhere.items)).toEqual([1, 2, 3].map((n) => [idOf(n), idOf(n)]));
  });

  it('puts changes, creations and deletions live together, and empties the release', async () => {
    await draft(1, { slug: 'page-2', next: referenceTo(4) });
    await draft(2, { slug: 'page-1', text: 'new' });
    await drafts.create(page(4, { slug: 'page-3', next: referenceTo(4) }), everyone);
    await drafts.delete({ id: idOf(3) }, everyone);
    const checked = await content.releases.check({ release });
    expect(checked.items.map(({ asset, title, action }) => [asset, title, action]).sort()).toEqual([
      [idOf(1), 'Page 1', 'change'],
      [idOf(2), 'Page 2', 'change'],
      [idOf(3), 'Page 3', 'delete'],
      [idOf(4), 'Page 4', 'create'],
    ]);
    expect([checked.findings, await left()]).toEqual([[], 4]);
    const beganAtMs = systemClock.nowMs();
    const { items, run } = await content.releases.publish({ release });
    expect(items).toHaveLength(4);
    expect(run).toMatch(/^publish-spring-/);
    expect(await slugs()).toEqual(['page-2', 'page-1', 'page-3']);
    const { asset } = await content.get(idOf(4), everyone);
    expect(asset['cms.content.publishDate']).toBeGreaterThanOrEqual(beganAtMs);
    expect(await left()).toBe(0);
    const rest = await store.find({ types: [draftClass], offset: 0, limit: 9, withCount: false });
    expect(rest.items).toEqual([]);
    expect(await content.releases.publish({ release })).toEqual({ items: [], skipped: [], findings: [] });
  });

  it('is recognized, as a withdrawal is, by a request that runs again after its process has ended', async () => {
    const reservedAtMs = systemClock.nowMs();
    const run = (which: 'first' | 'repeat', seed: string) =>
      preAssignIds({ seed, reservedAtMs, run: which }, randomIds);
    await draft(1, { title: 'new' });
    await drafts.create(page(4), everyone);
    await drafts.delete({ id: idOf(2) }, everyone);
    const chosen = { release, only: [1, 2, 4].map(idOf) };
    const published = await content.releases.publish(chosen, run('first', 'one'));
    const ofRun = (items: typeof published.items) => items.toSorted((a, b) => (a.asset < b.asset ? -1 : 1));
    const again = await content.releases.publish(chosen, run('repeat', 'one'));
    expect({ ...again, items: ofRun(again.items) }).toEqual({
      ...published,
      items: ofRun(published.items),
    });
    await expect(content.releases.publish(chosen, run('repeat', 'two'))).rejects.toMatchObject({
      code: 'invalid_body',
    });
    await live(3, { next: referenceTo(1) });
    const withdrawn = await content.releases.withdraw({ id: idOf(1) }, everyone, run('first', 'three'));
    expect(withdrawn.references.count).toBe(1);
    expect(await content.releases.withdraw({ id: idOf(1) }, everyone, run('repeat', 'three'))).toEqual(
      withdrawn,
    );
  });

  it('makes a withdrawn asset live again, with its history, its references and what was drafted', async () => {
    await live(2, { next: referenceTo(1) });
    const { asset: before, version } = await content.get(idOf(1), everyone);
    const standing = content.inRelease('drafts', everyone);
    await standing.update({ id: idOf(1), body: { title: 'drafted' } }, everyone);
    const withdraw = (ifVersions: string[]) =>
      content.releases.withdraw({ id: idOf(1), ifVersions }, everyone);
    await expect(withdraw(['other'])).rejects.toMatchObject({ code: 'precondition_failed' });
    const { change, references } = await withdraw([version]);
    expect(references).toMatchObject({
      count: 1,
      items: [{ _id: idOf(2), title: 'Page 2' }],
      unsearched: [],
    });
    await expect(withdraw([version])).rejects.toMatchObject({ code: 'not_found' });
    expect((await standing.get(idOf(1), everyone)).asset).toMatchObject({
      ...before,
      title: 'drafted',
      ...dates,
    });
    expect((await content.releases.get('drafts')).drafts).toBe(1);
    await content.releases.publish({ release: 'drafts', only: [idOf(1)] });
    const { asset } = await content.get(idOf(1), everyone);
    expect(asset).toMatchObject({ ...before, title: 'drafted', ...dates });
    expect(asset['cms.content.publishDate']).toBe(before['cms.content.publishDate']);
    const { entries } = await content.history.list({ id: idOf(1), limit: 9 }, everyone);
    expect(entries.map(({ action }) => action)).toEqual(['create', 'delete', 'create']);
    expect(entries[1]?.id).toBe(change);
    const where = { where: 'next/title = ?', values: ['drafted'] };
    const query = { from: 'lib.Page', ...where, offset: 0, limit: 9, withCount: false };
    expect((await content.find(query, everyone)).items.map(({ asset: { _id } }) => _id)).toEqual([idOf(2)]);
  });

  it('passes over withdrawn assets, unless it names them', async () => {
    const standing = content.inRelease('drafts', everyone);
    await content.releases.withdraw({ id: idOf(1) }, everyone);
    await standing.update({ id: idOf(1), body: { text: 'edited' } }, everyone);
    await standing.create(page(4), everyone);
    const { items } = await content.releases.listDrafts({ release: 'drafts', limit: 9 });
    expect(items.map(({ asset, action, withdrawn }) => [asset, action, withdrawn]).sort()).toEqual([
      [idOf(1), 'create', true],
      [idOf(4), 'create', undefined],
    ]);
    const skipped = [
      { asset: idOf(1), type: 'lib.Page', title: 'Page 1', action: 'create', withdrawn: true },
    ];
    expect(await content.releases.check({ release: 'drafts' })).toMatchObject({
      items: [{ asset: idOf(4) }],
      skipped,
    });
    const elsewhere = await content.releases.check({ release: 'drafts', sites: [idOf(9)] });
    expect(elsewhere.skipped).toEqual([]);
    await standing.update({ id: idOf(4), body: { next: referenceTo(1) } }, everyone);
    expect(await findingsOf(content.releases.publish({ release: 'drafts' }))).toEqual(['4 invalid_body']);
    await standing.update({ id: idOf(4), body: { next: null } }, everyone);
    expect(await content.releases.publish({ release: 'drafts' })).toMatchObject({ skipped });
    expect(await content.releases.publish({ release: 'drafts' })).toEqual({
      items: [],
      skipped,
      findings: [],
    });
    expect(await slugs()).toEqual(['page-2', 'page-3', 'page-4']);
    expect((await content.releases.get('drafts')).drafts).toBe(1);
    const named = await content.releases.publish({ release: 'drafts', only: [idOf(1)] });
    expect(named).toMatchObject({ items: skipped, skipped: [] });
    expect((await content.get(idOf(1), everyone)).asset.text).toBe('edited');
  });

  it('passes over what other versions have withdrawn, and over no other creation', async () => {
    const standing = content.inRelease('drafts', everyone);
    for (const n of [1, 2]) await content.releases.withdraw({ id: idOf(n) }, everyone);
    await standing.create(page(4), everyone);
    await content.create(page(2, { slug: 'again' }), everyone);
    for (const n of [1, 2, 4]) {
      const patch = { id: draftId('drafts', idOf(n)), type: draftClass, set: {}, unset: ['withdrawn'] };
      await store.patch({ ...patch, version: randomIds.version() });
    }
    await content.delete({ id: idOf(3) }, everyone);
    await standing.create(page(3), everyone);
    const { items, skipped, findings } = await content.releases.check({ release: 'drafts' });
    expect(items.map(({ asset }) => asset).sort()).toEqual([idOf(2), idOf(3), idOf(4)]);
    expect(skipped.map(({ asset }) => asset)).toEqual([idOf(1)]);
    expect(findings.map(({ asset, code }) => [asset, code])).toEqual([[idOf(2), 'id_in_use']]);
  });

  it('names the schedules of the releases that have a draft of a withdrawn asset', async () => {
    const soonMs = systemClock.nowMs() + 1_000_000;
    const schedule = (name: string, ms: number) => content.releases.schedules.schedule(name, soonMs + ms);
    await content.releases.create({ name: 'summer' });
    await content.inRelease('summer', everyone).delete({ id: idOf(1) }, everyone);
    await draft(1, { text: 'mine' });
    for (const [n, name] of ['drafts', release].entries()) await schedule(name, n);
    const { schedules } = await content.releases.withdraw({ id: idOf(1).toUpperCase() }, everyone);
    expect(schedules).toEqual([
      { release: 'drafts', publishAt: soonMs, action: 'create', withdrawn: true },
      { release, publishAt: soonMs + 1, action: 'change' },
    ]);
    expect((await content.releases.withdraw({ id: idOf(2) }, everyone)).schedules).toEqual([
      { release: 'drafts', publishAt: soonMs, action: 'create', withdrawn: true },
    ]);
  });

  it('withdraws no asset whose draft would replace what others have published since', async () => {
    const standing = content.inRelease('drafts', everyone);
    await standing.update({ id: idOf(1), body: { title: 'drafted' } }, everyone);
    await live(1, { title: 'theirs' });
    const withdraw = () => content.releases.withdraw({ id: idOf(1) }, everyone);
    await expect(withdraw()).rejects.toMatchObject({
      code: 'edit_conflict',
      details: { conflicts: [{ path: 'title', base: 'Page 1', theirs: 'theirs', yours: 'drafted' }] },
    });
    expect((await content.get(idOf(1), everyone)).asset).toMatchObject({ title: 'theirs' });
    const rebased = await content.releases.rebase({ release: 'drafts', asset: idOf(1) });
    expect(rebased?.version).toBe((await standing.get(idOf(1), everyone)).version);
    await withdraw();
    expect((await standing.get(idOf(1), everyone)).asset).toMatchObject({ title: 'drafted' });
  });

  it('leaves an asset live that cannot be withdrawn, and replaces its drafted deletion otherwise', async () => {
    const standing = content.inRelease('drafts', everyone);
    const withdraw = (n: number) => content.releases.withdraw({ id: idOf(n) }, everyone);
    await standing.create(page(4), everyone);
    await content.create(page(4), everyone);
    await expect(withdraw(4)).rejects.toMatchObject({ code: 'id_in_use' });
    expect(await slugs()).toHaveLength(4);
    await standing.delete({ id: idOf(1) }, everyone);
    const results = await Promise.allSettled([withdraw(1), withdraw(1), live(2, { text: 'x' }), withdraw(2)]);
    expect(results.map(({ status }) => status).sort()).toEqual([...Array(3).fill('fulfilled'), 'rejected']);
    expect(await slugs()).toEqual(['page-3', 'page-4']);
    expect((await standing.get(idOf(1), everyone)).asset.title).toBe('Page 1');
    expect((await standing.get(idOf(2), everyone)).asset.text).toBe('x');
  });

  it('is reverted as any run', async () => {
    await draft(1, { title: 'mine' });
    await draft(2, { slug: 'new' });
    await drafts.create(page(4), everyone);
    await drafts.delete({ id: idOf(3) }, everyone);
    const { run = '' } = await content.releases.publish({ release });
    const scope = { run, revert: 'revert', names: new Set([run]) };
    await store.changes.waitUntilNumbered();
    expect(await content.runUndo.undo({ scope, limit: 100 })).toMatchObject({ written: 4, conflicts: 0 });
    expect(await slugs()).toEqual(['page-1', 'page-2', 'page-3']);
    expect((await content.get(idOf(1), everyone)).asset.title).toBe('Page 1');
    expect(await left()).toBe(0);
  });

  it('lists all that is wrong, and publishes nothing then', async () => {
    await draft(1, { title: 'mine', text: 'mine' });
    await live(1, { title: 'theirs', text: 'theirs' });
    await draft(2, { slug: 'page-3', next: referenceTo(9) });
    await drafts.create(page(5, { title: undefined as never }), everyone);
    await drafts.create(page(6), everyone);
    await content.create(page(6, { slug: 'six' }), everyone);
    await drafts.create(page(7, { slug: 'same' }), everyone);
    await drafts.create(page(8, { slug: 'same', next: referenceTo(3) }), everyone);
    await draft(3, { text: 'x' });
    await content.delete({ id: idOf(3) }, everyone);
    const findings = ['1 edit_conflict', '2 invalid_body', '3 not_found', '5 invalid_body', '6 id_in_use'];
    const all = [...findings, '8 invalid_body', '8 value_in_use'];
    expect(await findingsOf(content.releases.publish({ release }))).toEqual(all);
    expect(await left()).toBe(7);
    const conflict = (await content.releases.check({ release })).findings.find(
      ({ code }) => code === 'edit_conflict',
    );
    expect(conflict?.conflicts).toEqual([
      { path: 'title', base: 'Page 1', theirs: 'theirs', yours: 'mine' },
      { path: 'text', theirs: 'theirs', yours: 'mine' },
    ]);
    const listed = await content.releases.listDrafts({ release, limit: 50 });
    expect(listed.items.flatMap((one) => one.findings.map(({ code }) => code)).sort()).toEqual([
      'edit_conflict',
      'id_in_use',
      'invalid_body',
      'not_found',
    ]);
    expect(await findingsOf(content.releases.publish({ release, only: [idOf(8)] }))).toEqual([
      '8 invalid_body',
    ]);
    await content.releases.publish({ release, only: [idOf(7)] });
    expect(await left()).toBe(6);
  });

  it('keeps what others have changed in other fields, and rebases what they have changed in the same', async () => {
    await draft(1, { title: 'mine', text: 'mine' });
    await draft(2, { text: 'mine' });
    await live(1, { title: 'theirs', text: 'theirs' });
    await live(2, { title: 'theirs' });
    await content.releases.publish({ release, only: [idOf(2)] });
    expect((await content.get(idOf(2), everyone)).asset).toMatchObject({ title: 'theirs', text: 'mine' });
    const [seen] = (await content.releases.check({ release })).findings;
    const choice = { release, asset: idOf(1), theirs: ['text'], live: seen?.live };
    await live(1, { slug: 'other' });
    await expect(content.releases.rebase(choice)).rejects.toMatchObject({ code: 'precondition_failed' });
    await content.releases.rebase({ ...choice, live: undefined });
    await content.releases.publish({ release });
    expect((await content.get(idOf(1), everyone)).asset).toMatchObject({
      slug: 'other',
      title: 'mine',
      text: 'theirs',
    });
  });

  it('makes a creation of the change of a deleted asset, and a change of a creation whose asset exists', async () => {
    await draft(1, { text: 'mine' });
    await live(1, { title: 'theirs' });
    await content.delete({ id: idOf(1) }, everyone);
    await drafts.create(page(4, { text: 'mine' }), everyone);
    await content.create(page(4, { text: 'theirs' }), everyone);
    await drafts.delete({ id: idOf(2) }, everyone);
    await live(2, { text: 'theirs' });
    await drafts.delete({ id: idOf(3) }, everyone);
    await content.delete({ id: idOf(3) }, everyone);
    expect(await findingsOf(content.releases.publish({ release }))).toEqual([
      '1 not_found',
      '2 edit_conflict',
      '4 id_in_use',
    ]);
    for (const n of [1, 2, 4]) await content.releases.rebase({ release, asset: idOf(n) });
    await content.releases.publish({ release });
    expect(await slugs()).toEqual(['page-1', 'page-4']);
    for (const n of [1, 4]) expect((await content.get(idOf(n), everyone)).asset.text).toBe('mine');
    expect((await content.get(idOf(1), everyone)).asset.title).toBe('theirs');
  });

  it('leaves the date of publication of an asset that exists by now', async () => {
    await drafts.create(page(4), everyone);
    await drafts.create(page(5, { text: 'mine' }), everyone);
    for (const n of [4, 5]) await content.create(page(n, { 'cms.content.publishDate': n }), everyone);
    expect(await content.releases.rebase({ release, asset: idOf(4) })).toBeUndefined();
    await content.releases.rebase({ release, asset: idOf(5) });
    expect((await content.releases.publish({ release })).items.map(({ asset }) => asset)).toEqual([idOf(5)]);
    expect((await content.get(idOf(5), everyone)).asset).toMatchObject({
      text: 'mine',
      'cms.content.publishDate': 5,
    });
  });

  it('leaves values of an asset that exists by now where the draft has defaults that nobody has given', async () => {
    await drafts.create(page(4), everyone);
    await drafts.create(page(5, { text: 'mine', mood: 'calm' }), everyone);
    for (const n of [4, 5]) await content.create(page(n, { mood: 'wild' }), everyone);
    expect((await drafts.get(idOf(4), everyone)).asset.mood).toBe('calm');
    expect(await content.releases.rebase({ release, asset: idOf(4) })).toBeUndefined();
    await content.releases.rebase({ release, asset: idOf(5) });
    await content.releases.publish({ release });
    expect((await content.get(idOf(4), everyone)).asset.mood).toBe('wild');
    expect((await content.get(idOf(5), everyone)).asset).toMatchObject({ text: 'mine', mood: 'calm' });
    await drafts.create(page(6), everyone);
    await content.releases.publish({ release });
    expect((await content.get(idOf(6), everyone)).asset.mood).toBe('calm');
  });

  it('keeps newer live values when a creation of a former asset becomes a change again', async () => {
    await draft(1, { text: 'mine', title: 'mine' });
    await content.delete({ id: idOf(1) }, everyone);
    await content.releases.rebase({ release, asset: idOf(1) });
    const standing = content.inRelease('drafts', everyone);
    await content.releases.withdraw({ id: idOf(2) }, everyone);
    await standing.update({ id: idOf(2), body: { text: 'mine' } }, everyone);
    for (const n of [1, 2]) {
      await content.create(page(n), everyone);
      await live(n, { title: 'theirs', slug: `new-${n}` });
    }
    for (const [name, n] of [
      [release, 1],
      ['drafts', 2],
    ] as const)
      await content.releases.rebase({ release: name, asset: idOf(n) });
    const { findings } = await content.releases.check({ release });
    expect(findings).toMatchObject([
      {
        code: 'edit_conflict',
        conflicts: [{ path: 'title', base: 'Page 1', theirs: 'theirs', yours: 'mine' }],
      },
    ]);
    await content.releases.rebase({ release, asset: idOf(1), theirs: ['title'] });
    for (const name of [release, 'drafts']) await content.releases.publish({ release: name });
    for (const n of [1, 2])
      expect((await content.get(idOf(n), everyone)).asset).toMatchObject({
        slug: `new-${n}`,
        title: 'theirs',
        text: 'mine',
      });
  });

  it('is planned again when somebody writes after the check', async () => {
    let meanwhile: (() => Promise<unknown>) | undefined;
    const hooked = serve({
      ...store,
      async write(writes, options) {
        const work = meanwhile;
        meanwhile = undefined;
        await work?.();
        return store.write(writes, options);
      },
    });
    await draft(1, { text: 'mine' });
    await draft(2, { slug: 'taken' });
    meanwhile = () => live(1, { title: 'theirs' });
    await hooked.releases.publish({ release, only: [idOf(1)] });
    expect((await content.get(idOf(1), everyone)).asset).toMatchObject({ title: 'theirs', text: 'mine' });
    meanwhile = () => content.create(page(5, { slug: 'taken' }), everyone);
    expect(await findingsOf(hooked.releases.publish({ release }))).toEqual(['2 value_in_use']);
    expect(await left()).toBe(1);
    await draft(2, { slug: 'free' });
    meanwhile = () => draft(2, { text: 'later' });
    await hooked.releases.publish({ release });
    expect((await content.get(idOf(2), everyone)).asset).toMatchObject({ slug: 'free', text: 'later' });
  });

  it('is done once of two that publish the same assets at the same time', async () => {
    await content.releases.create({ name: 'summer' });
    const other = content.inRelease('summer', everyone);
    await draft(1, { text: 'spring' });
    await draft(2, { text: 'spring' });
    await other.update({ id: idOf(1), body: { text: 'summer' } }, everyone);
    await other.update({ id: idOf(3), body: { text: 'summer' } }, everyone);
    const second = serve(store);
    const ended = await Promise.allSettled([
      content.releases.publish({ release }),
      second.releases.publish({ release: 'summer' }),
      second.releases.publish({ release }),
    ]);
    const texts = await Promise.all(
      [1, 2, 3].map(async (n) => (await content.get(idOf(n), everyone)).asset.text),
    );
    expect([
      ['spring', 'spring', undefined],
      ['summer', undefined, 'summer'],
    ]).toContainEqual(texts);
    expect(ended.flatMap((one) => (one.status === 'fulfilled' && one.value.run ? [one] : []))).toHaveLength(
      1,
    );
  });

  it('checks drafts by the present types', async () => {
    await draft(1, { text: 'mine' });
    const types = catalogOf(sdl.replace('text: String', 'text: Int, size: Int!'));
    const findings = (await serve(store, types).releases.check({ release })).findings;
    expect(findings.map(({ code, problems }) => [code, problems?.map(({ path }) => path)])).toEqual([
      ['invalid_body', ['text', 'size']],
    ]);
    const none = catalogOf('type Other @contentType(class: "lib.Other") { name: String }');
    const [finding] = (await serve(store, none).releases.check({ release })).findings;
    expect(finding?.code).toBe('unknown_type');
  });

  it('is that of a sender in the sender’s sites', async () => {
    await draft(1, { text: 'mine' });
    const [finding] = (await content.releases.check({ release, sites: [idOf(9)] })).findings;
    expect(finding).toMatchObject({ code: 'forbidden', title: idOf(1) });
  });

  it('judges the references that it changes by what the sender sees, and those that it breaks', async () => {
    const site = { _ref: idOf(9), _type: 'com.colophon.cms.db.Site' };
    const types =
      catalogOf(`${sdl.replace('next: Page', 'next: Page\n    cms_site_owner: Site @json(name: "cms.site.owner")')}
      type Site @contentType(class: "com.colophon.cms.db.Site") { name: String }`);
    const sited = serve(store, types);
    await sited.create({ _id: idOf(9), _type: site._type, name: 'Own' }, everyone);
    const owned = { 'cms.site.owner': site };
    await sited.create(page(4, { ...owned, next: referenceTo(1) }), everyone);
    await sited.create(page(5, { ...owned, next: referenceTo(4) }), everyone);
    const inRelease = sited.inRelease(release, everyone);
    await inRelease.update({ id: idOf(4), body: { title: 'New' } }, everyone);
    await inRelease.update({ id: idOf(5), body: { next: referenceTo(2) } }, everyone);
    const messages = async () =>
      (await sited.releases.check({ release, sites: [idOf(9)] })).findings.map(({ asset, message }) => [
        asset,
        message,
      ]);
    expect(await messages()).toEqual([[idOf(5), `next refers to ${idOf(2)}, which does not exist`]]);
    await inRelease.update({ id: idOf(5), body: { next: referenceTo(4), text: 'x' } }, everyone);
    expect(await messages()).toEqual([]);
    await inRelease.delete({ id: idOf(4) }, everyone);
    expect(await messages()).toEqual([[idOf(5), `next refers to ${idOf(4)}, which does not exist`]]);
  });

  it('deletes a release with as many drafts as the caller states', async () => {
    await draft(1, { text: 'mine' });
    await expect(content.releases.delete(release, 0)).rejects.toMatchObject({ code: 'invalid_parameter' });
    await content.releases.delete(release, 1);
    await expect(content.releases.get(release)).rejects.toMatchObject({ code: 'not_found' });
    const rest = await store.find({ types: [draftClass], offset: 0, limit: 9, withCount: false });
    expect(rest.items).toEqual([]);
    await expect(content.releases.create({ name: 'drafts' })).rejects.toMatchObject({ code: 'value_in_use' });
  });
});
