/**
 * Splits a predicate between the store and the drafts: the store finds the assets without drafts, and `query/evaluate.ts` tests those
 * with drafts.
 *
 * Neither can follow a reference to an asset of the other. So each step through a reference becomes a comparison of the reference with
 * the `_id`s of the targets that match: the store gets those of the drafted targets, the drafts get those of all targets.
 */

import { setImmediate } from 'node:timers/promises';
import { queryTooCostly } from '../../base/errors.ts';
import type { Asset } from '../../model/content-type.ts';
import { createAssetWork } from '../../query/asset-work.ts';
import { type BoundAny, type BoundPredicate, stepsOf } from '../../query/ast.ts';
import { allOf, anyOf, buildAny, negate } from '../../query/build-comparison.ts';
import { prepareEvaluation } from '../../query/evaluate.ts';
import { positionOf, type SortPosition } from '../../query/keyset.ts';
import { type BoundSort, compareInOrder, idPath, sortById } from '../../query/sort.ts';
import { type ContentStore, defaultQueryMs, idOfWrite } from '../../store/port.ts';
import type { ReadCaller } from '../../store/read-caller.ts';
import { readMany } from '../reading/read-chunks.ts';
import { applyDraft, type Draft, type DraftSource } from './draft.ts';
import type { KeptResults } from './reference-steps.ts';
import { collectReferences, type References, replaceSteps } from './reference-steps.ts';

/** What the store finds of a search. */
export interface LiveSearch {
  /** Finds the live assets that match, those with drafts included, through references to assets as their drafts leave them. */
  readonly where: BoundPredicate | undefined;
  /** Finds those of them that have drafts; absent if there are no drafts of their types. */
  readonly drafted?: BoundPredicate;
  /** Finds the others. */
  readonly undrafted: BoundPredicate | undefined;
  /** The `_id`s of the drafts of these types. */
  readonly draftedIds: ReadonlySet<string>;
}

/** A matching asset that has a draft, and its position in an order. */
export interface DraftedMatch {
  readonly id: string;
  readonly position: SortPosition;
}

/** The matching assets with drafts in an order, and what each tested asset has led to, if that does not depend on others. */
export interface DraftedMatches {
  readonly inOrder: readonly DraftedMatch[];
  readonly ofAsset: WeakMap<Asset, DraftedMatch | 'none'>;
}

/** What searches have found out about the drafts. */
interface KeptMatches {
  readonly lists: KeptResults<DraftedMatches>;
  readonly counts: KeptResults<{ readonly count: number }>;
}

/** Matches the drafts of one search. */
export interface DraftMatcher {
  /** Returns the predicates by which the store finds matching assets of these classes. */
  toLive(types: readonly string[], where: BoundPredicate | undefined): Promise<LiveSearch>;
  /** Visits the matching assets of these classes that have drafts. Errors: query_too_costly. */
  visit(
    types: readonly string[],
    where: BoundPredicate | undefined,
    visit: (asset: Asset) => void,
  ): Promise<void>;
  /** Lists them in an order. Errors: query_too_costly. */
  list(
    types: readonly string[],
    where: BoundPredicate | undefined,
    sort: BoundSort,
  ): Promise<readonly DraftedMatch[]>;
  /** Counts the live assets that have drafts and match as they are live. Errors: query_too_costly. */
  countLive(types: readonly string[], where: BoundPredicate | undefined): Promise<number>;
}

/** How many `_id`s one search of the store is for. */
const idsAtOnce = 1_000;

