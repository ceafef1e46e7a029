/** Concurrent upserts of one new asset: all succeed, as if they had run one after the other. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BatchOperation, OperationOutcome } from '../../../../src/content/batch/batch.ts';
import type { ContentService } from '../../../../src/content/content-service.ts';
import type { Caller } from '../../../../src/content/reading/find-assets.ts';
import type { Json } from '../../../../src/model/content-type.ts';
import type { ContentStore } from '../../../../src/store/port.ts';
import { contentOver, openStoreAt } from '../../../support/content.ts';
import { describeOnEachStore, type StoreLocation } from '../../../support/stores.ts';
import { catalogOf } from '../../../support/types.ts';

const noteType = 'x.Note';
const catalog = catalogOf(`type Note @contentType(class: "${noteType}") {
  slug: String @indexed(unique: true)
  code: Int @indexed(unique: true)
  text: String
}`);
const idOf = (n: number) => `0190a0c0-0000-7000-8000-${String(n).padStart(12, '0')}`;
const siteId = idOf(1000);
const site = { 'cms.site.owner': { _ref: siteId, _type: 'com.colophon.cms.db.Site' } };
const upsert = (by: string, fields: Record<string, Json>): BatchOperation => ({
  action: 'upsert',
  by,
  asset: { _type: noteType, ...fields },
});
const tell = (outcomes: readonly OperationOutcome[]) =>
  outcomes.map((outcome) => (outcome.kind === 'done' ? outcome.effect : outcome.error.code));

describeOnEachStore('concurrent upserts', (locations, { isWhole }) => {
  // MongoDB's test server takes seconds for what six transactions on one document wait and repeat.
  const writers = Array.from({ length: isWhole ? 6 : 3 }, (_, n) => n);

  let location: StoreLocation;
  let stores: ContentStore[];
  let processes: ContentService[];

  beforeEach(async () => {
    location = locations();
    stores = [await openStoreAt(location, catalog), await openStoreAt(location, catalog)];
    processes = stores.map((store) => contentOver(catalog, store, { referencesChecked: false }));
  });
  afterEach(() => Promise.all(stores.map((store) => store.close())));

  const run = (
    content: ContentService | undefined,
    operations: readonly BatchOperation[],
    { atomic = false, caller = {} }: { atomic?: boolean; caller?: Caller } = {},
  ) => {
    if (!content) throw new Error('There are two processes');
    return content.batch({ operations, atomic, references: 'checked' }, caller);
  };
  const notes = async () => {
    const page = { from: noteType, offset: 0, limit: 1000, withCount: false };
    return (await processes[0]?.find(page, {}))?.items.map(({ asset }) => asset) ?? [];
  };

  describe.each([
    ['unordered', false],
    ['atomic', true],
  ])('%s', (_name, atomic) => {
    it.each([
      ['a unique field', 'slug', (n: number) => ({ slug: `s${n}` })],
      ['_id', '_id', (n: number) => ({ _id: idOf(n), slug: `s${n}` })],
      ['a unique field, with an _id', 'slug', (n: number) => ({ _id: idOf(n), slug: `s${n}` })],
    ])('create each asset once and update it otherwise: by %s', async (_by, by, keyOf) => {
      const operations = (writer: number) =>
        Array.from({ length: 20 }, (_, n) => upsert(by, { ...keyOf(n), text: `by ${writer}` }));
      const outcomes = await Promise.all(
        writers.map((writer) => run(processes[writer % 2], operations(writer), { atomic })),
      );
      const made = outcomes.flatMap(tell);
      expect(made.filter((one) => one === 'created')).toHaveLength(20);
      expect(made.filter((one) => one === 'updated')).toHaveLength(20 * (writers.length - 1));
      expect(new Set((await notes()).map(({ slug }) => slug)).size).toBe(20);
      expect(await notes()).toHaveLength(20);
    });

    it('recreate assets that others delete meanwhile', async () => {
      const rounds = Array.from({ length: isWhole ? 15 : 6 }, (_, n) => n);
      const deleting = rounds.map(() => ({ action: 'delete' as const, id: idOf(1) }));
      const [, ...made] = await Promise.all([
        deleting.reduce(
          (before, one) => before.then(() => run(processes[0], [one])),
          Promise.resolve<unknown>(0),
        ),
        ...rounds.map(() => run(processes[1], [upsert('_id', { _id: idOf(1) })], { atomic }).then(tell)),
      ]);
      expect(made.flat().filter((one) => one !== 'created' && one !== 'updated')).toEqual([]);
    });

    it('still conflict when another unique value is in use', async () => {
      await run(processes[0], [upsert('slug', { slug: 'first', code: 1 })]);
      const conflicting = run(processes[1], [upsert('slug', { slug: 'second', code: 1 })], { atomic });
      const told = await conflicting.then(tell, (error) => [error.code]);
      expect(told).toEqual(['value_in_use']);
      expect(await notes()).toHaveLength(1);
    });

    it('still conflict with an asset that the caller may not read', async () => {
      await run(processes[0], [upsert('slug', { slug: 'of the global site', _id: idOf(1) })]);
      for (const operation of [
        upsert('slug', { slug: 'of the global site', ...site }),
        upsert('_id', { _id: idOf(1), ...site }),
      ]) {
        const refused = run(processes[1], [operation], { atomic, caller: { sites: [siteId] } });
        const [code] = await refused.then(tell, (error) => [error.code]);
        expect(code).toMatch(/^(value|id)_in_use$/);
      }
    });
  });
});
