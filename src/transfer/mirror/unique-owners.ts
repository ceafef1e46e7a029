/**
 * Settles unique values that an asset takes over from another one, of which the feed has not reported the change yet.
 *
 * The other asset is read from the source as it is now and written together with the first; so are those that it takes a value from, and
 * so on. Only if the source itself has a value twice, which the target keeps unique, is there no such set of assets.
 */
import { transferFailed } from '../../base/errors.ts';
import type { Asset } from '../../model/content-type.ts';
import { keyName } from '../../model/field-path.ts';
import { holderSearches, type KeysOf, type UniqueKey, writeKey } from '../../query/unique-values.ts';
import type { ContentStore } from '../../store/port.ts';
import type { MirrorSource } from './mirror-source.ts';
import type { WantedAssets } from './plan-writes.ts';
import { readAll } from './read-all.ts';

/** The most assets that are read from the source for one page. */
const maxAssets = 5_000;

/** How often all are read again, because they exchange values at this moment. */
const maxRefreshes = 10;

/** Returns the wanted assets with all from which they take unique values. Errors: transfer_failed. */
export async function includeOwners(
  wanted: WantedAssets,
  { store, source, keysOf }: { store: ContentStore; source: MirrorSource; keysOf: KeysOf },
): Promise<WantedAssets> {
  let found = wanted;
  let added = wanted;
  for (let refreshes = 0; ; ) {
    const twice = findTwice(found, keysOf);
    if (twice) {
      if (refreshes++ === maxRefreshes) throw transferFailed(describeTwice(twice));
      found = new Map([...found, ...(await readPresent(assetsOf(found), source))]);
      added = found;
      continue;
    }
    const known = found;
    const owners = await findOwners(store, assetsOf(added).flatMap(keysOf));
    const others = owners.filter(({ _id }) => !known.has(_id));
    if (others.length === 0) return found;
    if (found.size + others.length > maxAssets)
      throw transferFailed(
        `more than ${maxAssets} assets have exchanged unique values with each other. Begin with an empty target`,
      );
    added = await readPresent(others, source);
    found = new Map([...found, ...added]);
  }
}

const assetsOf = (wanted: WantedAssets) => [...wanted.values()].filter((asset) => asset !== undefined);

/** Finds a value that two of the assets have. */
function findTwice(wanted: WantedAssets, keysOf: KeysOf): UniqueKey | undefined {
  const claimed = new Set<string>();
  for (const asset of assetsOf(wanted)) {
    for (const key of keysOf(asset)) {
      if (claimed.has(key.text)) return key;
      claimed.add(key.text);
    }
  }
  return undefined;
}

const describeTwice = (key: UniqueKey) =>
  `the source has several ${key.type} with the ${keyName(key.paths)} ${JSON.stringify(writeKey(key))}, which must be unique in the target. Correct them, or let the types of both be the same`;

/** Reads assets as they are now. Those that are gone have no wanted state. */
async function readPresent(assets: readonly Asset[], source: MirrorSource): Promise<WantedAssets> {
  const next = new Map<string, Asset | undefined>();
  for (const [type, ofType] of Map.groupBy(assets, ({ _type }) => _type)) {
    const ids = ofType.map(({ _id }) => _id);
    const present = await source.findPresent(type, ids);
    for (const id of ids) next.set(id, present.get(id));
  }
  return next;
}

/** Finds the assets of the store that have one of the values. */
async function findOwners(store: ContentStore, keys: readonly UniqueKey[]): Promise<Asset[]> {
  const owners: Asset[] = [];
  for (const search of holderSearches(keys)) owners.push(...(await readAll(store, await store.find(search))));
  return owners;
}
