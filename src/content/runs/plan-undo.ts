/**
 * Plans what the revert of a run does to each asset, from one page of the run's entries in the log, and builds its writes.
 *
 * An asset goes back, last write first, as far as the first write of somebody else. Each group of consecutive writes of the run is
 * planned at its newest entry, and in no other page, so that a plan needs no memory of the pages before.
 */

import { isDeepStrictEqual } from 'node:util';
import { memberOf } from '../../base/own-members.ts';
import type { EditConflict, Problem } from '../../base/problems.ts';
import type { Clock, IdSource } from '../../base/runtime.ts';
import { titleOf } from '../../model/asset-title.ts';
import {
  type Asset,
  type Catalog,
  type ContentType,
  type Json,
  type JsonObject,
  siteOwnerField,
} from '../../model/content-type.ts';
import { keyName } from '../../model/field-path.ts';
import type { AssetValidators, FoundReference } from '../../model/values/validate-asset.ts';
import { createKeysOf, hasKey } from '../../query/unique-values.ts';
import type { ChangeEntry, ChangeLog } from '../../store/changes.ts';
import type { AssetWrite, ContentStore, StoredAsset } from '../../store/port.ts';
import { type AddedTargets, addedTargets, checkTarget, findTargetTypes } from '../check-references.ts';
import { isOfRelease } from '../drafts/draft.ts';
import { type ContentRules, findMissingOwner } from '../prepare-write.ts';
import type { AssetFinder } from '../reading/find-assets.ts';
import type { ReferenceFinder } from '../reading/find-references.ts';
import { isInScope, type LastWrites, type RevertScope, type SegmentReader } from './run-segment.ts';

export interface UndoPlanner {
  /** Plans what is left to do because of an entry; `undefined` when that is nothing, or planned at another entry. */
  plan(entry: ChangeEntry, scope: RevertScope): Promise<PlannedUndo | undefined>;
}

/** Creates the planner. `isDryRun` says whether it also has to find what the store would refuse. */
export function createUndoPlanner({
  catalog,
  changes,
  segments,
  checks,
  writer,
  isDryRun,
}: {
  catalog: Catalog;
  changes: ChangeLog;
  segments: SegmentReader;
  checks: UndoChecks;
  writer: UndoWriter;
  isDryRun: boolean;
}): UndoPlanner {
  async function plan(entry: ChangeEntry, scope: RevertScope): Promise<PlannedUndo | undefined> {
    if (isOfRelease(entry.type)) return undefined;
    if (!catalog.types.has(entry.type)) return toConflict(entry, {}, { reason: 'unsupported' });
    const last = await segments.readLast(entry.asset, scope);
    if (entry.action === 'erase') return toConflict(entry, {}, { reason: 'erased' });
    const isLast = last.oldest !== undefined && entry.number >= last.oldest;
    return isLast ? planLast(entry, last, scope) : planOverwritten(entry, last, scope);
  }

  async function planLast(entry: ChangeEntry, last: LastWrites, scope: RevertScope) {
    const isPlannedElsewhere = entry.number !== last.newestOfRun;
    const isDone = last.newest?.run === scope.revert && scope.revert !== undefined;
    if (isPlannedElsewhere || isDone) return undefined;
    const step = { now: last.current?.asset, past: last.before };
    if (isSame(step)) return undefined;
    const { conflict, ...found } = await findConflict(step, scope);
    if (conflict) return toConflict(entry, step, conflict);
    const type = catalog.types.get((step.past ?? step.now)?._type ?? '');
    return { ...describeUndo(step, { entry, type }), writes: writer.toWrites(last, found) };
  }

  /** Plans nothing but a conflict, at the newest of the writes that another one followed. */
  async function planOverwritten(entry: ChangeEntry, last: LastWrites, scope: RevertScope) {
    const { asset, number } = entry;
    const { entries } = await changes.history({ asset, before: number + 2, limit: 1 });
    const [change] = entries;
    if (!change || change.number === number || isInScope(change, scope)) return undefined;
    if (change.action === 'erase') return toConflict(entry, {}, { reason: 'erased' });
    const [after, now] = [await stateAfter(entry), last.current?.asset];
    const { before } = await segments.readUpTo({ asset, number, after }, scope);
    const step = { now, past: before };
    // Others have undone it themselves, for example by deleting what it had created.
    if (isSame(step)) return undefined;
    const names = new Set([...entry.changed, ...change.changed]);
    return toConflict(entry, step, { reason: 'changed', change, values: compare({ ...step, after }, names) });
  }

  async function stateAfter({ asset, number }: ChangeEntry): Promise<Asset | undefined> {
    const state = await changes.stateOf(asset, { number });
    return state.kind === 'exists' ? state.asset : undefined;
  }

  async function findConflict(
    { now, past }: Transition,
    scope: RevertScope,
  ): Promise<{ readonly conflict?: UndoConflict } & AddedTargets> {
    if (!past) {
      const referrers = now ? await checks.findRemaining(now._id, scope) : [];
      return referrers.length > 0 ? { conflict: { reason: 'referenced', referrers } } : {};
    }
    const { problems: state, ...found } = await checks.checkState(past, scope);
    const taken = isDryRun ? await checks.checkUnique({ now, past }, scope) : [];
    const problems = [...state, ...taken];
    return problems.length > 0 ? { conflict: { reason: 'refused', problems } } : found;
  }

  function toConflict(entry: ChangeEntry, step: Partial<Transition>, conflict: UndoConflict): PlannedUndo {
    const { now, past } = step;
    const type = catalog.types.get(entry.type);
    return { ...describeUndo({ now, past }, { entry, type }), writes: [], conflict };
  }

  return { plan };
}

