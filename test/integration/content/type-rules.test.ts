/** Rules of `@check` and defaults that depend on who creates, in every way of writing on each store. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { storedCatalog } from '../../../src/access/system-types.ts';
import { isDomainError } from '../../../src/base/errors.ts';
import { createRequestOrigins } from '../../../src/base/request-origin.ts';
import type { ContentService } from '../../../src/content/content-service.ts';
import type { ReleaseContent } from '../../../src/content/drafts/releases.ts';
import type { JsonObject } from '../../../src/model/content-type.ts';
import type { ContentStore } from '../../../src/store/port.ts';
import { contentOver, openStoreAt } from '../../support/content.ts';
import { describeOnEachStore } from '../../support/stores.ts';
import { catalogOf, systemCatalog } from '../../support/types.ts';

const catalog = catalogOf(`
  type Event @contentType(class: "lib.Event")
    @check(where: "ends >= field(starts)", message: "An event ends after it begins.", path: "ends")
    @check(where: "seats > 0 or room = null", message: "A room has seats.") {
    title: String!
    starts: Int
    ends: Int
    room: String
    seats: Int
    kind: String @default(value: "talk")
    author: ID @default(value: "$user.id")
    email: String @default(value: "$user.email")
    client: String @default(value: "$client.id")
    made: EpochMillis! @default(value: "$now")
    madeAt: DateTime @default(value: "$now")
  }
  type Offer @contentType(class: "lib.Offer")
    @check(where: "ends = null or ends > field(cms.content.updateDate)", message: "An open offer ends later.") {
    title: String
    ends: EpochMillis
  }`);
const everyone = {};
const tooEarlyMs = 2;
const release = 'spring';
const ana = { by: { kind: 'user', id: 'u1', name: 'ana@example.com' } } as const;
const importer = { by: { kind: 'client', id: 'c1', name: 'Importer' } } as const;
const tooEarly = [{ path: 'ends', message: 'An event ends after it begins.' }];
const runs = { assertMayWrite: async () => {}, assertCouldWrite: async () => {} };

describeOnEachStore('rules of types', (locations) => {
  const origins = createRequestOrigins();
  let store: ContentStore;
  let content: ContentService;
  let drafts: ReleaseContent;

  beforeEach(async () => {
    store = await openStoreAt(locations(), storedCatalog(systemCatalog(), catalog));
    content = contentOver(catalog, store, { runs, origins });
    await content.releases.create({ name: release });
    drafts = content.inRelease(release, everyone);
  });
  afterEach(() => store.close());

  const create = async (fields: JsonObject = {}, to: Pick<ContentService, 'create'> = content) =>
    (await to.create({ _type: 'lib.Event', title: 'Talk', ...fields }, everyone)).asset;
  const get = async (id: string) => (await content.get(id, everyone)).asset;
  const problemsOf = async (write: Promise<unknown>) => {
    const error = await write.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error === undefined) return [];
    if (!isDomainError(error, 'invalid_body')) throw error;
    return error.details.problems;
  };

  describe('of @check', () => {
    it('refuse what breaks them, with message and path, in every way of writing', async () => {
      const { _id: id } = await create({ starts: 5, ends: 7 });
      expect(await problemsOf(create({ starts: 5, ends: 4 }))).toEqual(tooEarly);
      expect(await problemsOf(create({ room: 'A', seats: 0, starts: 2, ends: 1 }))).toEqual([
        ...tooEarly,
        { path: 'seats', message: 'A room has seats.' },
      ]);
      expect(await problemsOf(content.update({ id, body: { ends: 4 } }, everyone))).toEqual(tooEarly);
      expect(await problemsOf(content.update({ id, body: { starts: 8 } }, everyone))).toEqual(tooEarly);
      expect(
        await problemsOf(content.update({ id, body: { _type: 'lib.Event', starts: 8 } }, everyone)),
      ).toEqual(tooEarly);
      expect(await problemsOf(content.patch({ id, patch: () => ({ starts: 8 }) }, everyone))).toEqual(
        tooEarly,
      );
      expect(await problemsOf(content.trial(everyone).update({ id, body: { starts: 8 } }, everyone))).toEqual(
        tooEarly,
      );
      const operations = [
        { action: 'update', by: '_id', asset: { _id: id, starts: 8 } },
        {
          action: 'replace',
          by: '_id',
          asset: { _id: id, _type: 'lib.Event', title: 'Talk', starts: 8, ends: 7 },
        },
        { action: 'update', by: '_id', asset: { _id: id, starts: 6 } },
        { action: 'create', by: '_id', asset: { _type: 'lib.Event', title: 'Talk', starts: 8, ends: 7 } },
      ] as const;
      const outcomes = await content.batch({ operations, atomic: false, references: 'checked' }, everyone);
      expect(
        outcomes.map((one) =>
          one.kind === 'refused' && isDomainError(one.error, 'invalid_body')
            ? one.error.details.problems
            : one.kind,
        ),
      ).toEqual([tooEarly, tooEarly, 'done', tooEarly]);
      expect(await get(id)).toMatchObject({ starts: 6, ends: 7 });
    });

    it('stay open where a field is absent, and let other fields change', async () => {
      const { _id: id } = await create({ starts: 5 });
      await content.update({ id, body: { title: 'Later' } }, everyone);
      await content.update({ id, body: { starts: 9, ends: 10 } }, everyone);
      await content.update({ id, body: { ends: null } }, everyone);
      await content.update({ id, body: { starts: 20 } }, everyone);
      expect(await get(id)).toMatchObject({ starts: 20, title: 'Later' });
    });

    it('hold when two change one field each at the same time', async () => {
      for (let round = 0; round < 20; round++) {
        const { _id: id } = await create({ starts: 5, ends: 7 });
        const writes = await Promise.all([
          problemsOf(content.update({ id, body: { starts: 7 } }, everyone)),
          problemsOf(content.update({ id, body: { ends: 6 } }, everyone)),
          content.batch(
            {
              operations: [{ action: 'update', by: '_id', asset: { _id: id, ends: 5 } }],
              atomic: false,
              references: 'checked',
            },
            everyone,
          ),
        ]);
        const { starts, ends } = await get(id);
        expect(Number(ends), JSON.stringify([writes, starts, ends])).toBeGreaterThanOrEqual(Number(starts));
      }
    });

    it('read the time of each change', async () => {
      const [ends, past] = [9_000_000_000_000, tooEarlyMs];
      const { _id: id } = await create({ _type: 'lib.Offer', ends });
      expect(await problemsOf(content.update({ id, body: { title: 'New' } }, everyone))).toEqual([]);
      expect(await problemsOf(content.update({ id, body: { ends: past } }, everyone))).toHaveLength(1);
      const date = { 'cms.content.updateDate': 1 };
      expect(await problemsOf(content.update({ id, body: { ends: past, ...date } }, everyone))).toEqual([]);
      expect(await problemsOf(content.update({ id, body: { title: 'Late' } }, everyone))).toHaveLength(1);
    });

    it('are judged of drafts when they go live', async () => {
      const { _id: id } = await create({ starts: 5, ends: 7 });
      await drafts.update({ id, body: { ends: 4 } }, everyone);
      const { findings } = await content.releases.check({ release });
      expect(findings).toEqual([expect.objectContaining({ asset: id, code: 'invalid_body' })]);
      const refused = await content.releases.publish({ release }).catch((error: unknown) => error);
      expect(isDomainError(refused, 'publication_refused')).toBe(true);
      await drafts.update({ id, body: { starts: 3 } }, everyone);
      await content.releases.publish({ release });
      expect(await get(id)).toMatchObject({ starts: 3, ends: 4 });
    });

    it('make stored assets unfit that break them, and let these be mended', async () => {
      const loose = contentOver(
        catalogOf(
          `type Event @contentType(class: "lib.Event") { title: String! starts: Int ends: Int made: EpochMillis! }`,
        ),
        store,
        { runs },
      );
      const made = await loose.create(
        { _type: 'lib.Event', title: 'Old', starts: 5, ends: 4, made: 1 },
        everyone,
      );
      const { _id: id } = made.asset;
      expect(content.unfit.check(await get(id))).toEqual(tooEarly);
      await content.update({ id, body: { title: 'Still old' } }, everyone);
      expect(await problemsOf(content.update({ id, body: { starts: 6 } }, everyone))).toEqual(tooEarly);
      await content.update({ id, body: { starts: 4 } }, everyone);
      expect(content.unfit.check(await get(id))).toEqual([]);
    });
  });

  describe('of @default', () => {
    it('name who creates an asset, and when', async () => {
      const by = await origins.runAs(ana, () => create());
      expect(by).toMatchObject({
        author: 'u1',
        email: 'ana@example.com',
        made: by['cms.content.updateDate'],
      });
      expect(by.madeAt).toBe(new Date(Number(by.made)).toISOString());
      expect(by).not.toHaveProperty('client');
      const imported = await origins.runAs(importer, () => create({ made: 7 }));
      expect(imported).toMatchObject({ client: 'c1', made: 7 });
      expect(imported).not.toHaveProperty('author');
      const chosen = await origins.runAs(ana, () => create({ author: 'someone', email: null }));
      expect(chosen.author).toBe('someone');
      expect(chosen).not.toHaveProperty('email');
    });

    it('keep their value when an asset is replaced, and when others change it', async () => {
      const { _id: id } = await origins.runAs(ana, () => create({ made: 7 }));
      const operations = [
        { action: 'replace', by: '_id', asset: { _id: id, _type: 'lib.Event', title: 'New' } },
        { action: 'create', by: '_id', asset: { _type: 'lib.Event', title: 'Batch' } },
      ] as const;
      const outcomes = await origins.runAs(importer, () =>
        content.batch({ operations, atomic: false, references: 'checked' }, everyone),
      );
      expect(await get(id)).toMatchObject({ title: 'New', author: 'u1', made: 7 });
      expect(await get(id)).not.toHaveProperty('client');
      const [, created] = outcomes;
      expect(await get(created?.kind === 'done' ? created.id : '')).toMatchObject({ client: 'c1' });
    });

    it('are set when a draft is made, and kept when somebody else publishes it', async () => {
      const { _id: id } = await origins.runAs(ana, () => create({ made: 7 }, drafts));
      await origins.runAs(importer, () => content.releases.publish({ release }));
      expect(await get(id)).toMatchObject({ author: 'u1', email: 'ana@example.com', made: 7, kind: 'talk' });
      expect(await get(id)).not.toHaveProperty('client');
    });
  });
});
