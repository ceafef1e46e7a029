/**
 * Finds the assets that reference an asset, whose deletion would leave these references dangling.
 *
 * Types are searched one after the other, each by its own predicate. A reference field without an index makes the search scan all
 * assets of the type; after five seconds no further search begins.
 */

import type { Clock } from '../../base/runtime.ts';
import { titleOf } from '../../model/asset-title.ts';
import type { Asset, Catalog, ContentType, Field } from '../../model/content-type.ts';
import { listDeletionRules } from '../../model/deletion-rules.ts';
import { findOrderKeys } from '../../query/sort.ts';
import type { AssetFinder, AssetQuery, Caller } from './find-assets.ts';

/** The assets that reference an asset: how many, of which types, and the first of them. */
export interface FoundReferences {
  readonly count: number;
  /** Types with at least one such asset. */
  readonly types: { class: string; name: string; count: number }[];
  readonly items: { _id: string; _type: string; title: string; restricts?: true }[];
  /** How many of them keep the asset from being deleted; absent for none. */
  readonly restricting?: number;
  /** Class names of the types that were not searched for lack of time. */
  readonly unsearched: string[];
}

/**
 * Finds the assets that reference the asset with this ID and that the caller may see, except the asset itself. `limit` bounds
 * `items`.
 *
 * Errors: not_found.
 */
export type ReferenceFinder = (
  query: { readonly id: string; readonly limit: number },
  caller: Caller,
) => Promise<FoundReferences>;

const maxMs = 5000;

/** Creates the finder for the content of a service. */
export function createReferenceFinder({
  content,
  clock,
}: {
  content: Pick<AssetFinder, 'get' | 'find'> & { readonly catalog: Catalog };
  clock: Clock;
}): ReferenceFinder {
  const types = [...content.catalog.types.values()];
  return async ({ id, limit }, caller) => {
    const { asset } = await content.get(id, caller);
    const found: Omit<FoundReferences, 'count'> = { types: [], items: [], unsearched: [] };
    let restricting = 0;
    const endMs = clock.nowMs() + maxMs;
    for (const type of types) {
      const paths = referencePaths(type, asset._type);
      if (paths.length === 0) continue;
      if (clock.nowMs() >= endMs) {
        found.unsearched.push(type.class);
        continue;
      }
      const query = toQuery(type, { paths, id: asset._id, limit: limit - found.items.length });
      const { count = 0, items } = await content.find(query, caller);
      if (count > 0) found.types.push({ class: type.class, name: type.name, count });
      const rules = listDeletionRules([type]).filter(({ targets }) => targets.includes(asset._type));
      for (const { asset: referrer } of items) {
        const restricts = rules.some(({ path }) => findOrderKeys(referrer, path).includes(asset._id));
        found.items.push({ ...toNamed(referrer, type), ...(restricts && { restricts }) });
      }
      if (count === 0 || rules.length === 0) continue;
      const ruled = rules.map(({ path }) => path.text);
      const ofRules = await content.find(toQuery(type, { paths: ruled, id: asset._id, limit: 0 }), caller);
      restricting += ofRules.count ?? 0;
    }
    const count = found.types.reduce((sum, { count }) => sum + count, 0);
    return { count, ...found, ...(restricting > 0 && { restricting }) };
  };
}

function toNamed(asset: Asset, type: ContentType) {
  return { _id: asset._id, _type: asset._type, title: titleOf(asset, type) };
}

function toQuery(
  { class: from }: ContentType,
  { paths, id, limit }: { paths: readonly string[]; id: string; limit: number },
): AssetQuery {
  const refers = paths.map((path) => `"${path}" = ?0`).join(' or ');
  return { from, where: `(${refers}) and _id != ?0`, values: [id], offset: 0, limit, withCount: true };
}

/** The depth limit of paths, since an embedded type may contain itself. */
const maxNames = 8;
const maxPaths = 200;

/** Finds the paths of a type's fields that may refer to the class `target`, shorter ones first, at most 200. */
export function referencePaths({ fields }: Pick<ContentType, 'fields'>, target: string): string[] {
  const found: string[] = [];
  let level: { names: readonly string[]; fields: ReadonlyMap<string, Field> }[] = [{ names: [], fields }];
  for (let depth = 1; depth <= maxNames && found.length < maxPaths; depth++) {
    const next: typeof level = [];
    for (const { names, fields: members } of level) {
      for (const { name, type } of members.values()) {
        const path = [...names, name];
        if (type.kind === 'reference' && type.targets.includes(target)) found.push(path.join('.'));
        if (type.kind === 'embedded') next.push({ names: path, fields: type.type.fields });
      }
    }
    level = next.slice(0, maxPaths);
  }
  return found.slice(0, maxPaths);
}