/** Creates the matcher of one search. Its calls throw the errors of the store's searches. */
export function createDraftMatcher(
  store: Pick<ContentStore, 'find'>,
  { assets, kept }: { readonly assets: DraftedAssets; readonly kept: KeptMatches },
  { client, signal }: ReadCaller,
): DraftMatcher {
  const targets = new Map<BoundAny, Promise<readonly string[]>>();
  const slices = createTimeSlices(signal);

  async function toLive(types: readonly string[], asked: BoundPredicate | undefined): Promise<LiveSearch> {
    const where = asked && (await replaceSteps(asked, toLiveStep));
    const draftedIds = await assets.findIds(types);
    if (draftedIds.size === 0) return { where, undrafted: where, draftedIds };
    const ids = [...draftedIds];
    const terms = where ? [where] : [];
    return {
      where,
      draftedIds,
      drafted: allOf([hasId(ids), ...terms]),
      undrafted: allOf([negate(hasId(ids)), ...terms]),
    };
  }

  async function toLiveStep(any: BoundAny, classes: readonly string[]): Promise<BoundPredicate> {
    const { undrafted = any.where } = await toLive(classes, any.where);
    if (undrafted === any.where) return any;
    return anyOf([buildAny({ ...any, where: undrafted }), refersTo(any, await findDrafted(any, classes))]);
  }

  /** Finds the drafted targets that match. */
  function findDrafted(any: BoundAny, classes: readonly string[]): Promise<readonly string[]> {
    const find = async () => (await list(classes, any.where, sortById)).map(({ id }) => id);
    const found = targets.get(any) ?? find();
    targets.set(any, found);
    return found;
  }

  async function visit(
    types: readonly string[],
    where: BoundPredicate | undefined,
    each: (asset: Asset) => void,
  ): Promise<void> {
    if ((await assets.findIds(types)).size === 0) return;
    const holds = await prepareTest(types, where);
    await readEach(types, (asset) => {
      if (holds(asset)) each(asset);
    });
  }

  async function prepareTest(
    types: readonly string[],
    where: BoundPredicate | undefined,
  ): Promise<(asset: Asset) => boolean> {
    const wanted = where ?? allOf([]);
    const references: References = { ofStep: new Map(), count: 0 };
    if (stepsOf(wanted).length > 0) {
      await readEach(types, (asset) => {
        collectReferences(wanted, asset, references);
      });
    }
    const resolved = await replaceSteps(wanted, (any, classes) =>
      toDraftStep(any, classes, references.ofStep.get(any)),
    );
    const work = createAssetWork();
    const holds = prepareEvaluation(resolved, (characters) => {
      slices.assertTime();
      work.add(characters);
    });
    return (asset) => {
      work.begin();
      return holds(asset, () => undefined);
    };
  }

  const list: DraftMatcher['list'] = async (types, where, sort) => {
    const { inOrder } = await kept.lists({ types, where, sort }, async (outdated) => {
      const known = where && stepsOf(where).length > 0 ? undefined : outdated?.ofAsset;
      const ofAsset: DraftedMatches['ofAsset'] = known ?? new WeakMap();
      const matches: DraftedMatch[] = [];
      const holds = await prepareTest(types, where);
      await readEach(types, (asset) => {
        const match =
          ofAsset.get(asset) ??
          (holds(asset) ? { id: asset._id, position: positionOf(asset, sort) } : 'none');
        ofAsset.set(asset, match);
        if (match !== 'none') matches.push(match);
      });
      const compare = (a: DraftedMatch, b: DraftedMatch) =>
        compareInOrder(sort, (n) => [a.position[n], b.position[n]]);
      return { inOrder: matches.sort(compare), ofAsset };
    });
    return inOrder;
  };

  const countLive: DraftMatcher['countLive'] = async (types, asked) => {
    const { count } = await kept.counts({ types, where: asked }, async () => {
      const { drafted: where } = await toLive(types, asked);
      if (!where) return { count: 0 };
      const search = { types, where, offset: 0, limit: 0, withCount: true, client, signal };
      return { count: (await store.find(search)).count ?? 0 };
    });
    return count;
  };

  async function readEach(types: readonly string[], each: (asset: Asset) => void): Promise<void> {
    for await (const chunk of assets.read(types)) {
      slices.begin();
      for (const asset of chunk) {
        await slices.next();
        if (types.includes(asset._type)) each(asset);
      }
      slices.end();
    }
  }

  /** Compares the references of drafts with the targets that match, drafted or not. */
  async function toDraftStep(
    any: BoundAny,
    classes: readonly string[],
    referenced: ReadonlySet<string> = new Set(),
  ): Promise<BoundPredicate> {
    const matching = [...(await findDrafted(any, classes))];
    if (referenced.size > 0) {
      const { undrafted } = await toLive(classes, any.where);
      const ids = [...referenced];
      for (let start = 0; start < ids.length; start += idsAtOnce) {
        const wanted = allOf([hasId(ids.slice(start, start + idsAtOnce)), ...(undrafted ? [undrafted] : [])]);
        const search = { types: classes, where: wanted, offset: 0, limit: idsAtOnce, withCount: false };
        const { items, rest = [] } = await store.find({ ...search, client, signal });
        matching.push(...items.map(({ asset }) => asset._id), ...rest);
      }
    }
    return refersTo(any, matching);
  }

  return { toLive, visit, list, countLive };
}

const hasId = (values: readonly string[]): BoundPredicate => ({
  kind: 'equals',
  path: idPath,
  values,
  ignoreCase: false,
});

const refersTo = ({ path }: BoundAny, ids: readonly string[]): BoundPredicate =>
  ids.length > 0 ? { kind: 'equals', path, values: ids, ignoreCase: false } : anyOf([]);

/** How long drafts are tested before other work may run. */
const sliceMs = 20;

