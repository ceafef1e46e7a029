/**
 * Finds the assets that were deleted and do not exist now, the latest deletion first. Erased assets are not among them.
 */

import { titleOf } from '../../model/asset-title.ts';
import { getType } from '../../model/catalog.ts';
import type { Asset, Catalog } from '../../model/content-type.ts';
import type { ChangeEntry } from '../../store/changes.ts';
import type { ContentStore } from '../../store/port.ts';
import type { Caller } from '../reading/find-assets.ts';
import { isVisible } from '../reading/site-visibility.ts';
import { readCursor } from './read-history.ts';

/** Which deleted assets to find. */
export interface DeletedRequest {
  /** Class name or type ID of a content type or interface; absent means all. */
  readonly type?: string;
  readonly limit: number;
  /** The `next` of the page before. */
  readonly cursor?: string;
}

/** A deleted asset, and the entry of its deletion. */
export interface DeletedAsset {
  readonly asset: Asset;
  readonly title: string;
  readonly entry: ChangeEntry;
}

/** A page of deleted assets. It may have fewer than requested, or none; `next` is absent on the last page. */
export interface DeletedPage {
  readonly items: readonly DeletedAsset[];
  readonly next?: string;
}

/** Finds a page of deleted assets. Errors: unknown_type, invalid_parameter, not_supported. */
export type DeletedAssetFinder = (request: DeletedRequest, caller: Caller) => Promise<DeletedPage>;

/** How many pages of the log are read for one page that would otherwise be empty. */
const maxReads = 10;

/** Creates the finder of one catalog. */
export function createDeletedAssetFinder({
  catalog,
  store,
}: {
  catalog: Catalog;
  store: ContentStore;
}): DeletedAssetFinder {
  function typesOf(name: string | undefined): readonly string[] {
    if (name === undefined) return [...catalog.types.keys()];
    return catalog.concrete(getType(catalog, name, 'type'));
  }

  const toDeleted = (entry: ChangeEntry): DeletedAsset => {
    // The entry of a deletion has the whole asset.
    const asset = entry.before as Asset;
    return { asset, title: titleOf(asset, catalog.types.get(asset._type)), entry };
  };

  return async ({ type, limit, cursor }, caller) => {
    const types = typesOf(type);
    let from = readCursor(cursor);
    for (let reads = 1; ; reads++) {
      caller.signal?.throwIfAborted();
      const { entries, next } = await store.changes.read({
        order: 'newest first',
        limit,
        filter: { types, actions: ['delete'], latestOnly: true },
        ...(from === undefined ? {} : { from }),
      });
      const items = entries.map(toDeleted).filter(({ asset }) => isVisible(asset, caller));
      if (next === undefined) return { items };
      if (items.length > 0 || reads === maxReads) return { items, next: String(next) };
      from = next;
    }
  };
}
