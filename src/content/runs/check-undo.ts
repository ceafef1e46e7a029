/**
 * Checks whether an asset may be brought to a former state: whether today's types accept it, its references lead somewhere, its
 * unique values are free, and nothing that stays refers to an asset that would be deleted.
 *
 * What else the same revert is going to undo counts as undone already, so that assets that refer to each other can be reverted in
 * any order.
 */
import type { Problem } from '../../base/problems.ts';
import { type Asset, type Catalog, type JsonObject, siteOwnerField } from '../../model/content-type.ts';
import { keyName } from '../../model/field-path.ts';
import type { AssetValidators, FoundReference } from '../../model/values/validate-asset.ts';
import { createKeysOf, hasKey } from '../../query/unique-values.ts';
import type { ContentStore } from '../../store/port.ts';
import { checkTarget, findTargetTypes } from '../check-references.ts';
import type { ContentRules } from '../prepare-write.ts';
import type { AssetFinder } from '../reading/find-assets.ts';
import type { ReferenceFinder } from '../reading/find-references.ts';
import { findMissingOwner } from '../site-owner.ts';
import type { Referrer, Transition } from './planned-undo.ts';
import type { RevertScope, SegmentReader } from './run-segment.ts';

/** Checks single steps of a revert. */
export interface UndoChecks {
  /** Checks a former state. */
  checkState(past: Asset, scope: RevertScope): Promise<readonly Problem[]>;
  /** Checks its unique values, where they differ from those of today. For plans: a write is checked by the store. */
  checkUnique(transition: Transition, scope: RevertScope): Promise<readonly Problem[]>;
  /** Finds assets that keep an asset from being deleted, because they will still refer to it. */
  findRemaining(id: string, scope: RevertScope): Promise<readonly Referrer[]>;
}

/** The parts that the checks use. */
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

/** Creates the checks. */
export function createUndoChecks(parts: UndoCheckParts): UndoChecks {
  const { catalog, validators, store, finder, findReferences, segments, rules } = parts;
  const keysOf = createKeysOf(catalog);

  async function checkState(past: Asset, scope: RevertScope): Promise<readonly Problem[]> {
    const { _id, _type, ...fields } = past;
    const validator = validators.get(_type);
    if (!validator) return [{ path: '_type', message: `${_type} is no content type any more` }];
    // Without `_id` and `_type`, all members are fields.
    const { problems, references } = validator.checkNew(fields as JsonObject);
    return [
      ...problems,
      ...findMissingOwner({ type: _type, owner: past[siteOwnerField] }, rules),
      ...(await checkReferences(_id, references, scope)),
    ];
  }

  async function checkReferences(
    id: string,
    references: readonly FoundReference[],
    scope: RevertScope,
  ): Promise<Problem[]> {
    const others = references.filter(({ reference }) => reference._ref !== id);
    if (!rules.referencesChecked || others.length === 0) return [];
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
    return problems;
  }

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
