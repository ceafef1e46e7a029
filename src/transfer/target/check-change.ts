/**
 * Checks what one operation would write: fields, identity, site owner and unique values, as the content service does. What passes is
 * remembered for the lines to come.
 */
import { invalidBody, valueInUse } from '../../base/errors.ts';
import type { Problem } from '../../base/problems.ts';
import { checkIdentity, findType } from '../../content/asset-identity.ts';
import { siteOwnerField } from '../../content/reading/restrict-to-sites.ts';
import type { Catalog, ContentType, JsonObject } from '../../model/content-type.ts';
import {
  type AssetValidator,
  createAssetValidators,
  type FoundReference,
} from '../../model/validate-asset.ts';
import type { KnownAsset, PlannedContent, UniqueValue } from './planned-content.ts';
import { type TargetView, uniquePaths, uniqueValues } from './target-state.ts';

/** An input, the asset it is for, and what the target has. */
export interface Change {
  readonly input: JsonObject;
  readonly known: KnownAsset;
  readonly view: TargetView;
}

/** Checks changes; each gives the references of the input. */
export interface ChangeChecker {
  /** Errors: invalid_body, value_in_use. */
  checkNew(change: Change): readonly FoundReference[];
  /** Errors: invalid_body, value_in_use. */
  checkChange(change: Change): readonly FoundReference[];
  /** The asset that has the input's value in a unique field. Errors: invalid_body. */
  findByField(search: { by: string; asset: JsonObject; view: TargetView }): KnownAsset | undefined;
}

/** Makes a checker over one catalog. */
export function createChangeChecker({
  catalog,
  seen,
  siteOwnerRequired,
}: {
  catalog: Catalog;
  seen: PlannedContent;
  siteOwnerRequired: boolean;
}): ChangeChecker {
  const validators = createAssetValidators(catalog);

  function checkNew({ input, known, view }: Change): readonly FoundReference[] {
    const { type, validator } = partsOf(known);
    const { set, references, problems } = validator.checkNew(input);
    assertSound([...problems, ...checkOwner(siteOwnerRequired && set[siteOwnerField] === undefined)]);
    takeValues({ type, set, unset: [], known, view });
    return references;
  }

  function checkChange({ input, known, view }: Change): readonly FoundReference[] {
    const { type, validator } = partsOf(known);
    const { set, unset, references, problems } = validator.checkChanges(input);
    const identity = checkIdentity({ input, asset: known, catalog });
    const losesOwner = siteOwnerRequired && unset.includes(siteOwnerField);
    assertSound([...identity, ...problems, ...checkOwner(losesOwner)]);
    takeValues({ type, set, unset, known, view });
    return references;
  }

  function partsOf({ _type: name }: KnownAsset): { type: ContentType; validator: AssetValidator } {
    const [type, validator] = [catalog.types.get(name), validators.get(name)];
    if (!type || !validator) throw new Error(`no validator for ${name}`);
    return { type, validator };
  }

  /** A unique value is free unless an earlier line took it, or the target has it and no earlier line gave its owner another. */
  function takeValues({
    type,
    set,
    unset,
    known,
    view,
  }: {
    type: ContentType;
    set: JsonObject;
    unset: readonly string[];
    known: KnownAsset;
    view: TargetView;
  }): void {
    const taken = uniqueValues(type, set);
    for (const value of taken) {
      const user = seen.findByValue(value) ?? findInTarget(value, view);
      if (user && user._id !== known._id) throw valueInUse(value.path, value.value);
    }
    for (const value of taken) seen.setValue(known._id, value);
    const cleared = uniquePaths(type).filter(({ steps }) => unset.includes(steps[0]?.name ?? ''));
    for (const { text: path } of cleared) seen.setValue(known._id, { type: type.class, path });
  }

  function findInTarget(value: UniqueValue, view: TargetView): KnownAsset | undefined {
    const user = view.findByValue(value);
    return user && !seen.hasOwnValue(user._id, value) ? user : undefined;
  }

  function findByField({ by, asset, view }: { by: string; asset: JsonObject; view: TargetView }) {
    const type = findType(catalog, asset._type);
    const value = uniqueValues(type, asset).find(({ path }) => path === by);
    const isUnique = uniquePaths(type).some(({ text, steps }) => text === by && steps.length === 1);
    if (!isUnique)
      throw invalidBody([{ path: 'by', message: `must be _id or a unique field of ${type.class}` }]);
    if (!value) throw invalidBody([{ path: by, message: 'is required' }]);
    return seen.findByValue(value) ?? findInTarget(value, view);
  }

  return { checkNew, checkChange, findByField };
}

const checkOwner = (isMissing: boolean): Problem[] =>
  isMissing ? [{ path: siteOwnerField, message: 'is required' }] : [];

function assertSound(problems: readonly Problem[]): void {
  if (problems.length > 0) throw invalidBody(problems);
}
