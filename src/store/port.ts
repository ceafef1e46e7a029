/**
 * The store port: the contract of every adapter, and all that the rest of Colophon knows about a database.
 *
 * Assets are validated by the caller and returned unchanged: flat JSON names, member order kept. Every write is durable when its
 * promise resolves, is applied whole or not at all, and is visible to every read that begins later in this process. Several
 * processes may open one store, also with different catalogs. Opening a store changes nothing: it works with the existing
 * indexes, and the result of a query never depends on them.
 * Each write of a logged type has an entry in the change log. A write without an `origin` is one of Colophon itself.
 * Errors: conflicts are the domain errors named below; any other driver error becomes `store_busy` or `store_failure`. A write
 * whose outcome is unknown is `store_busy` too.
 */
import type { DomainError } from '../base/errors.ts';
import type { Asset, Json } from '../model/content-type.ts';
import type { BoundPredicate } from '../query/ast.ts';
import type { SortPosition } from '../query/keyset.ts';
import type { BoundSort } from '../query/sort.ts';
import type { ChangeLog, ChangeOrigin } from './changes.ts';
import type { FacetRequest, FoundFacets } from './facets.ts';
import type { ReadCaller } from './read-caller.ts';
import type { IndexProgress, SearchPlan } from './search-plan.ts';
import type { ServedTypes, UnenforcedField } from './served-types.ts';
import type { StoreLoad } from './store-load.ts';
import type { WriteOptions } from './write-options.ts';
import type { WrittenTarget } from './written-targets.ts';

/** An asset and its version: an opaque name of its current state, which each write replaces. */
export interface StoredAsset {
  readonly asset: Asset;
  readonly version: string;
}

/** Which assets to find. */
export interface FindRequest extends ReadCaller {
  /** Class names of concrete content types; one at least. */
  readonly types: readonly string[];
  /** Absent means all. */
  readonly where?: BoundPredicate;
  /** Absent means by `_id`. `query/sort.ts` defines what an order means. */
  readonly sort?: BoundSort;
  readonly offset: number;
  /** 0 asks for no assets. */
  readonly limit: number;
  /**
   * Asks for a page by cursor, which begins after a position, or at the start without one; `offset` is 0 then, and `limit` is not.
   * A page that takes longer than a search may ends early, with `next`, unless no index has the order.
   */
  readonly keyset?: { readonly after?: SortPosition };
  /** Whether to count all matching assets. */
  readonly withCount: boolean;
}

/** How long a search may take, in milliseconds, unless the store was opened with another limit. */
export const defaultQueryMs = 5_000;

/** How many bytes of documents the store returns at once, which bounds a caller's memory. A larger document is returned alone. */
export const chunkBytes = 1_048_576;

/** The first assets of those requested, in the requested order. */
export interface Chunk<Item = StoredAsset> {
  /** As many as `chunkBytes` allows, and one larger than that by itself. */
  readonly items: readonly Item[];
  /** The `_id`s of the remaining assets, in order, for `getChunk`; absent when there are none. */
  readonly rest?: readonly string[];
}

/**
 * The first chunk of a page, and the `_id`s of the rest, both from one state of the store. `count` is the total without offset
 * and limit, when it was requested; it may be from a later state, and a page by cursor lacks it when counting takes too long.
 */
export interface FoundPage<Item = StoredAsset> extends Chunk<Item> {
  readonly count?: number;
  /** Where the next page by cursor begins; absent when nothing follows. */
  readonly next?: SortPosition;
}

/** An asset as JSON text: what `JSON.stringify` makes of the asset that the other reads return. */
export interface StoredText {
  readonly id: string;
  /** The class name of its type. */
  readonly type: string;
  readonly text: string;
  readonly version: string;
  /** The shape of a type that the asset is known to fit; absent when none is. `types/type-shape.ts` defines shapes. */
  readonly shape?: string;
}