const isSame = (step: Transition) =>
  (step.now === undefined) === (step.past === undefined) && findChanges(step).length === 0;

/** How many fields a conflict lists. */
const maxValues = 50;

function compare(
  { after, now, past }: Transition & { after: Asset | undefined },
  names: ReadonlySet<string>,
): EditConflict[] {
  const all = [after, now, past].flatMap((state) => Object.keys(state ?? {}));
  // Creations and deletions change all fields.
  const paths = names.size > 0 ? [...names] : [...new Set(all)];
  return paths.slice(0, maxValues).map((path) => {
    const [base, theirs, yours] = [after, now, past].map((state) => state && memberOf(state, path));
    return {
      path,
      ...(base !== undefined && { base }),
      ...(theirs !== undefined && { theirs }),
      ...(yours !== undefined && { yours }),
    };
  });
}

interface CheckedState extends AddedTargets {
  readonly problems: readonly Problem[];
}

type UndoChecks = ReturnType<typeof createUndoChecks>;

export interface UndoCheckParts {
  readonly catalog: Catalog;
  readonly validators: AssetValidators;
  readonly store: ContentStore;
  readonly finder: AssetFinder;
  readonly findReferences: ReferenceFinder;
  readonly segments: SegmentReader;
  readonly rules: ContentRules;
}

/** How many assets are examined for one that would be deleted, and how many referrers of each. */
const maxExamined = 300;
const maxReferrers = 100;

