/**
 * Reads the past of assets: the changes of one asset that the caller sees, its state at a moment, and the form in which APIs and the
 * command line show a change.
 */

import { historyRemoved, invalidParameter, notFound, stateNotFound } from '../../base/errors.ts';
import type { Actor } from '../../base/request-origin.ts';
import { isUuid } from '../../base/uuid.ts';
import type { Asset, Catalog } from '../../model/content-type.ts';
import {
  type ChangeEntry,
  type HistoryRequest,
  type Moment,
  type PastState,
  undoChange,
} from '../../store/changes.ts';
import type { ContentStore, StoredAsset } from '../../store/port.ts';
import type { Caller } from '../reading/find-assets.ts';
import { isVisible } from '../reading/site-visibility.ts';

/** Which changes of an asset to read, newest first. */
interface ChangesRequest {
  readonly id: string;
  readonly limit: number;
  /** The `next` of the page before. */
  readonly cursor?: string;
}

/** A page of changes, newest first. It may have fewer than requested; `next` is absent after the oldest one. */
interface ChangesPage {
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

// Which changes of an asset a caller sees: those of content types of the catalog and, for a caller restricted to certain sites, those
// whose state before or after lay in its sites. Former values belong to the state before, and are seen with that state only.

/** Leaves out, of consecutive entries of one asset, newest first, what the caller does not see. */
type ChangeView = (entries: readonly ChangeEntry[], caller: Caller) => Promise<readonly ChangeEntry[]>;

export function createChangeView({ catalog, store }: { catalog: Catalog; store: ContentStore }): ChangeView {
  async function findStateAfter({ asset, number }: ChangeEntry): Promise<Asset | undefined> {
    const state = await store.changes.stateOf(asset, { number });
    return state.kind === 'exists' ? state.asset : undefined;
  }

  return async (entries, caller) => {
    const known = entries.filter(({ type }) => catalog.types.has(type));
    const [newest] = known;
    if (!newest || !caller.sites) return known;
    return withinSites(known, { after: await findStateAfter(newest), caller });
  };
}

/** Leaves out what lies in other sites. `after` is the state after the first entry. */
function withinSites(
  entries: readonly ChangeEntry[],
  { after: newest, caller }: { after: Asset | undefined; caller: Caller },
): ChangeEntry[] {
  const isSeen = (state: Asset | undefined) => state !== undefined && isVisible(state, caller);
  let after = newest;
  return entries.flatMap((entry) => {
    const wasAfter = after;
    // The state is unknown when the log is trimmed meanwhile.
    after = after === undefined && entry.action === 'update' ? undefined : undoChange(after, entry);
    if (isSeen(after)) return [entry];
    const { before: _, ...hidden } = entry;
    return isSeen(wasAfter) ? [hidden] : [];
  });
}

/** A change of an asset, as schema AssetChange of openapi/cma.yaml. */
export interface DescribedChange {
  readonly id: string;
  readonly seq?: number;
  readonly at: number;
  readonly action: 'create' | 'update' | 'delete' | 'erase';
  readonly version?: string;
  readonly previousVersion?: string;
  readonly changed: readonly string[];
  readonly before?: Readonly<Record<string, unknown>>;
  readonly by: Actor;
  readonly run?: string;
  readonly requestId?: string;
}

/** A page of changes, newest first. */
export interface DescribedHistory {
  readonly items: readonly DescribedChange[];
  readonly next?: string;
}

/** Which parts of a change to describe. */
interface ChangeParts {
  /** Whether to include the former values. */
  readonly values: boolean;
}

export function describeHistory({ entries, next }: ChangesPage, parts: ChangeParts): DescribedHistory {
  return {
    items: entries.map((entry) => describeChange(entry, parts)),
    ...(next === undefined ? {} : { next }),
  };
}

function describeChange(entry: ChangeEntry, { values }: ChangeParts): DescribedChange {
  const { id, seq, atMs: at, action, version, previousVersion, changed, before, by, run, requestId } = entry;
  if (action === 'signIn') throw new Error(`${entry.asset} is an asset, which cannot sign in`);
  return {
    id,
    ...(seq === undefined ? {} : { seq }),
    at,
    action,
    ...(version === undefined ? {} : { version }),
    ...(previousVersion === undefined ? {} : { previousVersion }),
    changed,
    ...(values && before && { before }),
    by,
    ...(run === undefined ? {} : { run }),
    ...(requestId === undefined ? {} : { requestId }),
  };
}
