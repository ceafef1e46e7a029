/**
 * The assets that keep another one from being deleted, by fields with `@onDelete(action: RESTRICT)`: finds them before a deletion, and
 * names those that the caller sees in the error of a refused one. The stores themselves refuse deletions.
 */
import { type DomainError, type ErrorDetails, isDomainError, referenced } from '../base/errors.ts';
import { titleOf } from '../model/asset-title.ts';
import type { Asset, Catalog } from '../model/content-type.ts';
import { listDeletionRules } from '../model/deletion-rules.ts';
import { findOrderKeys } from '../query/sort.ts';
import type { ContentStore } from '../store/port.ts';
import { maxReferrers } from '../store/written-targets.ts';
import { readMany } from './reading/read-chunks.ts';
import { isVisible } from './reading/site-visibility.ts';

/** Finds the assets that keep others from being deleted. */
export type ReferrerSearch = ReturnType<typeof createReferrerSearch>;

/** Creates the search for the content of a store. */
export function createReferrerSearch({
  store,
  catalog,
}: {
  store: Pick<ContentStore, 'find'>;
  catalog: Pick<Catalog, 'types'>;
}) {
  const all = listDeletionRules(catalog.types.values());
  return {
    /** Whether assets of a class keep others. */
    hasRules: (type: string) => all.some((rule) => rule.type === type),
    /**
     * Finds why an asset cannot be deleted, with at most 1,000 assets for each field, whoever may see them. `changed` are assets with rules
     * as writes that are still to be carried out leave them, `undefined` for a deleted one.
     */
    async find(
      { id, type }: { readonly id: string; readonly type: string },
      changed: ReadonlyMap<string, Asset | undefined> = new Map(),
    ): Promise<DomainError<'referenced'> | undefined> {
      const found = new Map<string, ErrorDetails['referenced']['found'][number]>();
      for (const rule of all.filter(({ targets }) => targets.includes(type))) {
        const where = { kind: 'equals', path: rule.path, values: [id], ignoreCase: false } as const;
        const search = { types: [rule.type], where, offset: 0, limit: maxReferrers, withCount: false };
        const { items, rest = [] } = await store.find(search);
        const stored = [...items.map(({ asset }) => asset._id), ...rest].filter((_id) => !changed.has(_id));
        const referring = [...changed.values()].flatMap((asset) =>
          asset?._type === rule.type && findOrderKeys(asset, rule.path).includes(id) ? [asset._id] : [],
        );
        for (const _id of [...stored, ...referring]) found.set(_id, { _id, _type: rule.type });
      }
      found.delete(id);
      return found.size > 0 ? referenced(id, [...found.values()]) : undefined;
    },
  };
}

/** How many assets an error names. */
const maxNamed = 10;

/** Who is told, and where the assets are read. */
interface Reader {
  readonly store: Pick<ContentStore, 'getMany'>;
  readonly catalog: Pick<Catalog, 'types'>;
  readonly caller: { readonly sites?: readonly string[] | undefined };
}

/** Adds to the error of a refused deletion the assets that the caller sees; returns other errors as they are. */
export async function nameReferrers<Thrown>(
  error: Thrown,
  reader: Reader,
): Promise<Thrown | DomainError<'referenced'>> {
  if (!isDomainError(error, 'referenced') || error.details.referrers) return error;
  const { store, catalog, caller } = reader;
  const { id, found } = error.details;
  const read = caller.sites ? found : found.slice(0, maxNamed);
  const unread = new Map(read.map((one) => [one._id, one]));
  const seen: Asset[] = [];
  for await (const chunk of readMany(store, [...unread.keys()])) {
    for (const [_id, { asset }] of chunk) {
      unread.delete(_id);
      if (catalog.types.has(asset._type) && isVisible(asset, caller)) seen.push(asset);
    }
  }
  // What is not stored, the request itself would have written.
  seen.push(...unread.values());
  const count = caller.sites ? seen.length : found.length;
  const items = seen.slice(0, maxNamed).map((asset) => {
    const { _id, _type } = asset;
    return { _id, _type, title: titleOf(asset, catalog.types.get(_type)) };
  });
  return referenced(id, found, { count, items, ...(count < found.length && { others: true }) });
}
