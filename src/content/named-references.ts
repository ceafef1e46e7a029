/**
 * References that name their target by a unique field, `{"_type": "com.example.news.Author", "_by": {"slug": "ada"}}`, or by the path of
 * one in an embedded value, `"_by": {"cover.code": 5}`: which keys an input names, and how they are looked up, a fixed number of keys in each query.
 */
import { ambiguousValue, type Problem } from '../base/errors.ts';
import { yieldEvery32Steps } from '../base/runtime.ts';
import type { Catalog, ContentType, Json, JsonObject } from '../model/content-type.ts';
import { keyName } from '../model/field-path.ts';
import type { ResolveReference } from '../model/values/findings.ts';
import { isJsonObject } from '../model/values/validate-asset.ts';
import { holderSearches, type UniqueKey, writeKey } from '../query/unique-values.ts';
import type { ContentStore } from '../store/port.ts';
import type { UniqueKeys } from './batch/unique-keys.ts';
import type { Caller } from './reading/find-assets.ts';
import { openPage } from './reading/read-chunks.ts';
import { isVisible } from './reading/site-visibility.ts';

/** The content types and their unique keys. */
export interface KeySource {
  readonly catalog: Catalog;
  readonly keys: UniqueKeys;
  readonly readKey: KeyReader;
}

/** Reads the key in the `_by` of a reference to a type, or finds the problems with it. */
export type KeyReader = (type: ContentType, by: Json) => UniqueKey | readonly Problem[];

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
