/**
 * A target that writes nothing: it answers each batch as the target behind it would, by the content layer's own preparation of writes.
 * It reads what that target has, and remembers what earlier batches would have written.
 */
import { type DomainError, idInUse, isDomainError, notFound } from '../../base/errors.ts';
import type { Clock, IdSource } from '../../base/runtime.ts';
import type { BatchOperation } from '../../content/batch/batch.ts';
import {
  type Target as OperationTarget,
  type ReadOperation,
  readOperation,
} from '../../content/batch/read-operations.ts';
import { createUniqueKeys } from '../../content/batch/unique-keys.ts';
import { createKeyReader, createResolver, type KeyReader } from '../../content/named-references.ts';
import { createWritePreparer } from '../../content/prepare-write.ts';
import { siteOwnerField } from '../../content/reading/site-visibility.ts';
import type { Asset, Catalog } from '../../model/content-type.ts';
import { createAssetValidators, type FoundReference } from '../../model/values/validate-asset.ts';
import { claimUniqueValues, findInTarget } from './claim-unique-values.ts';
import type { Batch, ContentTarget, Operation, OperationResult } from './content-target.ts';
import type { KnownAsset, PlannedContent } from './planned-content.ts';
import { toRefusal } from './refusal.ts';
import { createTargetView, type TargetView, toUniqueValue } from './target-state.ts';

/** The data and services that a dry run needs. */
export interface DryRunSettings {
  /** The target that would be written to. */
  readonly target: ContentTarget;
  readonly catalog: Catalog;
  readonly planned: PlannedContent;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly siteOwnerRequired: boolean;
}

/** What is known of a batch: the assets of the target, and the keys in its references. */
interface Known {
  readonly view: TargetView;
  readonly readKey: KeyReader;
}

/** Makes the target. It takes one batch at a time. */
export function createDryRunTarget(settings: DryRunSettings): ContentTarget {
  const { target, catalog, planned, ids, clock, siteOwnerRequired } = settings;
  const validators = createAssetValidators(catalog);
  const keys = createUniqueKeys(catalog, validators);
  // References may lead to assets of later lines; the import reports those that never come.
  const rules = { siteOwnerRequired, referencesChecked: false };
  const preparer = createWritePreparer({ catalog, validators, clock, rules });

  async function batch({ operations }: Batch) {
    const readKey = createKeyReader(keys);
    const source = { catalog, keys, readKey };
    const read = await Promise.all(
      operations.map((operation, index) => readOperation(toBatchOperation(operation), index, source)),
    );
    const named = read.flatMap((one) => ('kind' in one ? [] : one.named.map(toUniqueValue)));
    const view = await createTargetView(operations, { ...settings, named });
    const results = read.map((one) => ('kind' in one ? refused(one.error) : answer(one, { view, readKey })));
    return { kind: 'answered' as const, results };
  }

  function answer(read: ReadOperation, known: Known): OperationResult {
    try {
      return carryOut(read, known);
    } catch (error) {
      if (!isDomainError(error)) throw error;
      return refused(error);
    }
  }

  function carryOut(
    { action, target: wanted, input }: ReadOperation,
    { view, readKey }: Known,
  ): OperationResult {
    const present = findPresent(wanted, view);
    const resolve = createResolver(readKey, (key) => findPresent({ kind: 'key', key }, view)?._id);
    if (present) {
      const foundBy = wanted.kind === 'key' ? { foundBy: wanted.key.path.text } : {};
      const { write, references } = preparer.update(
        // The version is unknown, and without a condition it is not read.
        { present: { asset: present, version: '' }, input, ids, resolve, ...foundBy },
        {},
      );
      claimUniqueValues({ asset: present, set: write.set, unset: write.unset }, { catalog, planned, view });
      return settle('updated', present, references);
    }
    if (action === 'update') throw notFound(nameOf(wanted));
    const { write, references } = preparer.create({ input, ids, resolve }, {});
    const { asset } = write;
    if (planned.find(asset._id) ?? view.find(asset._id)) throw idInUse(asset._id);
    claimUniqueValues({ asset, set: asset, unset: [] }, { catalog, planned, view });
    return settle('created', asset, references);
  }

  /** Finds the asset of an operation: as earlier lines would have left it, else as the target has it. */
  function findPresent(wanted: OperationTarget, view: TargetView): Asset | undefined {
    if (wanted.kind === 'new') return undefined;
    if (wanted.kind === 'id') return toPresent(planned.find(wanted.id)) ?? view.find(wanted.id);
    const value = toUniqueValue(wanted.key);
    return toPresent(planned.findByValue(value)) ?? findInTarget(value, { planned, view });
  }

  function settle(
    outcome: 'created' | 'updated',
    { _id, _type }: KnownAsset,
    references: readonly FoundReference[],
  ): OperationResult {
    planned.add({ _id, _type });
    const unresolved = references
      .filter(({ reference }) => planned.find(reference._ref)?._type !== reference._type)
      .map(({ path, reference }) => ({ path, ...reference }));
    return { outcome, _id, unresolved };
  }

  return {
    ...target,
    batch,
    async findMissing({ type, refs }) {
      const unplanned = refs.filter((ref) => planned.find(ref)?._type !== type);
      return unplanned.length > 0 ? target.findMissing({ type, refs: unplanned }) : [];
    },
  };
}

const refused = (error: DomainError): OperationResult => ({ outcome: 'refused', refusal: toRefusal(error) });

const toBatchOperation = ({ action, by, asset }: Operation): BatchOperation =>
  action === 'create' ? { action, asset } : { action, by, asset };

/** A planned asset has passed the preparation, so it has a site owner wherever one is required. */
const toPresent = (known: KnownAsset | undefined): Asset | undefined =>
  known && { ...known, [siteOwnerField]: { _ref: '', _type: '' } };

const nameOf = (wanted: OperationTarget) =>
  wanted.kind === 'key' ? String(wanted.key.value) : wanted.kind === 'id' ? wanted.id : '';
