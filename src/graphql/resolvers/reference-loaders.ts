/**
 * Loads what references lead to, both ways: the targets of references, and the lists of assets that refer to others. All that are
 * requested in one tick are read by one search, and each target only once in a run.
 */

import type { FieldNode } from 'graphql';
import { isDomainError, unlessError } from '../../base/errors.ts';
import type { AssetFinder, AssetQuery, Caller } from '../../content/reading/find-assets.ts';
import type { Asset } from '../../model/content-type.ts';
import type { FieldPath } from '../../model/field-path.ts';
import type { BoundPredicate } from '../../query/ast.ts';
import { allOf } from '../../query/build-comparison.ts';
import { facetLimits } from '../../query/facets.ts';
import { findValues } from '../../query/path-values.ts';
import type { ReadPage, WantedPage } from './list-page.ts';
import type { ResponseBudget } from './response-budget.ts';

/** The outcome of loading one asset: null when there is none that the caller may see, or the error. */
export type LoadedAsset = { readonly asset: Asset | null } | { readonly error: unknown };

/** Loads assets by their IDs. */
export type TargetLoader = ReturnType<typeof createTargetLoader>;

/** The assets that are requested in one tick. */
interface Batch {
  readonly ids: string[];
  readonly done: Promise<void>;
}

/** Creates the loader of one run. */
export function createTargetLoader(
  finder: AssetFinder,
  {
    caller,
    budget,
    onMissing,
  }: {
    caller: Caller;
    budget: ResponseBudget;
    /** Is called when there is no asset that the caller may see. */
    onMissing?: (() => void) | undefined;
  },
) {
  const loaded = new Map<string, LoadedAsset>();
  const requested = new Map<string, Batch>();
  let next: Batch | undefined;

  /** Loads assets, and returns a function that returns the outcome for each of these IDs. */
  async function loadAll(ids: readonly string[]): Promise<(id: string) => LoadedAsset> {
    const awaited = new Set<Promise<void>>();
    for (const id of ids) {
      const key = id.toLowerCase();
      if (!loaded.has(key)) awaited.add(request(key).done);
    }
    if (awaited.size > 0) await Promise.all(awaited);
    return (id) => loaded.get(id.toLowerCase()) ?? { asset: null };
  }

  function request(id: string): Batch {
    const under = requested.get(id);
    if (under) return under;
    next ??= openBatch();
    next.ids.push(id);
    requested.set(id, next);
    return next;
  }

  function openBatch(): Batch {
    const ids: string[] = [];
    return { ids, done: endOfTick().then(() => run(ids)) };
  }

  async function run(ids: readonly string[]): Promise<void> {
    next = undefined;
    try {
      budget.assertLeft();
      const found = await read(ids);
      if (found.size < ids.length) onMissing?.();
      for (const id of ids) loaded.set(id, { asset: found.get(id) ?? null });
    } catch (error) {
      for (const id of ids) loaded.set(id, { error });
    }
    for (const id of ids) requested.delete(id);
  }

  async function read(ids: readonly string[]): Promise<ReadonlyMap<string, Asset>> {
    const found = new Map<string, Asset>();
    const [first, second] = ids;
    if (first !== undefined && second === undefined) {
      const asset = await findOne(first);
      if (asset) found.set(first, budget.keep(asset));
      return found;
    }
    for await (const assets of finder.getMany(ids, caller)) {
      for (const asset of budget.keepAll(assets)) found.set(asset._id, asset);
    }
    return found;
  }

  const findOne = async (id: string): Promise<Asset | undefined> =>
    (await unlessError(finder.get(id, caller), 'not_found'))?.asset;

  return {
    /** Loads an asset; null when there is none that the caller may see. Errors: answer_too_large. */
    async load(id: string): Promise<Asset | null> {
      const outcome = (await loadAll([id]))(id);
      if ('error' in outcome) throw outcome.error;
      return outcome.asset;
    },
    loadAll,
    /** Forgets all assets, after a write. */
    forget: () => loaded.clear(),
  };
}

/** Resolves when everything that the current tick has resolved has been handled. */
export const endOfTick = () =>
  Promise.resolve().then(() => new Promise<void>((resolve) => process.nextTick(resolve)));

// Reads the lists of assets that refer to others: those of all assets that are requested in one tick by one search.
//
// That search reads a few times as many assets as the pages have. If more assets refer to these, the pages that it has not filled are
// read one by one, each from the index of the reference; the counts are those of the values of the reference, in one search. So the work
// is bounded by the size of the pages.

/** A list that each of several assets has. */
export interface InverseList {
  /** The reference of the listed assets. */
  readonly path: FieldPath;
  /** The search among all assets with the reference; without a cursor. */
  readonly query: Omit<AssetQuery, 'withCount' | 'cursor'>;
}

/** Reads the lists of a run. */
export type InverseLoader = ReturnType<typeof createInverseLoader>;

/** The pages that are requested in one tick. */
interface InverseBatch {
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
export function createInverseLoader(finder: AssetFinder, reading: Reading) {
  const { caller, budget, searches } = reading;
  const open = new Map<FieldNode | undefined, Map<string, InverseBatch>>();

  const search = (query: AssetQuery) => searches.run(caller, (stoppable) => finder.open(query, stoppable));

  async function readAll(
    list: InverseList,
    { ids, wanted }: Pick<InverseBatch, 'ids' | 'wanted'>,
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
    /**
     * Reads the page of one asset. The pages of assets that are asked for at the same `node` and reference have the same arguments. Errors:
     * those of searches, answer_too_large.
     */
    async load(
      id: string,
      wanted: WantedPage,
      { node, ...list }: InverseList & { readonly node: FieldNode | undefined },
    ): Promise<ReadPage> {
      const ofNode = open.get(node) ?? new Map<string, InverseBatch>();
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

/** The lists of one run. */
export interface SearchGroup {
  /** Registers a list before any is read. */
  add(): void;
  /** Reads a list for a caller whose signal also stops when another list is too costly. */
  run<Page>(caller: Caller, read: (caller: Caller) => Promise<Page>): Promise<Page>;
}

/** Creates the group of one run. */
export function createSearchGroup(): SearchGroup {
  let lists = 0;
  let stop: AbortController | undefined;
  return {
    add() {
      lists++;
    },
    async run(caller, read) {
      // One list has nothing to stop.
      if (lists < 2) return read(caller);
      stop ??= new AbortController();
      const { signal } = stop;
      const own = { ...caller, signal: caller.signal ? AbortSignal.any([caller.signal, signal]) : signal };
      try {
        return await read(own);
      } catch (error) {
        if (isDomainError(error, 'query_too_costly')) stop.abort(error);
        throw error;
      }
    },
  };
}
