/**
 * Reads the lists of assets that refer to others: those of all assets that are requested in one tick by one search.
 *
 * That search reads a few times as many assets as the pages have. If more assets refer to these, the pages that it has not filled are
 * read one by one, each from the index of the reference; the counts are those of the values of the reference, in one search. So the work
 * is bounded by the size of the pages.
 */
import type { FieldNode } from 'graphql';
import type { AssetFinder, AssetQuery, Caller } from '../../content/reading/find-assets.ts';
import type { Asset } from '../../model/content-type.ts';
import type { FieldPath } from '../../model/field-path.ts';
import type { BoundPredicate } from '../../query/ast.ts';
import { allOf } from '../../query/build-comparison.ts';
import { facetLimits } from '../../query/facets.ts';
import { findValues } from '../../query/path-values.ts';
import type { ReadPage, WantedPage } from './list-page.ts';
import type { ResponseBudget } from './response-budget.ts';
import type { SearchGroup } from './search-group.ts';
import { endOfTick } from './target-loader.ts';

/** A list that each of several assets has. */
export interface InverseList {
  /** The reference of the listed assets. */
  readonly path: FieldPath;
  /** The search among all assets with the reference; without a cursor. */
  readonly query: Omit<AssetQuery, 'withCount' | 'cursor'>;
}

/** Reads the lists of a run. */
export interface InverseLoader {
  /**
   * Reads the page of one asset. The pages of assets that are asked for at the same `node` and reference have the same arguments. Errors:
   * those of searches, answer_too_large.
   */
  load(
    id: string,
    wanted: WantedPage,
    list: InverseList & { readonly node: FieldNode | undefined },
  ): Promise<ReadPage>;
}

/** The pages that are requested in one tick. */
interface Batch {
  readonly ids: Set<string>;
  readonly wanted: WantedPage;
  readonly pages: Promise<ReadonlyMap<string, ReadPage>>;
}

/** Pages as far as one search has them, and whether it has found everything. */
interface Gathered {
  readonly pages: ReadonlyMap<string, { readonly items: Asset[]; readonly count: number }>;
  readonly isWhole: boolean;
}

const noPages: Gathered = { pages: new Map(), isWhole: false };

/** The part of a run that searches need. */
interface Reading {
  readonly caller: Caller;
  readonly budget: ResponseBudget;
  readonly searches: SearchGroup;
}

/** So many assets are read together, and so many times the size of the pages, at most. */
const maxTogether = 1_000;
const spareFactor = 4;

/** Adds the condition that an asset refers to one of these. */
export function referringTo({ path, query }: InverseList, ids: readonly string[]): InverseList['query'] {
  const refers: BoundPredicate = { kind: 'equals', path, values: ids, ignoreCase: false };
  return { ...query, filter: allOf([refers, ...(query.filter ? [query.filter] : [])]) };
}

