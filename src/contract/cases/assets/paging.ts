/**
 * Paging: a stable order by `_id`, each asset exactly once, the total on every page, and no total with `count=false`; the same by
 * cursor, with the total on the first page.
 */
import type { Asset, Json } from '../../../model/content-type.ts';
import { memberOf } from '../../apis/api-under-test.ts';
import type { AssetQuery } from '../../apis/asset-query.ts';
import type { CmaUnderTest } from '../../apis/cma-under-test.ts';
import { assertSame, type CaseGroup, toCase } from '../../case.ts';

const total = 23;
const pageSize = 5;

/** Yields the cases, on assets of the first type. */
export function* pagingCases(cma: CmaUnderTest): CaseGroup {
  const [type] = cma.types.types;
  if (!type || cma.samples.kept(type.class).length === 0) return;
  const from = type.class;
  const assets: Asset[] = [];
  const all = () => ({ from, ids: assets.map(({ _id }) => _id) });
  const sorted = () => assets.map(({ _id }) => _id).toSorted();

  async function page(query: Partial<AssetQuery>) {
    const { body } = await cma.call(cma.find({ ...all(), ...query }), 200);
    const items = memberOf(body, 'result', 'items');
    const ids = (Array.isArray(items) ? items : []).map((item) => String(memberOf(item, '_id')));
    return { ids, count: memberOf(body, 'result', 'count'), next: memberOf(body, 'result', 'next') };
  }
  const assertPage = async (
    query: Omit<AssetQuery, 'from' | 'ids'>,
    expected: { ids: string[]; count?: number },
  ) =>
    assertSame({
      what: 'the page',
      received: await page(query),
      expected: { count: total, next: undefined, ...expected },
    });

  /** Creates the assets when a case first needs them. */
  const makeAssets = async () => {
    while (assets.length < total) assets.push(await cma.create(cma.samples.make(type, { full: false })));
  };
  const overAssets = (title: string, run: () => Promise<void>, operation = 'queryAssets') =>
    toCase(operation, title, async () => {
      await makeAssets();
      await run();
    });

  yield toCase('createAsset', `200 ${total} assets to page through`, makeAssets);
  yield overAssets('200 pages hold each asset once, in the order of _id', async () => {
    for (let offset = 0; offset < total + pageSize; offset += pageSize) {
      await assertPage({ offset, limit: pageSize }, { ids: sorted().slice(offset, offset + pageSize) });
    }
  });
  yield overAssets('200 without a limit, ten assets', () => assertPage({}, { ids: sorted().slice(0, 10) }));
  yield overAssets('200 with the largest limit, all assets', () =>
    assertPage({ limit: 1_000 }, { ids: sorted() }),
  );
  yield overAssets('200 with limit 0, only the count', () => assertPage({ limit: 0 }, { ids: [] }));
  yield overAssets('200 with an offset past the end, only the count', async () => {
    for (const offset of [total, total + 1, Number.MAX_SAFE_INTEGER])
      await assertPage({ offset }, { ids: [] });
  });
  yield overAssets('200 with count=true, the count', () =>
    assertPage({ count: true, limit: 1 }, { ids: sorted().slice(0, 1) }),
  );
  yield overAssets('200 with count=false, a page without the count', async () => {
    for (const limit of [0, pageSize]) {
      const received = await page({ count: false, offset: 1, limit });
      const expected = { ids: sorted().slice(1, 1 + limit), count: undefined, next: undefined };
      assertSame({ what: 'the page', received, expected });
    }
  });
  yield overAssets('200 by _id > the last one, each asset once', async () => {
    const found: string[] = [];
    for (let where = 'true'; found.length <= total; where = `_id > '${found.at(-1)}'`) {
      const { ids } = await page({ where, limit: pageSize, count: false });
      if (ids.length === 0) break;
      found.push(...ids);
    }
    assertSame({ what: 'the assets on all pages', received: found, expected: sorted() });
  });
  for (const sort of ['_id', '-_id']) {
    const title = `200 by cursor and sort ${sort}, each asset once, and the count on the first page only`;
    yield overAssets(title, async () => {
      const found: string[] = [];
      const counts: unknown[] = [];
      for (let cursor: unknown = ''; typeof cursor === 'string' && counts.length <= total; ) {
        const { ids, count, next } = await page({ sort, cursor, limit: pageSize });
        found.push(...ids);
        counts.push(count);
        cursor = next;
      }
      const expected = sort === '_id' ? sorted() : sorted().toReversed();
      assertSame({ what: 'the assets on all pages', received: found, expected });
      const first = counts.map((_, n) => (n === 0 ? total : undefined));
      assertSame({ what: 'the counts', received: counts, expected: first });
    });
  }
  yield overAssets('400 a cursor of another query', async () => {
    const { next } = await page({ cursor: '', limit: pageSize });
    const query = { ...all(), sort: '-_id', cursor: String(next), limit: pageSize };
    const { body } = await cma.call(cma.find(query), 400);
    const received = memberOf(body, 'error', 'code');
    assertSame({ what: 'the code', received, expected: 'cursor_mismatch' });
  });
  const counted = cma.types.types
    .flatMap((one) => [...one.fields.values()].map(({ name, indexed }) => ({ one, name, indexed })))
    .find(({ one, indexed }) => indexed?.unique && cma.samples.kept(one.class).length > 0);
  if (counted) {
    const { one, name } = counted;
    yield toCase('queryAssets', `200 facets of the unique field ${name} count each value once`, async () => {
      const ids = cma.samples.kept(one.class).map(({ _id }) => _id);
      const { body } = await cma.call(cma.find({ from: one.class, ids, facets: name, limit: 100 }), 200);
      const items = listOf(memberOf(body, 'result', 'items'));
      const values = items.flatMap((item) => memberOf(item, name) ?? []);
      const received = listOf(memberOf(body, 'result', 'facets', name));
      const expected = values.toSorted().map((value) => ({ value, count: 1 }));
      assertSame({ what: 'the facets', received, expected });
    });
  }
  yield overAssets('400 facets of an unknown field, and of six fields', async () => {
    for (const facets of ['noSuchField', 'a,b,c,d,e,f']) {
      const { body } = await cma.call(cma.find({ ...all(), facets }), 400);
      assertSame({ what: 'the path', received: memberOf(body, 'error', 'path'), expected: 'facets' });
    }
  });
  for (const { class: className, types } of cma.types.interfaces) {
    yield overAssets(
      `200 pages from ${className} hold the assets of all types that implement it`,
      async () => {
        const ids = types.flatMap((type) => cma.samples.kept(type.class).map(({ _id }) => _id)).toSorted();
        for (let offset = 0; offset <= ids.length; offset += pageSize) {
          const received = await page({ from: className, ids, offset, limit: pageSize });
          const expected = {
            ids: ids.slice(offset, offset + pageSize),
            count: ids.length,
            next: undefined,
          };
          assertSame({ what: 'the page', received, expected });
        }
      },
    );
  }
  const deletion = async () => {
    const [gone, ...others] = assets.toSorted((a, b) => (a._id < b._id ? -1 : 1));
    if (gone) await cma.call({ method: 'DELETE', path: cma.pathOf(gone._id) }, 200);
    assertSame({
      what: 'the page',
      received: await page({ limit: total }),
      expected: { ids: others.map(({ _id }) => _id), count: total - 1, next: undefined },
    });
  };
  yield overAssets('200 a deleted asset is on no page', deletion, 'deleteAsset');
}

const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : []);
