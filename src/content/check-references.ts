/**
 * Checks that the targets of references exist and are of the type that the references state.
 */
import { invalidBody, type Problem } from '../base/errors.ts';
import type { FoundReference } from '../model/values/validate-asset.ts';
import type { ContentStore } from '../store/port.ts';
import type { ContentRules } from './prepare-write.ts';

/** Checks the references of a write, unless the rules leave them unchecked. Errors: invalid_body. */
export type TargetCheck = (references: readonly FoundReference[]) => Promise<void>;

/** Creates the check of an installation. */
export function createTargetCheck(
  store: ContentStore,
  { referencesChecked }: Pick<ContentRules, 'referencesChecked'>,
): TargetCheck {
  return async (references) => {
    if (!referencesChecked) return;
    const dangling = await findDangling(store, references);
    if (dangling.length > 0) throw invalidBody(dangling);
  };
}

/** Checks references in one call of the store; returns the problems. */
export async function findDangling(
  store: ContentStore,
  references: readonly FoundReference[],
): Promise<Problem[]> {
  if (references.length === 0) return [];
  const types = await store.getTypes([...new Set(references.map(({ reference }) => reference._ref))]);
  return references.flatMap((found) => checkTarget(found, types.get(found.reference._ref)));
}

/** Checks a reference whose target is of the class `type`, or does not exist. */
export function checkTarget({ path, reference }: FoundReference, type: string | undefined): Problem[] {
  if (type === undefined) return [{ path, message: `refers to ${reference._ref}, which does not exist` }];
  if (type === reference._type) return [];
  return [{ path: `${path}._type`, message: `is ${reference._type}, but the asset is a ${type}` }];
}
