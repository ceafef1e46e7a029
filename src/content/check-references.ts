/**
 * Checks that the targets of references exist for the caller and are of the type that the references state.
 *
 * What the caller may not see does not exist, and system records are no assets. References that an asset has already are not checked:
 * their targets may have been deleted since, or be those of a writer who sees more.
 */
import { invalidBody, type Problem } from '../base/errors.ts';
import { memberOf } from '../base/own-members.ts';
import type { Asset, Catalog, Json } from '../model/content-type.ts';
import { type FoundReference, isJsonObject } from '../model/values/validate-asset.ts';
import type { ContentStore } from '../store/port.ts';
import type { Caller } from './reading/find-assets.ts';
import { readMany } from './reading/read-chunks.ts';
import { isVisible } from './reading/site-visibility.ts';

/** The references of a write. */
export interface WrittenReferences {
  readonly references: readonly FoundReference[];
  /** Tells whether the asset has a reference already; absent for a new asset. */
  readonly isKept?: KeptCheck | undefined;
}

/** Tells whether an asset has a reference in the same field. */
export type KeptCheck = (found: FoundReference) => boolean;

/** Where targets are looked up, and for whom. */
export interface TargetSource {
  readonly store: Pick<ContentStore, 'getMany' | 'getTypes'>;
  readonly catalog: Catalog;
  readonly caller: { readonly sites?: readonly string[] | undefined };
}

/** Checks the references of a write, unless the rules leave them unchecked. Errors: invalid_body. */
export type TargetCheck = (written: WrittenReferences, caller: Caller) => Promise<void>;

/** Creates the check of an installation. */
export function createTargetCheck({
  rules,
  ...source
}: Omit<TargetSource, 'caller'> & { readonly rules: { readonly referencesChecked: boolean } }): TargetCheck {
  return async (written, caller) => {
    if (!rules.referencesChecked) return;
    const dangling = await findDangling(written, { ...source, caller });
    if (dangling.length > 0) throw invalidBody(dangling);
  };
}

/** Checks the references of a write in few calls of the store; returns the problems. */
export async function findDangling(written: WrittenReferences, source: TargetSource): Promise<Problem[]> {
  if (written.references.length === 0) return [];
  const ids = new Set(written.references.map(({ reference }) => reference._ref));
  const types = await findTargetTypes([...ids], source);
  return checkTargets(written, (id) => types.get(id));
}

/** Checks the references of a write; `typeOf` returns the class name of a target, or `undefined` if it does not exist. */
export const checkTargets = (
  { references, isKept = () => false }: WrittenReferences,
  typeOf: (id: string) => string | undefined,
): Problem[] =>
  references.flatMap((found) => {
    const problems = checkTarget(found, typeOf(found.reference._ref));
    return problems.length > 0 && isKept(found) ? [] : problems;
  });

/** Checks a reference whose target is of the class `type`, or does not exist. */
export function checkTarget({ path, reference }: FoundReference, type: string | undefined): Problem[] {
  if (type === undefined) return [{ path, message: `refers to ${reference._ref}, which does not exist` }];
  if (type === reference._type) return [];
  return [{ path: `${path}._type`, message: `is ${reference._type}, but the asset is a ${type}` }];
}

/** Finds the class names of those assets among `ids` that exist for the caller as targets of references. */
export async function findTargetTypes(
  ids: readonly string[],
  source: TargetSource,
): Promise<ReadonlyMap<string, string>> {
  const { store, catalog, caller } = source;
  if (!caller.sites) {
    const types = await store.getTypes(ids);
    return new Map([...types].filter(([, type]) => catalog.types.has(type)));
  }
  const types = new Map<string, string>();
  for await (const found of readMany(store, ids))
    for (const [id, { asset }] of found) if (isTarget(asset, source)) types.set(id, asset._type);
  return types;
}

/** Tells whether an asset exists for the caller as a target. The sites of a caller do, although other sites may own them. */
export const isTarget = (asset: Asset, { catalog, caller }: Omit<TargetSource, 'store'>): boolean =>
  catalog.types.has(asset._type) && (isVisible(asset, caller) || caller.sites?.includes(asset._id) === true);

/** Creates the function that tells whether an asset has a reference already. It looks at a field when it is first asked about it. */
export function createKeptCheck(asset: Pick<Asset, string>): KeptCheck {
  const known = new Map<string, ReadonlySet<string>>();
  return ({ path, reference }) => {
    const isWithin = (name: string) =>
      path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`);
    const name = Object.keys(asset).find(isWithin);
    if (name === undefined) return false;
    const targets = known.get(name) ?? targetsIn(memberOf(asset, name));
    known.set(name, targets);
    return targets.has(nameTarget(reference));
  };
}

function targetsIn(value: Json | undefined): ReadonlySet<string> {
  const targets = new Set<string>();
  const visit = (one: Json | undefined): void => {
    if (typeof one !== 'object' || one === null) return;
    if (isJsonObject(one) && typeof one._ref === 'string') targets.add(nameTarget(one));
    for (const member of Object.values(one)) visit(member);
  };
  visit(value);
  return targets;
}

const nameTarget = ({ _ref, _type }: { readonly _ref?: Json; readonly _type?: Json }) => `${_ref} ${_type}`;