export function createUndoChecks(parts: UndoCheckParts) {
  const { catalog, validators, store, finder, findReferences, segments, rules } = parts;
  const keysOf = createKeysOf(catalog);

  /** Checks a former state; returns its problems, and the targets of its references that exist. */
  async function checkState(past: Asset, scope: RevertScope): Promise<CheckedState> {
    const { _id, _type, ...fields } = past;
    const validator = validators.get(_type);
    if (!validator) return { problems: [{ path: '_type', message: `${_type} is no content type any more` }] };
    // Without `_id` and `_type`, all members are fields.
    const { problems, references } = validator.checkNew(fields as JsonObject);
    const missing = findMissingOwner({ type: _type, owner: past[siteOwnerField] }, rules);
    const checked = await checkReferences(_id, references, scope);
    const own = [...problems, ...validator.checkRules(past), ...missing];
    return { ...checked, problems: [...own, ...checked.problems] };
  }

  async function checkReferences(
    id: string,
    references: readonly FoundReference[],
    scope: RevertScope,
  ): Promise<CheckedState> {
    const others = references.filter(({ reference }) => reference._ref !== id);
    if (!rules.referencesChecked || others.length === 0) return { problems: [] };
    const targets = new Set(others.map(({ reference }) => reference._ref));
    const types = await findTargetTypes([...targets], { store, catalog, caller: {} });
    const problems: Problem[] = [];
    for (const found of others) {
      const { _ref } = found.reference;
      const missing = checkTarget(found, types.get(_ref));
      if (missing.length === 0) continue;
      const { before } = await segments.readLast(_ref, scope);
      problems.push(...checkTarget(found, before?._type));
    }
    const known = others.filter(({ reference }) => types.has(reference._ref));
    return { problems, ...addedTargets({ references: known }) };
  }

  /** Checks its unique values, where they differ from those of today. For plans: a write is checked by the store. */
  async function checkUnique({ now, past }: Transition, scope: RevertScope): Promise<readonly Problem[]> {
    const type = past && catalog.types.get(past._type);
    if (!type) return [];
    const known = new Set((now ? keysOf(now) : []).map(({ text }) => text));
    const problems: Problem[] = [];
    for (const key of keysOf(past)) {
      const { text } = key;
      if (known.has(text)) continue;
      const query = { from: type.class, filter: hasKey(key), offset: 0, limit: 1, withCount: false };
      const { items } = await finder.find(query, {});
      for (const { asset } of items) {
        const { before } = await segments.readLast(asset._id, scope);
        const isFreed = !before || !keysOf(before).some((key) => key.text === text);
        if (!isFreed) problems.push({ path: keyName(key.paths), message: `is in use by ${asset._id}` });
      }
    }
    return problems;
  }

  /** Finds assets that keep an asset from being deleted, because they will still refer to it. */
  async function findRemaining(id: string, scope: RevertScope): Promise<readonly Referrer[]> {
    const examined = new Set([id]);
    for (const one of examined) {
      const found = await findReferences({ id: one, limit: maxReferrers }, {});
      const remaining: Referrer[] = [];
      for (const item of found.items) {
        if (examined.has(item._id)) continue;
        const { before } = await segments.readLast(item._id, scope);
        // What the revert deletes as well may itself be kept by others, so it is examined in turn.
        if (!before) examined.add(item._id);
        else if (refersTo(before, one)) remaining.push(item);
      }
      const isUndecided = found.count > found.items.length || found.unsearched.length > 0;
      if (remaining.length > 0) return remaining;
      if (isUndecided || examined.size > maxExamined) return found.items;
    }
    return [];
  }

  return { checkState, checkUnique, findRemaining };
}

/** Tells whether an asset contains the ID of another. */
const refersTo = (asset: Asset, id: string) => JSON.stringify(asset).includes(id);

/** A field that a revert changes; a value is absent when the field has none. */
interface FieldChange {
  readonly path: string;
  readonly from?: Json;
  readonly to?: Json;
}

/** An asset that refers to another. */
interface Referrer {
  readonly _id: string;
  readonly _type: string;
  readonly title: string;
}

/**
 * Why writes of a run are not undone.
 *
 * - `changed`: another write came after them: `change`. `values` are the fields concerned: what the run wrote (`base`), what they
 *   are now (`theirs`), and what the revert would have made them (`yours`).
 * - `referenced`: the run created the asset, and others refer to it by now.
 * - `refused`: the former state breaks a rule of today.
 * - `erased`: its former states are gone.
 * - `unsupported`: it is no content of today's types, such as an API client.
 */
export type UndoConflict =
  | { readonly reason: 'changed'; readonly change: ChangeEntry; readonly values: readonly EditConflict[] }
  | { readonly reason: 'referenced'; readonly referrers: readonly Referrer[] }
  | { readonly reason: 'refused'; readonly problems: readonly Problem[] }
  | { readonly reason: 'erased' | 'unsupported' };