/** The calls that return assets in one form: as objects, or as texts for callers that send them as they are stored. */
export interface AssetCalls<Item> {
  get(id: string): Promise<Item | undefined>;
  /** Reads the first assets with these ids, in the order of `ids`. For assets that may be large. */
  getChunk(ids: readonly string[]): Promise<Chunk<Item>>;
  /** Errors: query_too_costly for a search that takes longer than `queryMs` or needs too much memory, invalid_parameter. */
  find(request: FindRequest): Promise<FoundPage<Item>>;
  /** Returns the changed asset, or `undefined` when there is none. Errors: value_in_use, precondition_failed, invalid_body for a target that is gone. */
  patch(patch: AssetPatch, origin?: ChangeOrigin): Promise<Item | undefined>;
}

/** Some of the requested assets, by id. */
export interface FoundAssets {
  /** As many as `chunkBytes` allows, and one larger than that by itself. */
  readonly found: ReadonlyMap<string, StoredAsset>;
  /** The ids that were not read yet, for another call; absent when there are none. */
  readonly rest?: readonly string[];
}

/** A change of some fields of one asset. The other fields keep their values, including those that other writers set meanwhile. */
export interface AssetPatch {
  readonly id: string;
  /** The class name the asset must have; an asset of another class is not found. */
  readonly type: string;
  /** Whole new values by JSON name. */
  readonly set: Readonly<Record<string, Json>>;
  /** JSON names to remove. */
  readonly unset: readonly string[];
  readonly version: string;
  /** The current version must be this one. */
  readonly ifVersion?: string;
  readonly targets?: readonly WrittenTarget[];
}

/** Which asset to delete. */
export interface AssetDeletion {
  readonly id: string;
  readonly type: string;
  /** The `id` of the entry in the change log; absent means a random one. */
  readonly change?: string;
  readonly ifVersion?: string;
  /**
   * Whether the same step also removes all entries of the asset, as `changes.erase` does; the entry of the deletion is an `erase` then.
   * `changes.purge` removes what the files of the store still contain of it. A store without a change log deletes alone.
   */
  readonly erase?: boolean;
}

export interface NewAsset extends StoredAsset {
  /** The JSON names of fields whose values the sender of a draft did not give: they have defaults, or the date of the publication. */
  readonly defaulted?: readonly string[];
  readonly targets?: readonly WrittenTarget[];
}

/** One write of a batch. */
export type AssetWrite =
  | (NewAsset & { readonly kind: 'insert' })
  | ({ readonly kind: 'patch' } & AssetPatch)
  | ({ readonly kind: 'delete' } & AssetDeletion);

/** Returns the `_id` of the asset that a write is for. */
export const idOfWrite = (write: AssetWrite) => (write.kind === 'insert' ? write.asset._id : write.id);

/** Returns the class name of the asset that a write is for. */
export const typeOfWrite = (write: AssetWrite) => (write.kind === 'insert' ? write.asset._type : write.type);

/**
 * The outcome of one write of a batch.
 * - `absent`: there was no asset to patch or delete.
 * - `failed`: with the error that the write would have had alone.
 * - `undone`: with `atomic`, because another write is `absent` or `failed`.
 *
 * `version` is that of the asset after a write that has given it another one than its own.
 */
export type WriteOutcome =
  | { readonly kind: 'done'; readonly version?: string }
  | { readonly kind: 'absent' | 'undone' }
  | { readonly kind: 'failed'; readonly error: DomainError };

/** Optional features of a store, detected when it is opened. */
export interface StoreCapabilities {
  /** Whether several writes can be applied all or not at all. */
  readonly transactions: boolean;
  /** Whether the store keeps a change log, which needs transactions. */
  readonly changes: boolean;
}

/** The calls that read assets; what an adapter has beside its writes. */
export type StoreReads = Pick<
  ContentStore,
  'get' | 'getMany' | 'getChunk' | 'getTypes' | 'find' | 'facets' | 'explain'
> & { readonly texts: Omit<AssetCalls<StoredText>, 'patch'> };