/** Lets other work run between the tests of drafts, and ends them after the time of a search, without the searches of the store. */
function createTimeSlices(signal: AbortSignal | undefined) {
  let leftMs = defaultQueryMs;
  let startMs = 0;
  const spentMs = () => performance.now() - startMs;
  const begin = () => {
    startMs = performance.now();
  };
  /** Errors: query_too_costly. */
  const assertTime = () => {
    if (spentMs() > leftMs) throw queryTooCostly();
  };
  const end = () => {
    assertTime();
    leftMs -= spentMs();
  };
  return {
    begin,
    assertTime,
    end,
    async next() {
      if (spentMs() < sliceMs) return;
      end();
      await setImmediate();
      signal?.throwIfAborted();
      begin();
    },
  };
}

// The assets that have drafts, as these leave them. What a search has read stays in memory until one of the assets' types is written
// to, if it is small, so that the next search reads nothing. That somebody has created a live asset of another type under the `_id` of a
// drafted one is noticed then, too.

interface DraftedAssets {
  /** Finds the `_id`s of the drafts of assets of these classes. */
  findIds(types: readonly string[]): Promise<ReadonlySet<string>>;
  /** Reads those assets that exist with their drafts, chunk by chunk. */
  read(types: readonly string[]): AsyncIterable<readonly Asset[]>;
}

/** How many chunks of live assets stay in memory. */
const maxKept = 16;

/** What is known of the assets of some types. */
interface Known {
  readonly revision: string;
  /** The live versions of all assets with drafts; `undefined` for one that is not live. */
  readonly versions: ReadonlyMap<string, string | undefined>;
  readonly assets: readonly Asset[];
  /** How many chunks they were read in. */
  readonly chunks: number;
}

/** Creates the reader of some drafts. */
export function createDraftedAssets(
  store: Pick<ContentStore, 'getMany' | 'getTypes' | 'getVersions' | 'revision'>,
  drafts: DraftSource,
): DraftedAssets {
  const knownOf = new Map<string, Known>();
  const idsOf = new WeakMap<readonly Draft[], ReadonlySet<string>>();

  async function findIds(types: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await drafts.ofTypes(types);
    const ids = idsOf.get(found) ?? new Set(found.map(idOfWrite));
    idsOf.set(found, ids);
    return ids;
  }

  async function* read(types: readonly string[]): AsyncGenerator<readonly Asset[]> {
    const key = types.join(' ');
    // Before the versions, and these before the assets: a write between the reads causes another reading.
    const revision = await store.revision(types);
    const known = knownOf.get(key);
    if (known?.revision === revision) {
      yield known.assets;
      return;
    }
    const found = await drafts.ofTypes(types);
    const versions = await readVersions(found.map(idOfWrite));
    const isSame = (id: string) => known?.versions.has(id) && known.versions.get(id) === versions.get(id);
    const same = known?.assets.filter(({ _id }) => versions.has(_id) && isSame(_id)) ?? [];
    knownOf.delete(key);
    yield same;
    const assets = [...same];
    let chunks = known?.chunks ?? 0;
    for await (const chunk of readDrafted(
      store,
      found.filter((draft) => !isSame(idOfWrite(draft))),
    )) {
      if (!known) chunks++;
      if (chunks <= maxKept) assets.push(...chunk);
      yield chunk;
    }
    if (chunks <= maxKept) keep(key, { revision, versions, assets, chunks });
  }

  async function readVersions(ids: readonly string[]): Promise<Known['versions']> {
    const live = await store.getVersions(ids);
    return new Map(ids.map((id) => [id, live.get(id)]));
  }

  /** Keeps assets in place of those that were read first. */
  function keep(key: string, known: Known): void {
    knownOf.set(key, known);
    let count = [...knownOf.values()].reduce((sum, { chunks }) => sum + chunks, 0);
    for (const [oldest, { chunks }] of knownOf) {
      if (count <= maxKept) return;
      knownOf.delete(oldest);
      count -= chunks;
    }
  }

  return { findIds, read };
}

/** Reads chunk by chunk, since the live assets may be large. Those that drafts delete are not read. */
async function* readDrafted(
  store: Pick<ContentStore, 'getMany' | 'getTypes'>,
  drafts: readonly Draft[],
): AsyncGenerator<readonly Asset[]> {
  const deletions = drafts.filter(({ kind }) => kind === 'delete');
  const types = await store.getTypes(deletions.map(idOfWrite));
  const isDeleted = (draft: Draft) =>
    draft.kind === 'delete' && (types.get(draft.id) ?? draft.type) === draft.type;
  const left = new Map(drafts.filter((draft) => !isDeleted(draft)).map((draft) => [idOfWrite(draft), draft]));
  for await (const found of readMany(store, [...left.keys()])) {
    yield [...found].flatMap(([id, live]) => {
      const draft = left.get(id);
      left.delete(id);
      return (draft && applyDraft(draft, live)?.asset) ?? [];
    });
  }
  yield [...left.values()].flatMap((draft) => applyDraft(draft, undefined)?.asset ?? []);
}
