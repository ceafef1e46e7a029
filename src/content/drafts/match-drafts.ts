/**
 * Splits a predicate between the store and the drafts: the store finds the assets without drafts, and `query/evaluate.ts` tests those
 * with drafts.
 *
 * Neither can follow a reference to an asset of the other. So each step through a reference becomes a comparison of the reference with
 * the `_id`s of the targets that match: the store gets those of the drafted targets, the drafts get those of all targets.
 */
import type { Asset } from '../../model/content-type.ts';
import { createAssetWork } from '../../query/asset-work.ts';
import type { BoundAny, BoundPredicate } from '../../query/ast.ts';
import { allOf, anyOf, buildAny, negate } from '../../query/build-comparison.ts';
import { prepareEvaluation } from '../../query/evaluate.ts';
import { positionOf, type SortPosition } from '../../query/keyset.ts';
import { type BoundSort, compareInOrder, idPath, sortById } from '../../query/sort.ts';
import type { ContentStore } from '../../store/port.ts';
import type { ReadCaller } from '../../store/read-caller.ts';
import type { DraftedAssets } from './drafted-assets.ts';
import type { KeptResults } from './kept-results.ts';
import { collectReferences, hasSteps, type References, replaceSteps } from './reference-steps.ts';
import { createTestTurns } from './test-turns.ts';

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
export interface KeptMatches {
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
  const turns = createTestTurns(signal);

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

  /** Prepares the test of assets with drafts. */
  async function prepareTest(
    types: readonly string[],
    where: BoundPredicate | undefined,
  ): Promise<(asset: Asset) => boolean> {
    const wanted = where ?? allOf([]);
    const references: References = { ofStep: new Map(), count: 0 };
    if (hasSteps(wanted)) {
      await readEach(types, (asset) => {
        collectReferences(wanted, asset, references);
      });
    }
    const resolved = await replaceSteps(wanted, (any, classes) =>
      toDraftStep(any, classes, references.ofStep.get(any)),
    );
    const work = createAssetWork();
    const holds = prepareEvaluation(resolved, (characters) => {
      turns.assertTime();
      work.add(characters);
    });
    return (asset) => {
      work.begin();
      return holds(asset, () => undefined);
    };
  }

  const list: DraftMatcher['list'] = async (types, where, sort) => {
    const { inOrder } = await kept.lists({ types, where, sort }, async (outdated) => {
      const known = where && hasSteps(where) ? undefined : outdated?.ofAsset;
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
      turns.begin();
      for (const asset of chunk) {
        await turns.next();
        if (types.includes(asset._type)) each(asset);
      }
      turns.end();
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
