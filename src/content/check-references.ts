/**
 * References in what a caller writes: those that name their target by a key are resolved, and all are checked to lead to assets that exist
 * for the caller and have the type that the reference states.
 */

import { ambiguousValue, invalidBody, type Problem } from '../base/errors.ts';
import { memberOf } from '../base/own-members.ts';
import { yieldEvery32Steps } from '../base/runtime.ts';
import type { Asset, Catalog, ContentType, Json, JsonObject } from '../model/content-type.ts';
import { keyName } from '../model/field-path.ts';
import type { ResolveReference } from '../model/values/findings.ts';
import { type FoundReference, isJsonObject } from '../model/values/validate-asset.ts';
import { holderSearches, type UniqueKey, writeKey } from '../query/unique-values.ts';
import type { ContentStore, NewAsset } from '../store/port.ts';
import type { UniqueKeys } from './batch/unique-keys.ts';
import type { Caller } from './reading/find-assets.ts';
import { openPage, readMany } from './reading/read-chunks.ts';
import { isVisible } from './reading/site-visibility.ts';

/** The content types and their unique keys. */
export interface KeySource {
  readonly catalog: Catalog;
  readonly keys: UniqueKeys;
  readonly readKey: KeyReader;
}

/** Reads the key in the `_by` of a reference to a type, or finds the problems with it. */
type KeyReader = (type: ContentType, by: Json) => UniqueKey | readonly Problem[];

/** Creates a reader for one request. It reads each `_by` once, although a key is needed to look it up and to validate the reference. */
export function createKeyReader(keys: UniqueKeys): KeyReader {
  const readings = new Map<Json, { readonly type: ContentType; readonly reading: ReturnType<KeyReader> }>();
  return (type, by) => {
    const known = readings.get(by);
    if (known?.type === type) return known.reading;
    const reading = readKey(keys, type, by);
    readings.set(by, { type, reading });
    return reading;
  };
}

/** Lists the keys that an input may name. It takes everything that looks like a reference; validation decides what is one. */
export async function findNamedKeys(
  input: Json,
  { catalog, readKey }: Pick<KeySource, 'catalog' | 'readKey'>,
): Promise<UniqueKey[]> {
  const references: { readonly type: ContentType; readonly by: Json }[] = [];
  const visit = (value: Json): void => {
    if (typeof value !== 'object' || value === null) return;
    if (!Array.isArray(value) && value._by !== undefined && typeof value._type === 'string') {
      const type = catalog.find(value._type);
      if (type) references.push({ type, by: value._by });
    }
    for (const member of Object.values(value)) visit(member);
  };
  visit(input);
  const found = new Map<string, UniqueKey>();
  for (const [step, { type, by }] of references.entries()) {
    const key = readKey(type, by);
    if ('text' in key) found.set(key.text, key);
    await yieldEvery32Steps(step);
  }
  return [...found.values()];
}

/** What a key names: the `_id` of an asset, none, or several, since the drafts of a release may share a value. */
export type NamedAsset = string | typeof several | undefined;
export const several = Symbol('several assets');

/** Creates the function by which validators resolve references; `find` returns what a key names. */
export const createResolver =
  (readKey: KeyReader, find: (key: UniqueKey) => NamedAsset): ResolveReference =>
  (type, by, path) => {
    const key = readKey(type, by);
    if (!('text' in key)) return key;
    const id = find(key);
    const [field, value] = [keyName(key.paths), writeKey(key)];
    if (id === several) throw ambiguousValue({ path: `${path}._by`, field, value });
    if (id !== undefined) return id;
    const shown = `${field} ${JSON.stringify(value)}`;
    return [{ path: '_by', message: `names no asset: there is no ${type.class} with the ${shown}` }];
  };

/** Prepares the resolver for the references of one input: with one query for each unique field that it names. */
export type ResolverOf = (input: JsonObject, caller: Caller) => Promise<ResolveReference>;

