/**
 * A target that writes nothing: it answers each batch as the one behind it would, from the content types, from what is behind it, and
 * from what it was asked to write before.
 */
import { idInUse, invalidBody, isDomainError, notFound } from '../../base/errors.ts';
import type { IdSource } from '../../base/runtime.ts';
import { findType, readId } from '../../content/asset-identity.ts';
import type { Catalog, JsonObject } from '../../model/content-type.ts';
import { type ChangeChecker, createChangeChecker } from './check-change.ts';
import type { Batch, ContentTarget, Operation, OperationResult } from './content-target.ts';
import type { KnownAsset, PlannedContent } from './planned-content.ts';
import { toRefusal } from './refusal.ts';
import { createTargetView, type TargetView } from './target-state.ts';

/** What a dry run goes by. */
export interface DryRunSettings {
  readonly target: ContentTarget;
  readonly catalog: Catalog;
  readonly seen: PlannedContent;
  readonly ids: IdSource;
  readonly siteOwnerRequired: boolean;
}

/** Makes the target; it is to be used by one batch at a time. */
export function createDryRunTarget(settings: DryRunSettings): ContentTarget {
  const { target, catalog, seen, ids } = settings;
  const checker = createChangeChecker(settings);

  async function batch({ operations }: Batch) {
    const view = await createTargetView(operations, settings);
    return { kind: 'answered' as const, results: operations.map((operation) => answer(operation, view)) };
  }

  function answer(operation: Operation, view: TargetView): OperationResult {
    try {
      return carryOut(operation, view);
    } catch (error) {
      if (!isDomainError(error)) throw error;
      return { outcome: 'refused', refusal: toRefusal(error) };
    }
  }

  function carryOut({ action, by, asset }: Operation, view: TargetView): OperationResult {
    if (action === 'upsert') findType(catalog, asset._type);
    const known = action === 'create' ? undefined : findKnown(by, asset, view);
    if (known) return settle('updated', known, checker.checkChange({ input: asset, known, view }));
    if (action === 'update') throw notFound(String(asset[by] ?? ''));
    const type = findType(catalog, asset._type);
    const _id = readId(asset._id) ?? ids.assetId();
    if (seen.find(_id) ?? view.find(_id)) throw idInUse(_id);
    const created = { _id, _type: type.class };
    return settle('created', created, checker.checkNew({ input: asset, known: created, view }));
  }

  /** The asset that is meant: as the lines before have left it, else as the target has it. */
  function findKnown(by: string, asset: JsonObject, view: TargetView): KnownAsset | undefined {
    if (by === '_id') {
      const id = readId(asset._id);
      if (id === undefined) throw invalidBody([{ path: '_id', message: 'is required' }]);
      return seen.find(id) ?? view.find(id);
    }
    return checker.findByField({ by, asset, view });
  }

  function settle(
    outcome: 'created' | 'updated',
    known: KnownAsset,
    references: ReturnType<ChangeChecker['checkNew']>,
  ): OperationResult {
    seen.add(known);
    const unresolved = references
      .filter(({ reference }) => seen.find(reference._ref)?._type !== reference._type)
      .map(({ path, reference }) => ({ path, ...reference }));
    return { outcome, _id: known._id, unresolved };
  }

  return {
    ...target,
    batch,
    async findMissing({ type, refs }) {
      const unseen = refs.filter((ref) => seen.find(ref)?._type !== type);
      return unseen.length > 0 ? target.findMissing({ type, refs: unseen }) : [];
    },
  };
}