/** What a revert does to one asset. With a `conflict` it does nothing, and `action` and `changes` say what it would do. */
export interface PlannedUndo {
  readonly asset: string;
  readonly type: string;
  readonly title: string;
  readonly action: 'create' | 'update' | 'delete';
  /** Empty unless the asset is updated. */
  readonly changes: readonly FieldChange[];
  readonly writes: readonly AssetWrite[];
  readonly conflict?: UndoConflict;
}

/** A change of an asset as a whole. `undefined` means that it does not exist. */
interface Transition {
  readonly now: Asset | undefined;
  readonly past: Asset | undefined;
}

/** The field that says when an asset was written, which a revert sets to the present time as every write does. */
const updateDateField = 'cms.content.updateDate';

/** Lists the fields that differ, without the date of the last write. */
function findChanges({ now, past }: Transition): FieldChange[] {
  const names = new Set([...Object.keys(now ?? {}), ...Object.keys(past ?? {})]);
  names.delete(updateDateField);
  return [...names].flatMap((path) => {
    const [one, other] = [now, past].map((state) => state && memberOf(state, path));
    if (isDeepStrictEqual(one, other)) return [];
    return [{ path, ...(one !== undefined && { from: one }), ...(other !== undefined && { to: other }) }];
  });
}

/** Describes what changing an asset does, without the writes. */
function describeUndo(
  { now, past }: Transition,
  { entry, type }: { entry: ChangeEntry; type: ContentType | undefined },
): Omit<PlannedUndo, 'writes'> {
  const titled = now ?? past;
  const exists = now !== undefined;
  return {
    asset: entry.asset,
    type: titled?._type ?? entry.type,
    title: titled ? titleOf(titled, type) : entry.asset,
    action: now || past ? (past === undefined ? 'delete' : exists ? 'update' : 'create') : inverseOf(entry),
    changes: exists && past !== undefined ? findChanges({ now, past }) : [],
  };
}

/** What undoes an entry, for assets whose states are unknown. */
function inverseOf({ action }: ChangeEntry): PlannedUndo['action'] {
  switch (action) {
    case 'create':
      return 'delete';
    case 'delete':
    case 'erase':
      return 'create';
    case 'update':
    case 'signIn':
      return 'update';
  }
}

/** An asset as it is, and as it was. `undefined` means that it does not exist. */
interface Step {
  readonly current: StoredAsset | undefined;
  readonly before: Asset | undefined;
}

type UndoWriter = ReturnType<typeof createUndoWriter>;

export function createUndoWriter({
  types,
  clock,
  ids,
}: {
  types: ReadonlyMap<string, ContentType>;
  clock: Clock;
  ids: IdSource;
}) {
  /** Makes the writes that lead from the current state, and from no other, to that before. */
  function toWrites({ current, before }: Step, found: AddedTargets): readonly AssetWrite[] {
    if (current && before && current.asset._type === before._type)
      return [{ ...toPatch(current, before), ...found }];
    const insertion = before ? [{ ...toInsertion(before), ...found }] : [];
    return current ? [toDeletion(current), ...insertion] : insertion;
  }

  function toPatch({ asset, version }: StoredAsset, before: Asset): AssetWrite {
    const changes = findChanges({ now: asset, past: before });
    return {
      kind: 'patch',
      id: asset._id,
      type: asset._type,
      set: Object.fromEntries([
        ...changes.flatMap(({ path, to }): [string, Json][] => (to === undefined ? [] : [[path, to]])),
        ...dateOf(asset._type),
      ]),
      unset: changes.flatMap(({ path, to }) => (to === undefined ? [path] : [])),
      version: ids.version(),
      ifVersion: version,
    };
  }

  const toDeletion = ({ asset: { _id: id, _type: type }, version }: StoredAsset): AssetWrite => ({
    kind: 'delete',
    id,
    type,
    change: ids.version(),
    ifVersion: version,
  });

  const toInsertion = (before: Asset): AssetWrite => ({
    kind: 'insert',
    asset: { ...before, ...Object.fromEntries(dateOf(before._type)) },
    version: ids.version(),
  });

  const dateOf = (type: string): [string, Json][] =>
    types.get(type)?.fields.has(updateDateField) ? [[updateDateField, clock.nowMs()]] : [];

  return { toWrites };
}