/** Creates the function that prepares resolvers for single writes. */
export function createResolverOf({
  store,
  catalog,
  keys,
}: Omit<KeySource, 'readKey'> & { store: ContentStore }): ResolverOf {
  return async (input, caller) => {
    const readKey = createKeyReader(keys);
    const named = await findNamedKeys(input, { catalog, readKey });
    const found = named.length > 0 ? await findNamedAssets(named, { store, keys, caller }) : noAssets;
    return createResolver(readKey, ({ text }) => found.get(text));
  };
}

const noAssets: ReadonlyMap<string, NamedAsset> = new Map();

/** Reads the key in `_by`, or the problems with it. */
function readKey(keys: UniqueKeys, type: ContentType, by: Json): UniqueKey | readonly Problem[] {
  const known = keys.namesOf(type);
  if (known.length === 0)
    return [{ path: '_by', message: `cannot name a ${type.class}, which has no unique field` }];
  const fields = isJsonObject(by) ? Object.keys(by) : [];
  const name = keys.find(type, fields);
  if (isJsonObject(by) && name !== undefined) {
    const key = keys.readBy(type, name, by);
    return 'text' in key ? key : key.map(({ path, message }) => ({ path: `_by.${path}`, message }));
  }
  const isJoined = known.some((key) => key.includes(','));
  const unique = `${isJoined ? 'the fields of one key' : 'a unique field'} of ${type.class}: ${known.join(' or ')}`;
  const [stranger, ...others] = fields;
  if (
    stranger !== undefined &&
    others.length === 0 &&
    !known.flatMap((key) => key.split(',')).includes(stranger)
  )
    return [{ path: `_by.${stranger}`, message: `must be ${unique}` }];
  return [{ path: '_by', message: `must be an object with ${isJoined ? '' : 'one member, '}${unique}` }];
}

/** Looks keys up. Returns what they name, by the text of the key, of the assets that the caller may see. */
export async function findNamedAssets(
  wanted: readonly UniqueKey[],
  {
    store,
    keys,
    caller,
  }: { store: Pick<ContentStore, 'find' | 'getChunk'>; keys: UniqueKeys; caller: Caller },
): Promise<ReadonlyMap<string, NamedAsset>> {
  const found = new Map<string, NamedAsset>();
  for (const search of holderSearches(wanted)) {
    const page = await openPage(store, search, (asset) => isVisible(asset, caller));
    for await (const assets of chunksOf(page)) {
      for (const asset of assets) {
        if (!isVisible(asset, caller)) continue;
        for (const { text } of keys.of(asset)) found.set(text, found.has(text) ? several : asset._id);
      }
    }
  }
  return found;
}

async function* chunksOf<Item>({
  first,
  rest,
}: {
  first: readonly Item[];
  rest?: AsyncIterable<readonly Item[]>;
}): AsyncGenerator<readonly Item[]> {
  yield first;
  if (rest) yield* rest;
}

// Checks that the targets of references exist for the caller and are of the type that the references state.
//
// What the caller may not see does not exist, and system records are no assets. References that an asset has already are not checked:
// their targets may have been deleted since, or be those of a writer who sees more.

/** The references of a write. */
export interface WrittenReferences {
  readonly references: readonly FoundReference[];
  /** Tells whether the asset has a reference already; absent for a new asset. */
  readonly isKept?: KeptCheck | undefined;
}

/** Tells whether an asset has a reference in the same field. */
export type KeptCheck = (found: FoundReference) => boolean;

/** Where targets are looked up, and for whom. */
interface TargetSource {
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

/** The member of a write with the targets of its references that must exist. */
export type AddedTargets = Pick<NewAsset, 'targets'>;

/** Lists the targets of the references that a write adds, which the store judges again when it writes. */
export function addedTargets({ references, isKept = () => false }: WrittenReferences): AddedTargets {
  const added = references.filter((found) => !isKept(found));
  const targets = added.map(({ path, reference }) => ({ id: reference._ref, path }));
  return targets.length > 0 ? { targets } : {};
}

/** Checks the references of a write in few calls of the store. */
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
