/**
 * Splits a predicate between the store and the drafts: the store finds the assets without drafts, and `query/evaluate.ts` tests those
 * with drafts.
 *
 * Neither can follow a reference to an asset of the other. So each step through a reference becomes a comparison of the reference with
 * the `_id`s of the targets that match: the store gets those of the drafted targets, the drafts get those of all targets.
 */
import { setImmediate } from 'node:timers/promises';
import { queryTooCostly } from '../../base/errors.ts';
import type { Asset, JsonObject } from '../../model/content-type.ts';
import { createAssetWork } from '../../query/asset-work.ts';
import type { BoundAny, BoundPredicate } from '../../query/ast.ts';
import { allOf, anyOf, buildAny, negate } from '../../query/build-comparison.ts';
import { prepareEvaluation } from '../../query/evaluate.ts';
import { findItems, findValues } from '../../query/path-values.ts';
import { idPath } from '../../query/sort.ts';
import { type ContentStore, defaultQueryMs } from '../../store/port.ts';
import type { ReadCaller } from '../../store/read-caller.ts';
import type { DraftedAssets } from './drafted-assets.ts';

/** What the store finds of a search. */
export interface LiveSearch {
  /** Finds the live assets that match, those with drafts included, through references to assets as their drafts leave them. */
  readonly where: BoundPredicate | undefined;
  /** Finds those of them that have drafts; absent if there are no drafts of their types. */
  readonly drafted?: BoundPredicate;
  /** Finds the others. */
  readonly undrafted: BoundPredicate | undefined;
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
}

/** How many `_id`s one search of the store is for. */
const idsAtOnce = 1_000;
/** How long drafts are tested before other work may run. */
const turnMs = 20;
/** The most references of drafts that the steps of a predicate at one level follow. */
const maxReferences = 100_000;

/** Creates the matcher of one search. Its calls throw the errors of the store's searches. */
export function createDraftMatcher(
  store: Pick<ContentStore, 'find'>,
  assets: DraftedAssets,
  { client, signal }: ReadCaller,
): DraftMatcher {
  const targets = new Map<BoundAny, Promise<readonly string[]>>();
  const turns = createTurns(signal);

  async function toLive(types: readonly string[], asked: BoundPredicate | undefined): Promise<LiveSearch> {
    const where = asked && (await replaceSteps(asked, toLiveStep));
    const ids = await assets.findIds(types);
    if (ids.length === 0) return { where, undrafted: where };
    const terms = where ? [where] : [];
    return {
      where,
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
    const find = async () => {
      const ids: string[] = [];
      await visit(classes, any.where, ({ _id }) => ids.push(_id));
      return ids;
    };
    const found = targets.get(any) ?? find();
    targets.set(any, found);
    return found;
  }

  async function visit(
    types: readonly string[],
    where: BoundPredicate | undefined,
    each: (asset: Asset) => void,
  ): Promise<void> {
    if ((await assets.findIds(types)).length === 0) return;
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
    await readEach(types, (asset) => {
      work.begin();
      if (holds(asset, () => undefined)) each(asset);
    });
  }

  async function readEach(types: readonly string[], each: (asset: Asset) => void): Promise<void> {
    turns.begin();
    for await (const chunk of assets.read(types)) {
      for (const asset of chunk) {
        await turns.next();
        if (types.includes(asset._type)) each(asset);
      }
    }
    turns.end();
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

  return { toLive, visit };
}

const hasId = (values: readonly string[]): BoundPredicate => ({
  kind: 'equals',
  path: idPath,
  values,
  ignoreCase: false,
});

const refersTo = ({ path }: BoundAny, ids: readonly string[]): BoundPredicate =>
  ids.length > 0 ? { kind: 'equals', path, values: ids, ignoreCase: false } : anyOf([]);

/** Replaces each step through a reference; returns `where` itself if none changes. */
async function replaceSteps(
  where: BoundPredicate,
  replace: (any: BoundAny, targets: readonly string[]) => Promise<BoundPredicate>,
): Promise<BoundPredicate> {
  switch (where.kind) {
    case 'and':
    case 'or': {
      const terms: BoundPredicate[] = [];
      for (const term of where.terms) terms.push(await replaceSteps(term, replace));
      if (terms.every((term, n) => term === where.terms[n])) return where;
      return where.kind === 'and' ? allOf(terms) : anyOf(terms);
    }
    case 'not': {
      const term = await replaceSteps(where.term, replace);
      return term === where.term ? where : negate(term);
    }
    case 'any': {
      if (where.targets) return replace(where, where.targets);
      const inner = await replaceSteps(where.where, replace);
      return inner === where.where ? where : buildAny({ ...where, where: inner });
    }
    default:
      return where;
  }
}

function hasSteps(where: BoundPredicate): boolean {
  if (where.kind === 'and' || where.kind === 'or') return where.terms.some(hasSteps);
  if (where.kind === 'not') return hasSteps(where.term);
  return where.kind === 'any' && (where.targets !== undefined || hasSteps(where.where));
}

/** The `_id`s that the steps of a predicate lead to. */
interface References {
  readonly ofStep: Map<BoundAny, Set<string>>;
  /** Of all steps together. */
  count: number;
}

/** Adds the references that an asset, or an item of a list in it, has for each step. Errors: query_too_costly. */
function collectReferences(where: BoundPredicate, holder: JsonObject, found: References): void {
  if (where.kind === 'and' || where.kind === 'or')
    for (const term of where.terms) collectReferences(term, holder, found);
  if (where.kind === 'not') collectReferences(where.term, holder, found);
  if (where.kind !== 'any') return;
  if (!where.targets) {
    for (const item of findItems(holder, where, () => undefined)) collectReferences(where.where, item, found);
    return;
  }
  const ids = found.ofStep.get(where) ?? new Set();
  found.ofStep.set(where, ids);
  const before = ids.size;
  for (const id of findValues(holder, where.path)) ids.add(String(id));
  found.count += ids.size - before;
  if (found.count > maxReferences) throw queryTooCostly();
}

/** Lets other work run between the tests of drafts, and ends them after the time of a search, without the searches of the store. */
function createTurns(signal: AbortSignal | undefined) {
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
      if (spentMs() < turnMs) return;
      end();
      await setImmediate();
      signal?.throwIfAborted();
      begin();
    },
  };
}