/** Creates the loader of one run. */
export function createInverseLoader(finder: AssetFinder, reading: Reading): InverseLoader {
  const { caller, budget, searches } = reading;
  const open = new Map<FieldNode | undefined, Map<string, Batch>>();

  const search = (query: AssetQuery) => searches.run(caller, (stoppable) => finder.open(query, stoppable));

  async function readAll(
    list: InverseList,
    { ids, wanted }: Pick<Batch, 'ids' | 'wanted'>,
  ): Promise<ReadonlyMap<string, ReadPage>> {
    budget.assertLeft();
    const [first, ...others] = ids;
    if (first !== undefined && others.length === 0)
      return new Map([[first, await readOne(list, first, wanted)]]);
    const { offset, limit } = list.query;
    const pageSize = Math.max(1, offset + limit);
    const size = Math.min(facetLimits.values, Math.max(1, Math.floor(maxTogether / pageSize)));
    const all = [...ids];
    const groups = Array.from({ length: Math.ceil(all.length / size) }, (_, n) =>
      all.slice(n * size, (n + 1) * size),
    );
    const read = await Promise.all(groups.map((group) => readGroup(list, { ids: group, pageSize, wanted })));
    return new Map(read.flatMap((pages) => [...pages]));
  }

  async function readGroup(
    list: InverseList,
    { ids, pageSize, wanted }: { ids: readonly string[]; pageSize: number; wanted: WantedPage },
  ): Promise<ReadonlyMap<string, ReadPage>> {
    const gathered = wanted.items ? await gather(list, { ids, pageSize }) : noPages;
    const counts = wanted.count && !gathered.isWhole ? await countAll(list, ids) : undefined;
    const pages = ids.map(async (id) => {
      const page = gathered.pages.get(id) ?? { items: [], count: 0 };
      if (gathered.isWhole) return [id, page] as const;
      const isRead = !wanted.items || page.count >= pageSize;
      if (!isRead) budget.giveBack(page.items);
      const { items } = isRead ? page : await readOne(list, id, { ...wanted, count: false });
      return [id, { items, ...(counts && { count: await counts(id) }) }] as const;
    });
    return new Map(await Promise.all(pages));
  }

  /** Reads the pages of several assets as far as one search has them; `count` is what it has found of each. */
  async function gather(
    list: InverseList,
    { ids, pageSize }: { ids: readonly string[]; pageSize: number },
  ): Promise<Gathered> {
    const { offset, limit } = list.query;
    const most = Math.min(maxTogether, ids.length * pageSize * spareFactor);
    const query = { ...referringTo(list, ids), offset: 0, limit: most + 1, withCount: false };
    const pages = new Map(ids.map((id) => [id, { items: [] as Asset[], count: 0 }]));
    let found = 0;
    for await (const assets of chunksOf(await search(query))) {
      found += assets.length;
      for (const asset of assets) {
        const its = [...new Set(findValues(asset, list.path))].flatMap((id) => pages.get(String(id)) ?? []);
        const showing = its.filter(({ count }) => count >= offset && count < offset + limit);
        for (const page of its) page.count++;
        if (showing.length === 0) continue;
        const kept = budget.keep(asset);
        for (const page of showing) page.items.push(kept);
      }
    }
    return { pages, isWhole: found <= most };
  }

  /** Counts the assets that refer to each of several, as values of the reference; returns the function that returns the counts. */
  async function countAll(
    list: InverseList,
    ids: readonly string[],
  ): Promise<(id: string) => Promise<number>> {
    const { offset: _, limit: __, sort: ___, ...terms } = referringTo(list, ids);
    const facets = [list.path.text];
    const found = await searches.run(caller, (stoppable) => finder.facets({ ...terms, facets }, stoppable));
    const values = found[list.path.text] ?? [];
    const counts = new Map(values.map(({ value, count }) => [String(value), count]));
    // Through a list of references, other values than these are found, too.
    const isWhole = values.length < facetLimits.values;
    return async (id) => {
      const known = counts.get(id) ?? (isWhole ? 0 : undefined);
      return known ?? (await readOne(list, id, { items: false, count: true, next: false })).count ?? 0;
    };
  }

  async function readOne(list: InverseList, id: string, wanted: WantedPage): Promise<ReadPage> {
    const limit = wanted.items ? list.query.limit : 0;
    const page = await search({ ...referringTo(list, [id]), limit, withCount: wanted.count });
    const items: Asset[] = [];
    for await (const assets of chunksOf(page)) items.push(...budget.keepAll(assets));
    return { items, ...(page.count !== undefined && { count: page.count }) };
  }

  return {
    async load(id, wanted, { node, ...list }) {
      const ofNode = open.get(node) ?? new Map<string, Batch>();
      open.set(node, ofNode);
      // Assets of several types may have lists at one node.
      const key = `${list.query.from} ${list.path.text}`;
      let batch = ofNode.get(key);
      if (!batch) {
        const [ids, all] = [new Set<string>(), { items: false, count: false, next: false }];
        const pages = endOfTick().then(() => {
          ofNode.delete(key);
          return readAll(list, { ids, wanted: all });
        });
        batch = { ids, wanted: all, pages };
        ofNode.set(key, batch);
      }
      batch.ids.add(id);
      batch.wanted.items ||= wanted.items;
      batch.wanted.count ||= wanted.count;
      return (await batch.pages).get(id) ?? { items: [] };
    },
  };
}

async function* chunksOf<Item>({
  first,
  rest,
}: {
  readonly first: readonly Item[];
  readonly rest?: AsyncIterable<readonly Item[]>;
}): AsyncGenerator<readonly Item[]> {
  yield first;
  if (rest) yield* rest;
}
