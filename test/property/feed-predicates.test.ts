/**
 * Generated predicates over generated assets: after any sequence of changes a follower of the feed has exactly what the reference
 * evaluator finds, with the values that the assets have.
 */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { isDomainError } from '../../src/base/errors.ts';
import { createFeedReader, type FeedReader } from '../../src/content/feed/read-feed.ts';
import type { Asset } from '../../src/model/content-type.ts';
import { evaluatePredicate } from '../../src/query/evaluate.ts';
import { bindPredicate, createPredicateCompiler } from '../../src/query/prepare.ts';
import type { ContentStore } from '../../src/store/port.ts';
import { arbitraryAssets } from '../support/assets.ts';
import { libraryCatalog } from '../support/catalog.ts';
import { openStoreAt } from '../support/content.ts';
import { FeedFollower } from '../support/feed-follower.ts';
import { arbitraryPredicateText } from '../support/predicates.ts';
import { roundsOf } from '../support/rounds.ts';
import { describeOnEachStore } from '../support/stores.ts';

const catalog = libraryCatalog();
const { prepare } = createPredicateCompiler(catalog);
const from = 'library.Book';
const classes = [from];
const ids = Array.from({ length: 8 }, (_, n) => `0191f3a0-5b7e-7c11-9d2e-${String(n).padStart(12, '0')}`);
const types = classes.flatMap((name) => catalog.types.get(name) ?? []);

/** A predicate, and what an asset may become: one of its generated forms, or nothing. */
const arbitraryCase = fc.record({
  where: arbitraryPredicateText({ catalog, classes, ids }),
  forms: fc.tuple(arbitraryAssets({ types, ids }), arbitraryAssets({ types, ids })),
});
/** One whose predicate the feed accepts, and which the first form of some assets matches and that of others does not. */
const selectiveCase = arbitraryCase.filter(({ where, forms: [assets] }) => {
  if (prepare(classes, where).targets.length > 0) return false;
  const found = findMatching(where, new Map(assets.map((asset) => [asset._id, asset])));
  return found.length > 0 && found.length < assets.length;
});
const arbitraryChange = fc.record({
  at: fc.nat({ max: ids.length - 1 }),
  form: fc.constantFrom(0, 1, 'none'),
});
const arbitraryStep = fc.record({
  changes: fc.array(arbitraryChange, { maxLength: 5 }),
  items: fc.constantFrom(1, 3, 500),
});

/** Lists the assets that match a predicate. */
function findMatching(where: string, assets: ReadonlyMap<string, Asset>) {
  const predicate = bindPredicate(prepare(classes, where), []);
  const resolve = (id: string) => assets.get(id);
  return [...assets].filter(([, asset]) => evaluatePredicate({ predicate, asset, resolve }));
}

describeOnEachStore('feeds of generated predicates', (locations) => {
  let store: ContentStore;
  let reader: FeedReader;
  let versions = 0;
  const present = new Map<string, Asset>();

  beforeAll(async () => {
    store = await openStoreAt(locations(), catalog);
    reader = createFeedReader({ catalog, store });
  });

  async function change(id: string, wanted: Asset | undefined): Promise<void> {
    const before = present.get(id);
    const version = `v${++versions}`;
    if (!wanted) {
      if (before) await store.delete({ id, type: from, change: version });
      present.delete(id);
      return;
    }
    if (!before) await store.insert({ asset: wanted, version });
    else {
      const { _id, _type: type, ...set } = wanted;
      const unset = Object.keys(before).filter((name) => !Object.hasOwn(wanted, name));
      await store.patch({ id, type, set, unset, version });
    }
    present.set(id, wanted);
  }

  it('give followers exactly what the reference evaluator finds', async () => {
    const numRuns =
      store.system === 'sqlite' ? roundsOf({ usual: 40, long: 3_000 }) : roundsOf({ usual: 4, long: 100 });
    let selective = 0;
    await fc.assert(
      fc.asyncProperty(
        // Few predicates are selective by chance.
        fc.oneof({ weight: 3, arbitrary: selectiveCase }, { weight: 1, arbitrary: arbitraryCase }),
        fc.array(arbitraryStep, { minLength: 1, maxLength: 6 }),
        async ({ where, forms: generated }, steps) => {
          const open = (cursor?: string) =>
            reader.open({ from, where, values: [] }, cursor, { clientId: 'free' });
          const isRefused = await open().then(
            () => false,
            (error: unknown) =>
              isDomainError(error, 'invalid_parameter') && prepare(classes, where).targets.length > 0,
          );
          fc.pre(!isRefused);
          for (const [n, id] of ids.entries()) await change(id, generated[0][n]);
          const follower = new FeedFollower();
          let cursor: string | undefined;
          const read = async (items: number) => {
            const feed = await open(cursor);
            const page = await reader.read({ ...feed, limits: { items, bytes: 1_000_000 } });
            follower.apply(page);
            cursor = feed.encode(page.position);
            return page.more;
          };
          for (const { changes, items } of steps) {
            for (const { at, form } of changes)
              await change(ids[at] ?? '', form === 'none' ? undefined : generated[Number(form)]?.[at]);
            await read(items);
          }
          if (store.system === 'mongodb') await store.changes.waitUntilNumbered();
          for (let pages = 0; await read(3); pages++) expect(pages, 'ends').toBeLessThan(200);
          const wanted = findMatching(where, present);
          expect(new Map([...follower.copy].toSorted())).toEqual(new Map(wanted.toSorted()));
          if (wanted.length > 0 && wanted.length < present.size) selective++;
        },
      ),
      { numRuns },
    );
    // Predicates that match all or no assets would prove little.
    if (store.system === 'sqlite') expect(selective).toBeGreaterThan((numRuns * 2) / 5);
  });
});
