/** What writes in a release do to its drafts, to the live content and to the log. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { storedCatalog } from '../../../../src/access/system-types.ts';
import { locateError } from '../../../../src/base/errors.ts';
import { createRequestOrigins } from '../../../../src/base/request-origin.ts';
import { randomIds } from '../../../../src/base/runtime.ts';
import type { BatchOperation, BatchRequest } from '../../../../src/content/batch/batch.ts';
import type { ContentService } from '../../../../src/content/content-service.ts';
import { touchedBy } from '../../../../src/content/drafts/change-draft.ts';
import {
  type DraftRecord,
  draftClass,
  draftId,
  publicationLimits,
  releaseClass,
  releaseId,
  toReleaseRecord,
} from '../../../../src/content/drafts/draft.ts';
import { createDraftSource, findDrafts, readDrafts } from '../../../../src/content/drafts/draft-source.ts';
import type { ReleaseContent } from '../../../../src/content/drafts/releases.ts';
import { fileClass, fileRecordId } from '../../../../src/content/files/file-record.ts';
import { createFileUses } from '../../../../src/content/files/unused-files.ts';
import { preAssignIds } from '../../../../src/content/pre-assigned-ids.ts';
import type { Asset, Catalog, JsonObject } from '../../../../src/model/content-type.ts';
import { type ContentStore, idOfWrite } from '../../../../src/store/port.ts';
import { contentOver, openStoreAt } from '../../../support/content.ts';
import { describeOnEachStore } from '../../../support/stores.ts';
import { catalogOf, systemCatalog } from '../../../support/types.ts';

const catalog = catalogOf(`
  type Page @contentType(class: "lib.Page") {
    slug: String! @indexed(unique: true)
    title: String! @indexed @constraint(maxLength: 20)
    tags: [String!]
    next: Page
    text: String
    note: String
    box: Box
  }
  type Box { inner: String note: String }`);
const everyone = {};
const origins = createRequestOrigins();
const idOf = (n: number) => `0191f3a0-5b7e-7c11-9d2e-${String(n).padStart(12, '0')}`;
const page = (n: number, more: JsonObject = {}): JsonObject => ({
  _id: idOf(n),
  _type: 'lib.Page',
  slug: `page-${n}`,
  title: `Page ${n}`,
  ...more,
});
const without = (names: readonly string[], asset: Asset) =>
  Object.fromEntries(Object.entries(asset).filter(([name]) => !names.includes(name)));
const fieldsOf = (asset: Asset) => without(['cms.content.publishDate', 'cms.content.updateDate'], asset);

describeOnEachStore('a release', (locations) => {
  let store: ContentStore;
  let content: ContentService;
  let drafts: ReleaseContent;

  beforeEach(async () => {
    store = await openStoreAt(locations(), storedCatalog(systemCatalog(), catalog));
    content = serve(catalog);
    drafts = content.inRelease('drafts', everyone);
    await content.create(page(1), everyone);
  });
  afterEach(() => store.close());

  const serve = (types: Catalog) => contentOver(types, store, { origins });
  const draftOf = async (n: number, release = 'drafts') =>
    (await findDrafts(store, release, { assets: [idOf(n)] })).get(idOf(n))?.record;
  const liveOf = async (n: number) => fieldsOf((await content.get(idOf(n), everyone)).asset);
  const draftedOf = async (n: number) => fieldsOf((await drafts.get(idOf(n), everyone)).asset);
  const update = (n: number, body: JsonObject) => drafts.update({ id: idOf(n), body }, everyone);
  const titles = async () => {
    const query = {
      from: 'lib.Page',
      offset: 0,
      limit: 10,
      withCount: true,
      sort: [{ field: 'slug', descending: false }],
    };
    const { items, count } = await drafts.find(query, everyone);
    return { titles: items.map(({ asset }) => asset.title), count };
  };
  const countsOf = async (release = 'drafts') => {
    const stored = await store.get(releaseId(release));
    const { drafts: number, bytes } = stored ? toReleaseRecord(stored.asset) : { drafts: 0, bytes: 0 };
    return { drafts: number, bytes };
  };
  const createRelease = (name: string, counts: JsonObject = {}) =>
    store.insert({
      asset: {
        _id: releaseId(name),
        _type: releaseClass,
        name,
        createdAt: 1,
        drafts: 0,
        bytes: 0,
        ...counts,
      },
      version: randomIds.version(),
    });

  it('drafts changes, creations and deletions, which leave the live content as it is', async () => {
    const live = await liveOf(1);
    await content.create(page(2), everyone);
    const changed = await update(1, { title: 'Drafted', tags: ['a'] });
    await drafts.create(page(3), everyone);
    await drafts.delete({ id: idOf(2) }, everyone);
    expect(await titles()).toEqual({ titles: ['Drafted', 'Page 3'], count: 2 });
    expect(await liveOf(1)).toEqual(live);
    expect(await liveOf(2)).toMatchObject({ title: 'Page 2' });
    await expect(content.get(idOf(3), everyone)).rejects.toMatchObject({ code: 'not_found' });
    await expect(drafts.get(idOf(2), everyone)).rejects.toMatchObject({ code: 'not_found' });
    expect((await drafts.get(idOf(1), everyone)).version).toBe(changed.version);
    expect(await draftOf(1)).toMatchObject({ action: 'change', unset: [], before: { title: 'Page 1' } });
    expect(await draftOf(2)).toMatchObject({ action: 'delete', set: {} });
    expect(await draftOf(3)).toMatchObject({ action: 'create', defaulted: ['cms.content.publishDate'] });
    expect(await draftOf(3)).not.toHaveProperty('base');
    expect(await countsOf()).toMatchObject({ drafts: 3 });
  });

  it('takes fields with their live values out of a draft, and then drops it', async () => {
    await update(1, { title: 'Drafted', text: 'More' });
    await update(1, { title: 'Page 1' });
    const { set, before } = (await draftOf(1)) as DraftRecord;
    expect(Object.keys(set).toSorted()).toEqual(['cms.content.updateDate', 'text']);
    expect(before).not.toHaveProperty('title');
    const { version, asset } = await update(1, { text: null });
    expect(await draftOf(1)).toBeUndefined();
    expect(await content.get(idOf(1), everyone)).toEqual({ asset, version });
    expect(await countsOf()).toEqual({ drafts: 0, bytes: 0 });
    await update(1, { title: 'Page 1' });
    expect(await draftOf(1)).toBeUndefined();
  });

  it('keeps the live values of the moment when the draft first changed a field', async () => {
    await update(1, { title: 'Drafted' });
    await content.update({ id: idOf(1), body: { title: 'Live', text: 'Live' } }, everyone);
    await update(1, { title: 'Drafted again', text: 'Drafted' });
    expect(await draftOf(1)).toMatchObject({ before: { title: 'Page 1', text: 'Live' } });
  });

  it('ends the draft of a creation that is deleted, and of an asset that is discarded', async () => {
    await drafts.create(page(3), everyone);
    await drafts.delete({ id: idOf(3) }, everyone);
    expect(await draftOf(3)).toBeUndefined();
    const { version } = await update(1, { title: 'Drafted' });
    const outdated = drafts.discard({ id: idOf(1), ifVersions: ['other'] }, everyone);
    await expect(outdated).rejects.toMatchObject({ code: 'precondition_failed' });
    await drafts.discard({ id: idOf(1), ifVersions: [version] }, everyone);
    expect(await draftedOf(1)).toEqual(await liveOf(1));
    const again = drafts.discard({ id: idOf(1) }, everyone);
    await expect(again).rejects.toMatchObject({ code: 'not_found' });
    expect(await countsOf()).toEqual({ drafts: 0, bytes: 0 });
  });

  it('changes an asset that is created over its drafted deletion', async () => {
    await content.update({ id: idOf(1), body: { text: 'Live' } }, everyone);
    const { version: base } = await content.get(idOf(1), everyone);
    await drafts.delete({ id: idOf(1) }, everyone);
    await drafts.create(page(1, { title: 'New' }), everyone);
    expect(await draftOf(1)).toMatchObject({ action: 'change', unset: ['text'], base });
    expect(await draftedOf(1)).toEqual(page(1, { title: 'New' }));
  });

  it('holds no date of publication that nobody has given for an asset that is live', async () => {
    const { asset } = await content.get(idOf(1), everyone);
    const given = page(1, { 'cms.content.publishDate': 1 });
    for (const [body, after] of [
      [page(1), undefined],
      [page(1, { text: 'More' }), ['text']],
      [given, ['cms.content.publishDate']],
    ] as const) {
      await drafts.delete({ id: idOf(1) }, everyone);
      await drafts.create(body, everyone);
      const record = await draftOf(1);
      expect(record && touchedBy(record)).toEqual(after);
      if (after && body !== given)
        expect((await drafts.get(idOf(1), everyone)).asset).toHaveProperty(
          ['cms.content.publishDate'],
          asset['cms.content.publishDate'],
        );
    }
  });

  it('accepts missing values, references and unique values, and refuses what breaks a constraint', async () => {
    const next = { _ref: idOf(9), _type: 'lib.Page' };
    await drafts.create({ _id: idOf(3), _type: 'lib.Page', slug: 'page-1', next }, everyone);
    await update(1, { title: null });
    expect(drafts.unfit.checkAll([(await drafts.get(idOf(1), everyone)).asset])).toEqual([
      { _id: idOf(1), path: 'title', message: 'is required' },
    ]);
    const tooLong = update(3, { title: 'x'.repeat(21) });
    await expect(tooLong).rejects.toMatchObject({ code: 'invalid_body' });
    await expect(update(3, { tags: 7 })).rejects.toMatchObject({ code: 'invalid_body' });
  });

  it('runs batches, each operation on the effects of those before it', async () => {
    const results = await drafts.batch(
      {
        operations: [
          { action: 'create', asset: page(3) },
          { action: 'update', by: 'slug', asset: { _type: 'lib.Page', slug: 'page-3', title: 'Third' } },
          { action: 'upsert', by: 'slug', asset: page(1, { title: 'First' }) },
          { action: 'update', by: '_id', asset: { _id: idOf(1), title: 'Page 1' } },
          { action: 'delete', id: idOf(7) },
        ],
        atomic: false,
        references: 'checked',
      },
      everyone,
    );
    expect(results.map((result) => (result.kind === 'done' ? result.effect : result.error.code))).toEqual([
      'created',
      'updated',
      'updated',
      'updated',
      'not_found',
    ]);
    expect(await draftOf(1)).toBeUndefined();
    expect(results[3]).toMatchObject({ version: (await content.get(idOf(1), everyone)).version });
    expect(await draftedOf(3)).toMatchObject({ title: 'Third' });
    expect(await countsOf()).toMatchObject({ drafts: 1 });
    const refused = drafts.batch(
      {
        operations: [
          { action: 'create', asset: page(4) },
          { action: 'create', asset: page(3) },
        ],
        atomic: true,
        references: 'checked',
      },
      everyone,
    );
    await expect(refused).rejects.toMatchObject({ code: 'id_in_use' });
    expect(await draftOf(4)).toBeUndefined();
  });

  it('merges with what others drafted, and with what is live where nothing was drafted', async () => {
    const { version: liveVersion } = await content.get(idOf(1), everyone);
    const { version } = await update(1, { title: 'Drafted' });
    await update(1, { text: 'Theirs' });
    const merge = (baseVersion: string, body: JsonObject) =>
      drafts.update({ id: idOf(1), body, baseVersion }, everyone);
    await expect(merge(version, { text: 'Mine' })).rejects.toMatchObject({ code: 'edit_conflict' });
    await expect(merge(liveVersion, { title: 'Mine' })).rejects.toMatchObject({ code: 'edit_conflict' });
    await merge(version, { tags: ['mine'] });
    expect(await draftedOf(1)).toEqual(page(1, { title: 'Drafted', text: 'Theirs', tags: ['mine'] }));
    await expect(merge('unknown', { tags: [] })).rejects.toMatchObject({ code: 'precondition_failed' });
  });

  describe('amid live writes', () => {
    const read = () => drafts.get(idOf(1), everyone);
    const live = (body: JsonObject) => content.update({ id: idOf(1), body }, everyone);
    const batch = (asset: JsonObject, condition: { baseVersion?: string; ifVersions?: string[] }) =>
      drafts.batch(
        {
          operations: [{ action: 'update', by: '_id', asset: { _id: idOf(1), ...asset }, ...condition }],
          atomic: true,
          references: 'checked',
        },
        everyone,
      );
    const conflict = (path: string, theirs: string) => ({
      code: 'edit_conflict',
      details: { conflicts: [expect.objectContaining({ path, theirs })] },
    });
    const refused = { code: 'precondition_failed' };

    it('refuses a field that others have published since it was read', async () => {
      await update(1, { title: 'Drafted' });
      const { version } = await read();
      await live({ text: 'Theirs' });
      expect((await read()).version).not.toBe(version);
      const change = { id: idOf(1), body: { text: 'Mine' } };
      const theirs = conflict('text', 'Theirs');
      await expect(drafts.update({ ...change, baseVersion: version }, everyone)).rejects.toMatchObject(
        theirs,
      );
      await expect(batch(change.body, { baseVersion: version })).rejects.toMatchObject({
        code: 'edit_conflict',
      });
      await expect(drafts.update({ ...change, ifVersions: [version] }, everyone)).rejects.toMatchObject(
        refused,
      );
      await expect(batch(change.body, { ifVersions: [version] })).rejects.toMatchObject(refused);
      const patching = { id: idOf(1), patch: () => change.body, ifVersions: [version] };
      await expect(drafts.patch(patching, everyone)).rejects.toMatchObject(refused);
      for (const remove of [drafts.delete, drafts.discard])
        await expect(remove({ id: idOf(1), ifVersions: [version] }, everyone)).rejects.toMatchObject(refused);
      expect(await draftedOf(1)).toMatchObject({ title: 'Drafted', text: 'Theirs' });
      await drafts.update({ id: idOf(1), body: { tags: ['mine'] }, baseVersion: version }, everyone);
      await drafts.update({ ...change, baseVersion: (await read()).version }, everyone);
      expect(await draftOf(1)).toMatchObject({ before: { title: 'Page 1', text: 'Theirs' } });
    });

    it('has the version of the draft alone where nothing is live, and of the live asset without a draft', async () => {
      expect((await read()).version).toBe((await content.get(idOf(1), everyone)).version);
      const created = await drafts.create(page(3), everyone);
      expect((await drafts.get(idOf(3), everyone)).version).toBe(created.version);
      expect(created.version).toMatch(/^[^~]+$/);
      await drafts.delete({ id: idOf(1) }, everyone);
      const again = await drafts.create(page(1, { title: 'New' }), everyone);
      expect(again.version).toBe((await read()).version);
      expect(again.version).toMatch(`~${(await content.get(idOf(1), everyone)).version}`);
      await drafts.delete({ id: idOf(1) }, everyone);
      const same = await drafts.create((await content.get(idOf(1), everyone)).asset, everyone);
      expect(same).toMatchObject(await content.get(idOf(1), everyone));
    });

    it('judges a version of the draft alone by what was live when it was written', async () => {
      await live({ text: 'First' });
      const { change = '' } = await update(1, { title: 'Drafted' });
      expect(change).toMatch(/^[^~]+$/);
      await live({ text: 'Second' });
      const changed = { id: idOf(1), body: { text: 'Mine' }, baseVersion: change };
      const merged = drafts.update(changed, everyone);
      await expect(merged).rejects.toMatchObject(conflict('text', 'Second'));
      const past = await drafts.history.get({ id: idOf(1), moment: { version: change } }, everyone);
      expect(past.asset).toMatchObject({ title: 'Drafted', text: 'First' });
    });

    it('reads what it had in a version, and knows no other version', async () => {
      await update(1, { title: 'Drafted' });
      const before = await read();
      await live({ text: 'Later' });
      const { entries } = await drafts.history.list({ id: idOf(1), limit: 10 }, everyone);
      expect(entries.map(({ version }) => version)).toEqual([before.version]);
      const stateIn = (version: string) => drafts.history.get({ id: idOf(1), moment: { version } }, everyone);
      expect(await stateIn(before.version)).toEqual(before);
      const [draft = '', live1 = ''] = before.version.split('~');
      for (const version of [`${draft}~unknown`, `unknown~${live1}`, `${before.version}~x`, '~', 'unknown']) {
        await expect(stateIn(version)).rejects.toMatchObject({ code: 'not_found' });
        const based = drafts.update({ id: idOf(1), body: { tags: [] }, baseVersion: version }, everyone);
        await expect(based).rejects.toMatchObject(refused);
      }
    });

    it('bases a drafted deletion on what is live, unless the draft hides that', async () => {
      const findings = async () => (await content.releases.check({ release: 'drafts' })).findings;
      await update(1, { title: 'Drafted' });
      await live({ text: 'Theirs' });
      await drafts.delete({ id: idOf(1) }, everyone);
      expect(await findings()).toEqual([]);
      await drafts.discard({ id: idOf(1) }, everyone);
      await update(1, { title: 'Drafted' });
      await live({ title: 'Theirs' });
      await drafts.delete({ id: idOf(1) }, everyone);
      expect(await findings()).toMatchObject([{ code: 'edit_conflict', action: 'delete' }]);
    });

    it('recognizes what an earlier run of the same request has drafted', async () => {
      const reserve = (run: 'first' | 'repeat', seed: string) =>
        preAssignIds({ seed, reservedAtMs: Date.now(), run }, randomIds);
      const change = { id: idOf(1), body: { title: 'Drafted' } };
      const { version: baseVersion } = await read();
      const first = await drafts.update({ ...change, baseVersion }, everyone, reserve('first', 'one'));
      const operation: BatchOperation = {
        action: 'update',
        by: '_id',
        asset: { _id: idOf(1), tags: ['a'] },
      };
      const batch: BatchRequest = { operations: [operation], atomic: true, references: 'checked' };
      const [written] = await drafts.batch(batch, everyone, reserve('first', 'two'));
      await live({ text: 'Theirs' });
      const { version } = await read();
      const again = await drafts.update({ ...change, baseVersion }, everyone, reserve('repeat', 'one'));
      expect(again).toMatchObject({ change: first.change, version });
      const [repeated] = await drafts.batch(batch, everyone, reserve('repeat', 'two'));
      expect(repeated).toEqual({ ...written, version });
      expect((await read()).version).toBe(version);
    });

    it('keeps what a drafted deletion has not seen in conflict when the asset is created again', async () => {
      await drafts.delete({ id: idOf(1) }, everyone);
      await live({ text: 'Theirs' });
      await drafts.create(page(1, { title: 'New' }), everyone);
      const { findings } = await content.releases.check({ release: 'drafts' });
      expect(findings).toMatchObject([
        { code: 'edit_conflict', conflicts: [{ path: 'text', theirs: 'Theirs' }] },
      ]);
    });
  });

  describe('with several writers', () => {
    const as = <Result>(id: string, work: () => Promise<Result>) =>
      origins.runAs({ by: { kind: 'user', id, name: 'The same name' } }, work);
    const own = () => content.inRelease('drafts', { ownDraftsOnly: true });
    const put = (id: string, body: JsonObject, n = 1) =>
      as(id, () => own().update({ id: idOf(n), body }, everyone));
    const refused = { code: 'forbidden' };

    it('lets an author discard what nobody else has drafted, in any way', async () => {
      for (const discard of [
        () => own().discard({ id: idOf(1) }, everyone),
        () => own().update({ id: idOf(1), body: { title: 'Page 1', text: null } }, everyone),
      ]) {
        await put('a', { title: 'Mine', text: 'Mine' });
        await put('a', { text: 'More' });
        await as('a', discard);
        expect(await draftOf(1)).toBeUndefined();
      }
      await as('a', () => own().create(page(3), everyone));
      await as('a', () => own().delete({ id: idOf(3) }, everyone));
      expect(await draftOf(3)).toBeUndefined();
      await put('a', { title: 'Mine' });
      await as('a', () => own().delete({ id: idOf(1) }, everyone));
      await as('a', () => own().discard({ id: idOf(1) }, everyone));
      expect(await countsOf()).toEqual({ drafts: 0, bytes: 0 });
    });

    it.each(['a', 'b'])('refuses it to the author %s of a part of a draft, and to others', async (author) => {
      await put('a', { title: 'First', text: 'First' });
      await put('b', { tags: ['second'] });
      await as('a', () => own().create(page(3), everyone));
      await put('b', { text: 'Second' }, 3);
      const batch = (operation: BatchOperation) => () =>
        own().batch({ operations: [operation], atomic: true, references: 'checked' }, everyone);
      const before = [await draftOf(1), await draftOf(3)];
      const release = 'drafts';
      const discardings: (() => Promise<unknown>)[] = [
        () => own().discard({ id: idOf(1) }, everyone),
        () => own().discard({ id: idOf(3) }, everyone),
        () => own().delete({ id: idOf(1) }, everyone),
        () => own().delete({ id: idOf(3) }, everyone),
        () => own().update({ id: idOf(1), body: { title: 'Page 1' } }, everyone),
        () => own().patch({ id: idOf(1), patch: () => ({ tags: null }) }, everyone),
        () =>
          own()
            .trial(everyone)
            .update({ id: idOf(1), body: { text: null } }, everyone),
        batch({ action: 'update', by: '_id', asset: { _id: idOf(1), text: null } }),
        batch({ action: 'delete', id: idOf(3) }),
        () => content.releases.rebase({ release, asset: idOf(1), theirs: ['tags'], ownOnly: true }),
      ];
      for (const discard of discardings) await expect(as(author, discard)).rejects.toMatchObject(refused);
      expect([await draftOf(1), await draftOf(3)]).toEqual(before);
      await put(author, { title: 'Changed', tags: [] });
      await put(author, { text: null }, 3);
      await as('editor', () => drafts.update({ id: idOf(1), body: { title: 'Page 1' } }, everyone));
      await as('editor', () => drafts.delete({ id: idOf(3) }, everyone));
      await as('editor', () => drafts.discard({ id: idOf(1) }, everyone));
      expect(await countsOf()).toEqual({ drafts: 0, bytes: 0 });
    });

    it('lets only its author create an asset again whose deletion was drafted', async () => {
      await as('a', () => own().delete({ id: idOf(1) }, everyone));
      const create = () => own().create(page(1, { title: 'New' }), everyone);
      await expect(as('b', create)).rejects.toMatchObject(refused);
      await as('a', create);
      expect(await draftedOf(1)).toMatchObject({ title: 'New' });
    });
  });

  it('has a history of the draft alone', async () => {
    await update(1, { title: 'Drafted' });
    await update(1, { text: 'More' });
    await drafts.delete({ id: idOf(1) }, everyone);
    await drafts.discard({ id: idOf(1) }, everyone);
    const { entries } = await drafts.history.list({ id: idOf(1), limit: 10 }, everyone);
    const shown = entries.map(({ action, changed, before }) => [
      action,
      changed.toSorted().at(-1),
      before?.title,
    ]);
    expect(shown).toEqual([
      ['create', undefined, undefined],
      ['delete', undefined, undefined],
      ['update', 'text', undefined],
      ['update', 'title', 'Page 1'],
    ]);
    const live = await content.history.list({ id: idOf(1), limit: 10 }, everyone);
    expect(live.entries.map(({ action }) => action)).toEqual(['create']);
    const version = entries[2]?.version ?? '';
    const past = await drafts.history.get({ id: idOf(1), moment: { version } }, everyone);
    expect(past.asset).toMatchObject({ title: 'Drafted', text: 'More' });
  });

  it('counts the drafts of writers at the same time', async () => {
    const other = serve(catalog).inRelease('drafts', everyone);
    const written = Array.from({ length: 8 }, (_, n) =>
      (n % 2 === 0 ? drafts : other).create(page(n + 10), everyone),
    );
    await Promise.all(written);
    expect(await countsOf()).toMatchObject({ drafts: 8 });
    expect(await readDrafts(store, 'drafts')).toHaveLength(8);
  });

  it('refuses drafts beyond the limits of a release', async () => {
    const { drafts: most, bytes } = publicationLimits;
    await createRelease('full', { drafts: most - 1, bytes: 1000 });
    const full = content.inRelease('full', everyone);
    await full.create(page(3), everyone);
    const outcomes = await full.batch(
      {
        operations: [
          { action: 'create', asset: page(4) },
          { action: 'update', by: '_id', asset: { _id: idOf(3), title: 'Third' } },
        ],
        atomic: false,
        references: 'checked',
      },
      everyone,
    );
    expect(outcomes.map((one) => (one.kind === 'done' ? 'done' : one.error.code))).toEqual([
      'release_full',
      'done',
    ]);
    await createRelease('large', { drafts: 1, bytes: bytes - 200 });
    const large = content.inRelease('large', everyone).create(page(4, { text: 'x'.repeat(300) }), everyone);
    await expect(large).rejects.toMatchObject({ code: 'release_full' });
  });

  it('knows no release that was not created, except "drafts"', async () => {
    const unknown = content.inRelease('spring', everyone);
    for (const call of [
      () => unknown.get(idOf(1), everyone),
      () => unknown.create(page(3), everyone),
      () => unknown.discard({ id: idOf(1) }, everyone),
      () => unknown.history.list({ id: idOf(1), limit: 1 }, everyone),
      () => unknown.trial(everyone).create(page(3), everyone),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'not_found', details: { id: 'spring' } });
    await createRelease('spring');
    expect((await unknown.get(idOf(1), everyone)).asset).toMatchObject({ title: 'Page 1' });
  });

  it('checks writes without carrying them out', async () => {
    const checked = await drafts.trial(everyone).create(page(3), everyone);
    expect(checked.asset).toMatchObject({ title: 'Page 3' });
    await drafts.trial(everyone).update({ id: idOf(1), body: { title: 'Checked' } }, everyone);
    await expect(drafts.trial(everyone).create(page(1), everyone)).rejects.toMatchObject({
      code: 'id_in_use',
    });
    expect(await countsOf()).toEqual({ drafts: 0, bytes: 0 });
  });

  it('refuses the lookups alone that are by a unique value of two assets', async () => {
    await content.create(page(2), everyone);
    await drafts.create(page(3, { slug: 'page-1' }), everyone);
    const upsert = (slug: string, more: JsonObject = {}) =>
      ({ action: 'upsert', by: 'slug', asset: { _type: 'lib.Page', slug, title: slug, ...more } }) as const;
    const next = { next: { _type: 'lib.Page', _by: { slug: 'page-1' } } };
    const free: BatchOperation = { action: 'update', by: '_id', asset: { _id: idOf(3), slug: 'page-3' } };
    const run = async (operations: BatchOperation[], atomic = false) => {
      const outcomes = await drafts.batch({ operations, atomic, references: 'checked' }, everyone);
      return outcomes.map((one) =>
        one.kind === 'refused' ? [one.error.code, locateError(one.error).path] : one.id,
      );
    };
    const refused = [
      ['value_in_use', 'slug'],
      ['value_in_use', 'next._by'],
    ];
    expect(await run([upsert('page-2'), upsert('page-1'), upsert('page-2', next)])).toEqual([
      idOf(2),
      ...refused,
    ]);
    await expect(update(3, next)).rejects.toMatchObject({
      code: 'value_in_use',
      message: '"page-1" is the "slug" of several assets of the release, so it names none of them',
      details: { field: 'next._by' },
    });
    await expect(
      run([upsert('page-2'), upsert('page-2', next), upsert('page-1')], true),
    ).rejects.toMatchObject({
      code: 'value_in_use',
      problems: [{ path: 'operations[1].asset.next._by' }, { path: 'operations[2].asset.slug' }],
    });
    const touch: BatchOperation = { action: 'update', by: '_id', asset: { _id: idOf(3), title: 'Third' } };
    expect(await run([touch, upsert('page-1'), upsert('page-2', next)])).toEqual([idOf(3), ...refused]);
    await expect(run([touch, upsert('page-1')], true)).rejects.toMatchObject({ code: 'value_in_use' });
    expect(await run([free, upsert('page-1'), upsert('page-2', next)])).toEqual([idOf(3), idOf(1), idOf(2)]);
    expect((await drafts.get(idOf(2), everyone)).asset.next).toMatchObject({ _ref: idOf(1) });
    await update(3, { slug: 'page-1' });
    expect(await run([free, upsert('page-1')], true)).toEqual([idOf(3), idOf(1)]);
  });

  it('reads drafts of former types: with present names, and what does not fit as unfit', async () => {
    await update(1, { title: 'A long title', text: 'Text' });
    await drafts.create(page(3), everyone);
    const newer = catalogOf(`
      type Article @contentType(class: "lib.Article") @was(class: "lib.Page") {
        slug: String! @indexed(unique: true)
        title: String! @indexed @constraint(maxLength: 6)
        body: String @was(name: "text")
      }`);
    const source = createDraftSource(store, 'drafts', newer);
    const found = await source.ofTypes(['lib.Article']);
    const byId = new Map(found.map((draft) => [idOfWrite(draft), draft]));
    expect(byId.get(idOf(1))).toMatchObject({ kind: 'patch', type: 'lib.Article', set: { body: 'Text' } });
    expect(byId.get(idOf(3))).toMatchObject({ kind: 'insert', asset: { _type: 'lib.Article' } });
    const drafted = await findDrafts(store, 'drafts', { assets: [idOf(1)], catalog: newer });
    expect(drafted.get(idOf(1))?.record).toMatchObject({ type: 'lib.Article', set: { body: 'Text' } });
    const stricter = catalogOf(`
      type Page @contentType(class: "lib.Page") {
        slug: String! @indexed(unique: true)
        title: String! @indexed @constraint(maxLength: 6)
      }`);
    const today = serve(stricter).inRelease('drafts', everyone);
    const query = { from: 'lib.Page', offset: 0, limit: 10, withCount: true };
    const { items } = await today.find(query, everyone);
    expect(today.unfit.checkAll(items.map(({ asset }) => asset)).map(({ _id, path }) => [_id, path])).toEqual(
      [
        [idOf(1), 'title'],
        [idOf(1), 'text'],
      ],
    );
  });

  it('neither shows nor publishes what a type drops, and keeps it for a return to former types', async () => {
    const typesWith = (page: string, box: string) =>
      catalogOf(`
        type Box ${box}
        type Page @contentType(class: "lib.Page") ${page}`);
    const fields = 'slug: String! @indexed(unique: true) title: String! text: String box: Box';
    const before = serve(typesWith(`{ ${fields} note: String }`, '{ inner: String note: String }'));
    const drop = '@drops(fields: ["note"])';
    const today = serve(typesWith(`${drop} { ${fields} }`, `${drop} { inner: String }`));
    const [formerly, present] = [before, today].map((one) => one.inRelease('drafts', everyone));
    const body = { text: 'a', note: 'n', box: { inner: 'i', note: 'n' } };
    await formerly?.update({ id: idOf(1), body }, everyone);
    await content.create(page(2), everyone);
    await formerly?.update({ id: idOf(2), body: { note: 'n' } }, everyone);
    const shown = await present?.get(idOf(1), everyone);
    expect(shown?.asset).toMatchObject({ text: 'a', box: { inner: 'i' } });
    expect(shown?.asset).not.toHaveProperty('note');
    const { asset } = shown ?? {};
    expect(asset && today.unfit.check(asset)).toEqual([]);
    await present?.update({ id: idOf(1), body: { text: 'b' } }, everyone);
    const { items } = await today.releases.listDrafts({ release: 'drafts', limit: 9 });
    expect(items.map(({ changed, findings }) => [changed.toSorted(), findings])).toEqual(
      expect.arrayContaining([
        [['box', 'text'], []],
        [[], []],
      ]),
    );
    expect((await formerly?.get(idOf(1), everyone))?.asset).toMatchObject({ ...body, text: 'b' });
    const { version } = await content.get(idOf(2), everyone);
    await today.releases.publish({ release: 'drafts' });
    expect(await content.get(idOf(2), everyone)).toMatchObject({ version });
    const published = await before.get(idOf(1), everyone);
    expect(fieldsOf(published.asset)).toEqual({ ...page(1), text: 'b', box: { inner: 'i' } });
    expect(await countsOf()).toEqual({ drafts: 0, bytes: 0 });
  });

  it('erases an asset that was never live, also when its draft is gone', async () => {
    const erase = (n: number, caller: object = everyone) =>
      content.history.erase({ id: idOf(n), eraseCopies: async () => {} }, caller);
    await drafts.create(page(3), everyone);
    await drafts.create(page(4), everyone);
    await drafts.discard({ id: idOf(4) }, everyone);
    await expect(erase(3, { sites: [idOf(9)] })).rejects.toMatchObject({ code: 'not_found' });
    expect(await erase(3)).toEqual({});
    expect((await countsOf()).drafts).toBe(0);
    await store.changes.waitUntilNumbered();
    expect(await erase(4)).toEqual({});
    for (const n of [3, 4]) await expect(erase(n)).rejects.toMatchObject({ code: 'not_found' });
    await store.changes.waitUntilNumbered();
    const { entries } = await store.changes.read({
      order: 'oldest first',
      limit: 99,
      filter: { types: [draftClass] },
    });
    expect(entries.map(({ action }) => action)).toEqual(['erase', 'erase']);
  });

  it('uses the files that drafts name, and erases the drafts of an asset with it', async () => {
    const system = serve(systemCatalog());
    const uses = createFileUses({ system, store });
    const hash = 'a'.repeat(64);
    const file = { hash, key: 'key', name: 'a.txt', mediaType: 'text/plain', bytes: 1, uploadedAt: 1 };
    await system.create({ _id: fileRecordId(hash), _type: fileClass, ...file }, everyone);
    await update(1, { text: `/files/${hash}/a.txt` });
    expect(await uses.findUser(hash)).toBe(idOf(1));
    await createRelease('spring');
    await content.inRelease('spring', everyone).update({ id: idOf(1), body: { title: 'Spring' } }, everyone);
    await drafts.discard({ id: idOf(1) }, everyone);
    await update(1, { title: 'Drafted' });
    await content.history.erase({ id: idOf(1), eraseCopies: async () => {} }, everyone);
    expect([await countsOf(), await countsOf('spring')]).toEqual([
      { drafts: 0, bytes: 0 },
      { drafts: 0, bytes: 0 },
    ]);
    await store.changes.waitUntilNumbered();
    const { entries } = await store.changes.read({ order: 'oldest first', limit: 100 });
    expect(entries.filter(({ action }) => action !== 'erase')).toEqual([]);
  });

  it('leaves the revision of the content and the log of its types as they are', async () => {
    const before = [await content.revision('lib.Page'), await drafts.revision('lib.Page')];
    await update(1, { title: 'Drafted' });
    expect(await content.revision('lib.Page')).toBe(before[0]);
    expect(await drafts.revision('lib.Page')).not.toBe(before[1]);
    await store.changes.waitUntilNumbered();
    const { entries } = await store.changes.read({ order: 'newest first', limit: 10 });
    expect(entries.map(({ type, asset }) => [type, asset])).toEqual([
      [draftClass, draftId('drafts', idOf(1))],
      ['lib.Page', idOf(1)],
    ]);
  });
});
