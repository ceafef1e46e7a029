/** Generated batches: a check and a dry run give the outcomes that the writes have then, whatever earlier operations have changed. */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { randomIds, systemClock } from '../../src/base/runtime.ts';
import type { BatchOperation, BatchRequest, OperationOutcome } from '../../src/content/batch/batch.ts';
import type { ContentService } from '../../src/content/content-service.ts';
import { createDryRun } from '../../src/content/overlay/trial-writer.ts';
import type { JsonObject } from '../../src/model/content-type.ts';
import type { ContentStore } from '../../src/store/port.ts';
import { createPlannedContent } from '../../src/transfer/target/planned-content.ts';
import { contentOver, openStoreAt } from '../support/content.ts';
import { roundsOf } from '../support/rounds.ts';
import { sqliteLocation } from '../support/stores.ts';
import { catalogOf } from '../support/types.ts';

const catalog = catalogOf(`
  type Place { code: String @indexed(unique: true) }
  type Note @contentType(class: "x.Note") @unique(fields: ["lang", "rank"]) {
    lang: String, rank: Int, slug: String @indexed(unique: true), number: Int @indexed(unique: true), place: Place, next: Note, other: Other }
  type Other @contentType(class: "x.Other") { slug: String! @indexed(unique: true) }`);
const types = ['x.Note', 'x.Other'];
const id = fc.nat(3).map((n) => `0190a0c0-0000-7000-8000-00000000000${n}`);
const type = fc.constantFrom(...types);
const text = fc.constantFrom('a', 'b', 'c');
const reference = (_type: string) =>
  fc.oneof(
    fc.record({ _type: fc.constant(_type), _ref: id }),
    fc.record({ _type: fc.constant(_type), _by: fc.record({ slug: text }) }),
    fc.record({ _type: fc.constant(_type), _by: fc.record({ rank: fc.nat(1), lang: text }) }),
  );
const fields = fc.record(
  {
    _id: id,
    _type: type,
    slug: fc.oneof(text, fc.constant(null)),
    number: fc.nat(2),
    lang: fc.oneof(text, fc.constant(null)),
    rank: fc.nat(1),
    place: fc.record({ code: text }),
    next: reference('x.Note'),
    other: reference('x.Other'),
  },
  { requiredKeys: ['_type'] },
);
/** Gives an asset of the other type the only field that it has. */
const asset = fields.map(({ _id, _type, slug, ...more }): JsonObject => {
  const own = { ...(_id !== undefined && { _id }), _type, ...(slug !== undefined && { slug }) };
  return _type === 'x.Note' ? { ...own, ...more } : own;
});
const operation: fc.Arbitrary<BatchOperation> = fc.oneof(
  fc.record({ action: fc.constant('create' as const), asset }),
  fc.record({
    action: fc.constantFrom('update' as const, 'upsert' as const, 'replace' as const),
    by: fc.constantFrom('_id', 'slug', 'lang,rank'),
    asset,
  }),
  fc.record({ action: fc.constant('delete' as const), id }),
);
/** Refused twice: the first refusal of the two is the one to report. */
const refusedTwice: BatchOperation[] = [
  { action: 'create', asset: { _id: '0190a0c0-0000-7000-8000-000000000000', _type: 'x.Other', slug: 'b' } },
  { action: 'create', asset: { _type: 'x.Other', slug: 'b' } },
  { action: 'create', asset: { _id: '0190a0c0-0000-7000-8000-000000000000', _type: 'x.Note' } },
];
const batches = fc.array(fc.array(operation, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 });

/** Describes outcomes without the `_id`s and versions that differ between two runs. */
const describeOutcomes = (outcomes: readonly OperationOutcome[]) =>
  outcomes.map((outcome) =>
    outcome.kind === 'done'
      ? [outcome.effect, outcome.type, outcome.unresolved]
      : [outcome.error.code, outcome.error.message, outcome.error.details],
  );

const rounds = roundsOf({ usual: 60, long: 2_000 });

let store: ContentStore;
let content: ContentService;
beforeAll(async () => {
  store = await openStoreAt(sqliteLocation(), catalog);
  content = contentOver(catalog, store);
});

/** Checks generated batches, each time in an empty store. */
const forEachBatches = (check: (all: readonly BatchOperation[][]) => Promise<void>) =>
  fc.assert(
    fc.asyncProperty(batches, async (all) => {
      const { items } = await store.find({ types, offset: 0, limit: 100, withCount: false });
      for (const { asset } of items) await store.delete({ id: asset._id, type: asset._type });
      await check(all);
    }),
    { numRuns: rounds, examples: [[[refusedTwice]]] },
  );

async function outcomesOf(writer: Pick<ContentService, 'batch'>, request: BatchRequest) {
  try {
    return describeOutcomes(await writer.batch(request, {}));
  } catch (error) {
    return String(error);
  }
}

it.each([
  { atomic: false, references: 'checked' },
  { atomic: false, references: 'deferred' },
  { atomic: true, references: 'checked' },
  { atomic: false, references: 'deferred', skipUnchanged: true },
  { atomic: true, references: 'checked', skipUnchanged: true },
] as const)('a check has the outcomes of the batch: %o', (terms) =>
  forEachBatches(async (all) => {
    for (const operations of all) {
      const request = { ...terms, operations };
      const checked = await outcomesOf(content.trial({}), request);
      expect(checked).toEqual(await outcomesOf(content, request));
    }
  }),
);

it('a dry run has the outcomes of the batches that follow each other', () =>
  forEachBatches(async ([first = [], ...all]) => {
    const terms = { atomic: false, references: 'deferred', skipUnchanged: true } as const;
    await content.batch({ ...terms, operations: first }, {});
    const runtime = { ids: randomIds, clock: systemClock };
    const pending = createPlannedContent();
    const dryRun = createDryRun({ ...runtime, catalog, pending, siteOwnerRequired: false, forDrafts: false });
    const planned: unknown[] = [];
    for (const operations of all) {
      planned.push(describeOutcomes(await dryRun({ ...terms, operations }, store)));
    }
    for (const operations of all) {
      expect(planned.shift()).toEqual(await outcomesOf(content, { ...terms, operations }));
    }
  }));
