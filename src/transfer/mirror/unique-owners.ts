/**
 * Settles unique values that an asset takes over from another one, of which the feed has not reported the change yet.
 *
 * The other asset is read from the source as it is now and written together with the first; so are those that it takes a value from, and
 * so on. Only if the source itself has a value twice, which the target keeps unique, is there no such set of assets.
 */
import { transferFailed } from '../../base/errors.ts';
import type { Asset } from '../../model/content-type.ts';
import type { UniqueKey } from '../../query/unique-values.ts';
import type { ContentStore } from '../../store/port.ts';
import type { MirrorSource } from './mirror-source.ts';
import type { KeysOf, WantedAssets } from './plan-writes.ts';
import { readAll } from './read-all.ts';

/** The most assets that are read from the source for one page. */
const maxAssets = 5_000;

/** How often assets are read again, because they exchange values at this moment. */
const maxRounds = 20;

const keysAtOnce = 500;

/** Returns the wanted assets, as they are now, with all from which they take unique values. Errors: transfer_failed. */
export async function includeOwners(
  wanted: WantedAssets,
  { store, source, keysOf }: { store: ContentStore; source: MirrorSource; keysOf: KeysOf },
): Promise<WantedAssets> {
  let found = new Map(wanted);
  let twice: UniqueKey | undefined;
  for (let round = 0; round < maxRounds; round++) {
    const claims = new Map<string, UniqueKey>();
    twice = undefined;
    for (const asset of found.values()) {
      for (const key of asset ? keysOf(asset) : []) {
        if (claims.has(key.text)) twice = key;
        claims.set(key.text, key);
      }
    }
    const owners = (await findOwners(store, [...claims.values()])).filter(({ _id }) => !found.has(_id));
    if (!twice && owners.length === 0) return found;
    if (found.size + owners.length > maxAssets)
      throw transferFailed(
        `more than ${maxAssets} assets have exchanged unique values with each other. Begin with an empty target`,
      );
    found = await refresh([...found.values(), ...owners], found, source);
  }
  throw transferFailed(
    twice
      ? `the source has several ${twice.type} with the ${twice.path.text} ${JSON.stringify(twice.value)}, which must be unique in the target. Correct them, or let the types of both be the same`
      : 'unique values of the source change too quickly; run the same command again',
  );
}

/** Reads the assets again, by type. Those that are gone have no wanted state. */
async function refresh(
  assets: readonly (Asset | undefined)[],
  wanted: WantedAssets,
  source: MirrorSource,
): Promise<Map<string, Asset | undefined>> {
  const next = new Map<string, Asset | undefined>(wanted);
  const known = assets.filter((asset) => asset !== undefined);
  for (const [type, ofType] of Map.groupBy(known, ({ _type }) => _type)) {
    const ids = ofType.map(({ _id }) => _id);
    const present = await source.findPresent(type, ids);
    for (const id of ids) next.set(id, present.get(id));
  }
  return next;
}

/** Finds the assets of the store that have one of the values. */
async function findOwners(store: ContentStore, keys: readonly UniqueKey[]): Promise<Asset[]> {
  const owners: Asset[] = [];
  for (const ofField of Map.groupBy(keys, ({ type, path }) => `${type} ${path.text}`).values()) {
    for (let start = 0; start < ofField.length; start += keysAtOnce) {
      const part = ofField.slice(start, start + keysAtOnce);
      const [first] = part;
      if (!first) continue;
      const values = part.map(({ value }) => value);
      const where = { kind: 'equals', path: first.path, values, ignoreCase: false } as const;
      const request = { types: [first.type], where, offset: 0, limit: part.length, withCount: false };
      owners.push(...(await readAll(store, await store.find(request))));
    }
  }
  return owners;
}
