/**
 * Reads the past of assets: the changes of one asset, and its state at a moment.
 *
 * The rules of reading apply to the past as well: an asset or a state that the caller may not see does not exist for it.
 */
import { historyRemoved, invalidParameter, notFound, stateNotFound } from '../../base/errors.ts';
import { isUuid } from '../../base/uuid.ts';
import type { Asset, Catalog } from '../../model/content-type.ts';
import type { ChangeEntry, HistoryRequest, Moment, PastState } from '../../store/changes.ts';
import type { ContentStore, StoredAsset } from '../../store/port.ts';
import type { Caller } from '../reading/find-assets.ts';
import { isVisible } from '../reading/site-visibility.ts';
import { createChangeView } from './visible-changes.ts';

/** Which changes of an asset to read, newest first. */
export interface ChangesRequest {
  readonly id: string;
  readonly limit: number;
  /** The `next` of the page before. */
  readonly cursor?: string;
}

/** A page of changes, newest first. It may have fewer than requested; `next` is absent after the oldest one. */
export interface ChangesPage {
  readonly entries: readonly ChangeEntry[];
  readonly next?: string;
}

/** A moment that a caller may name. */
export type NamedMoment = Exclude<Moment, { readonly number: number }>;

/** The reading half of the history. */
export interface HistoryReader {
  /** Reads the changes of an asset, which need not exist any more. Errors: not_found, invalid_parameter, not_supported. */
  list(request: ChangesRequest, caller: Caller): Promise<ChangesPage>;
  /** Reads an asset as it was. Errors: not_found, history_removed, not_supported. */
  get(asset: { readonly id: string; readonly moment: NamedMoment }, caller: Caller): Promise<StoredAsset>;
}

/** Creates the reader of one catalog. */
export function createHistoryReader({
  catalog,
  store,
}: {
  catalog: Catalog;
  store: ContentStore;
}): HistoryReader {
  const view = createChangeView({ catalog, store });
  const isSeen = (asset: Asset, caller: Caller) => catalog.types.has(asset._type) && isVisible(asset, caller);

  async function list({ id, limit, cursor }: ChangesRequest, caller: Caller): Promise<ChangesPage> {
    const asset = toAssetId(id);
    const before = readCursor(cursor);
    const page = await findVisible({ asset, limit, ...(before === undefined ? {} : { before }) }, caller);
    if (page.entries.length === 0 && !(await isKnown(asset, caller))) throw notFound(id);
    return page;
  }

  /** Reads on until a visible entry is found, since an empty page with a `next` would reveal that there are others. */
  async function findVisible(request: HistoryRequest, caller: Caller): Promise<ChangesPage> {
    let before = request.before;
    for (;;) {
      caller.signal?.throwIfAborted();
      const { signal } = caller;
      const page = await store.changes.history({
        ...request,
        signal,
        ...(before === undefined ? {} : { before }),
      });
      const entries = await view(page.entries, caller);
      const { next } = page;
      if (entries.length > 0 || next === undefined) {
        return { entries, ...(next === undefined ? {} : { next: String(next) }) };
      }
      before = next;
    }
  }

  /** Tells whether the caller may know of an asset: it sees its present state, or one of its changes. */
  async function isKnown(asset: string, caller: Caller): Promise<boolean> {
    const present = await store.get(asset);
    if (present && isSeen(present.asset, caller)) return true;
    return (await findVisible({ asset, limit: 100 }, caller)).entries.length > 0;
  }

  async function get(
    { id, moment }: { id: string; moment: NamedMoment },
    caller: Caller,
  ): Promise<StoredAsset> {
    const asset = toAssetId(id);
    const state: PastState = await store.changes.stateOf(asset, moment, caller);
    switch (state.kind) {
      case 'exists':
        if (isSeen(state.asset, caller)) return { asset: state.asset, version: state.version };
        throw stateNotFound(id);
      case 'deleted':
      case 'not created':
        throw stateNotFound(id);
      case 'removed':
        throw (await isKnown(asset, caller)) ? historyRemoved(id) : stateNotFound(id);
    }
  }

  return { list, get };
}

/** Returns the `_id` that an ID in a request means. Errors: not_found when it is no UUID. */
export function toAssetId(id: string): string {
  if (isUuid(id)) return id.toLowerCase();
  throw notFound(id);
}

/** Reads the number that a cursor stands for. Errors: invalid_parameter. */
export function readCursor(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  const number = Number(cursor);
  if (/^[1-9]\d*$/.test(cursor) && Number.isSafeInteger(number)) return number;
  throw invalidParameter('cursor', 'is not the "next" of a page');
}
