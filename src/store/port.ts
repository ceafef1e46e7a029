/**
 * The store port: what every adapter promises, and all that the rest of Colophon knows of a database.
 *
 * Assets come in validated and go out as they came in: flat JSON names, member order kept. Every write is durable when its
 * promise resolves, is whole or not at all, and is seen by every read that begins later in this process. A store opened by
 * several processes serves them all, also with different catalogs. Opening changes nothing: it works with the indexes that are
 * there, and what is found never depends on them.
 * Errors: conflicts are thrown as the domain errors named below; any other driver error as `store_busy` or `store_failure`. A write of which
 * nobody knows whether it was done is `store_busy` too.
 */
import type { DomainError } from '../base/errors.ts';
import type { Asset, Json } from '../model/content-type.ts';
import type { BoundPredicate } from '../query/ast.ts';
import type { BoundSort } from '../query/sort.ts';
import type { ServedTypes, UnenforcedField } from './served-types.ts';

/** An asset with the opaque name of its present state, which each write replaces. */
export interface StoredAsset {
  readonly asset: Asset;
  readonly version: string;
}

/** Which assets to find. */
export interface FindRequest {
  /** Class names of concrete content types; one at least. */
  readonly types: readonly string[];
  /** Absent means all. */
  readonly where?: BoundPredicate;
  /** Absent means by `_id`. What an order means is settled in `query/sort.ts`. */
  readonly sort?: BoundSort;
  readonly offset: number;
  /** 0 asks for no assets. */
  readonly limit: number;
  /** Whether `count` is wanted. */
  readonly withCount: boolean;
  /** Ends the search when it is aborted: nobody waits for it any more. It is then rejected with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * How many bytes of documents one answer of the store holds, so that no caller ever has to hold more at once. A single larger
 * document is answered by itself.
 */
export const chunkBytes = 1_048_576;

/** The assets that were read first, in the order asked for. */
export interface AssetChunk {
  /** As many as `chunkBytes` allows, and one larger than that by itself. */
  readonly items: readonly Asset[];
  /** The `_id`s of the assets that are still to be read by `getChunk`, in order; absent when there are none. */
  readonly rest?: readonly string[];
}

/**
 * The beginning of one page, and the `_id`s of the rest of it, from one state of the store; `count` is the total without offset
 * and limit, when it was asked for.
 */
export interface FoundPage extends AssetChunk {
  readonly count?: number;
}

/** Some of the assets asked for, by id. */
export interface FoundAssets {
  /** As many as `chunkBytes` allows, and one larger than that by itself. */
  readonly found: ReadonlyMap<string, StoredAsset>;
  /** The ids that were not looked up, for another call; absent when there are none. */
  readonly rest?: readonly string[];
}

/** A change of some fields of one asset; its other fields keep what any other writer gave them. */
export interface AssetPatch {
  readonly id: string;
  /** The class name the asset must have; with another it is not found. */
  readonly type: string;
  /** Whole new values by JSON name. */
  readonly set: Readonly<Record<string, Json>>;
  /** JSON names to remove. */
  readonly unset: readonly string[];
  /** The new state's name. */
  readonly version: string;
  /** Only when the present state has this name. */
  readonly ifVersion?: string;
}

/** Which asset to delete. */
export interface AssetDeletion {
  readonly id: string;
  readonly type: string;
  readonly ifVersion?: string;
}

/** One of several writes that are asked for together. */
export type AssetWrite =
  | ({ readonly kind: 'insert' } & StoredAsset)
  | ({ readonly kind: 'patch' } & AssetPatch)
  | ({ readonly kind: 'delete' } & AssetDeletion);

/** The identifier of the asset that is written. */
export const idOfWrite = (write: AssetWrite) => (write.kind === 'insert' ? write.asset._id : write.id);

/** The class name of the asset that is written. */
export const typeOfWrite = (write: AssetWrite) => (write.kind === 'insert' ? write.asset._type : write.type);

/**
 * How one of several writes ended.
 *
 * - `absent`: there was no asset to patch or delete.
 * - `failed`: with an error that the write would have had by itself.
 * - `undone`: with `atomic`, because of another write, which is `absent` or `failed`.
 */
export type WriteOutcome =
  | { readonly kind: 'done' | 'absent' | 'undone' }
  | { readonly kind: 'failed'; readonly error: DomainError };

/** What an adapter can do beyond the port, as found out when it was opened. */
export interface StoreCapabilities {
  /** Several writes that happen all or not at all. */
  readonly transactions: boolean;
}

/** The one port for stored assets. */
export interface ContentStore {
  readonly capabilities: StoreCapabilities;
  get(id: string): Promise<StoredAsset | undefined>;
  /** The assets there are among `ids`, in no order, for ids whose assets are likely to be small. */
  getMany(ids: readonly string[]): Promise<FoundAssets>;
  /** The first of the assets there are among `ids`, in the order of `ids`, for ids whose assets may well be large. */
  getChunk(ids: readonly string[]): Promise<AssetChunk>;
  /** The class names of the assets there are among `ids`, by id. */
  getTypes(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Errors: query_too_costly, invalid_parameter. */
  find(request: FindRequest): Promise<FoundPage>;
  /** Errors: id_in_use, value_in_use. */
  insert(stored: StoredAsset): Promise<void>;
  /** The asset as changed, or `undefined` when there is none. Errors: value_in_use, precondition_failed. */
  patch(patch: AssetPatch): Promise<StoredAsset | undefined>;
  /** Whether there was one. Errors: precondition_failed. */
  delete(deletion: AssetDeletion): Promise<boolean>;
  /**
   * Writes in the order given, each as it would be by itself and seeing those before it; the outcome of each, in that order.
   *
   * With `atomic`, which needs the capability `transactions`, all are done or none. Errors: those that kept every write from
   * being done, and that none of them is guilty of.
   */
  write(
    writes: readonly AssetWrite[],
    options?: { readonly atomic?: boolean },
  ): Promise<readonly WriteOutcome[]>;
  /** How many assets there are of each class but those `known`, by class name; none of what has no assets. */
  countOthers(known: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** A text that differs whenever an asset of one of these class names was written since, by any process. */
  revision(types: readonly string[]): Promise<string>;
  /**
   * Makes the indexes and words that the catalog needs and the store lacks. It only adds: other processes may need what is there.
   * Where two catalogs disagree on whether a field is unique, it is unique for both. Errors: bad_config.
   */
  prepare(): Promise<void>;
  /**
   * Prepares, remembers the types as those last served, and from then until `close` keeps reporting that this process needs
   * what its catalog needs. Removes what no process seen lately needs. Errors: bad_config; then nothing others need has changed.
   */
  serve(types: ServedTypes): Promise<void>;
  /** The unique fields of the catalog that nothing keeps unique, since nobody has prepared the store for them. */
  findUnenforced(): Promise<readonly UnenforcedField[]>;
  /** Resolves when the store answers; rejects when it does not. */
  ping(): Promise<void>;
  /** Whether it works, or may come to work again by itself; if not, only a new process may help. */
  canRecover(): boolean;
  /** Finishes the writes under way, then lets go of every resource. */
  close(): Promise<void>;
}