/** A store of assets. */
export interface ContentStore extends AssetCalls<StoredAsset> {
  /** The name of the database system, as OpenTelemetry writes it. */
  readonly system: string;
  readonly capabilities: StoreCapabilities;
  readonly changes: ChangeLog;
  /** The calls with texts as results, which parse and print nothing where the store keeps texts. */
  readonly texts: AssetCalls<StoredText>;
  /** Reads the assets with these ids, in no order. For assets that are likely to be small. */
  getMany(ids: readonly string[]): Promise<FoundAssets>;
  /** Reads the class names of the assets with these ids, by id. */
  getTypes(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Reads the versions of the assets with these ids, by id. */
  getVersions(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Counts the values of fields. Errors: those of `find`. */
  facets(request: FacetRequest): Promise<FoundFacets>;
  /** Runs the search for a page that is not by cursor, and tells how. Errors: those of `find`. */
  explain(request: FindRequest): Promise<SearchPlan>;
  /** Returns the asset as it is afterwards. Errors: id_in_use, value_in_use, invalid_body for a target that is gone. */
  insert(stored: NewAsset, origin?: ChangeOrigin): Promise<StoredAsset>;
  /**
   * Returns whether there was such an asset. Errors: precondition_failed; referenced while others refer to it by fields with
   * `@onDelete(action: RESTRICT)`, and store_busy until their index is complete.
   */
  delete(deletion: AssetDeletion, origin?: ChangeOrigin): Promise<boolean>;
  /**
   * Applies writes in the given order, each as if it were alone and after those before it. Returns their outcomes in that order.
   * With `atomic`, which needs the capability `transactions`, all are applied or none, and unique values and
   * references that keep deleted assets are judged after the last write, so that assets of the batch can exchange values and go together. Writes beyond the `budget` fail with
   * batch_too_costly. Once `signal` is aborted, no further write is applied. Errors: those of the whole batch that no single write has
   * caused; the signal's reason.
   */
  write(writes: readonly AssetWrite[], options?: WriteOptions): Promise<readonly WriteOutcome[]>;
  /** Counts the assets of each class that is not in `known`, by class name; classes without assets are left out. */
  countOthers(known: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /**
   * Returns a text that changes with every write of an asset of these classes, by any process. With a change log, a text never
   * comes back, not even after a backup was restored.
   */
  revision(types: readonly string[]): Promise<string>;
  /**
   * Creates the indexes and words that the catalog needs and the store lacks. Removes nothing: other processes may need it.
   * Where two catalogs disagree on whether a field is unique, it is unique for both. Errors: bad_config.
   */
  prepare(): Promise<void>;
  /**
   * Prepares the store, records the types as those last served, and reports until `close` what this process needs. Removes
   * indexes and words that no recently seen process needs. Errors: bad_config; nothing is removed then.
   */
  serve(types: ServedTypes): Promise<void>;
  /** Reads the types of the processes that serve the store. */
  readServing(): Promise<readonly ServedTypes[]>;
  /** Finds the unique fields of the catalog that no index enforces, because the store was not prepared for them. */
  findUnenforcedUniqueFields(): Promise<readonly UnenforcedField[]>;
  /** Finds the indexes that are still being built, which no search uses; none where the database builds them itself. */
  findIncompleteIndexes(): Promise<readonly IndexProgress[]>;
  /** Returns what the store does for this process at this moment. */
  load(): StoreLoad;
  /** Returns the time of the database server in milliseconds since 1970; `undefined` if its clock is that of this machine. */
  readClock(): Promise<number | undefined>;
  /** Reads the highest time that `keepTime` has kept, in milliseconds since 1970; `undefined` before the first. */
  readHighestTime(): Promise<number | undefined>;
  /** Keeps a time unless a higher one is kept; one that an operator has accepted replaces any other. */
  keepTime(time: { readonly atMs: number; readonly isAccepted?: boolean }): Promise<void>;
  /** Reads the number of the stored format; `undefined` in an empty store. */
  readFormat(): Promise<number | undefined>;
  /** Resolves when the store answers; rejects when it does not. */
  ping(): Promise<void>;
  /** Returns whether the store works or may recover by itself; if not, only a new process can help. */
  canRecover(): Promise<boolean>;
  /** Finishes the writes under way, then releases every resource. */
  close(): Promise<void>;
}
