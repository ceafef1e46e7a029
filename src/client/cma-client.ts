/**
 * The client of the content management API, as its users see it: one function for each operation of the specification, whose
 * types follow from the generated ones, and an iterator over all pages of a query.
 */

import type { AssetChangesOf, AssetOf, NewAssetOf, NewTypeName, TypeName } from './asset-types.ts';
import type {
  Asset,
  AssetHistory,
  AssetRestore,
  BatchAssetsData,
  BatchAssetsResponses,
  ListAssetHistoryData,
  QueryAssetsData,
  QueryAssetsResponses,
  UnfitFields,
} from './cma/types.gen.ts';
import type { CallOptions } from './connection.ts';

/** Which assets to find; `values` fill the placeholders of `where`, in order. */
export type AssetQuery<From extends string = string, Counted extends boolean = boolean> = Given<
  Omit<QueryAssetsData['query'], 'from' | 'values' | 'count'>
> & {
  /** The class name or type ID of a content type or of an interface. */
  from: KnownName<From>;
  values?: readonly PredicateValue[] | undefined;
  /** Whether to count all matches; `false` saves that work. */
  count?: Counted | undefined;
};

/** A value for a placeholder, which the server converts to the type of the field it is compared with. */
export type PredicateValue = string | number | boolean;

/** A literal must be a known name; a string computed at run time may be any. */
type KnownName<Name extends string> = Name extends TypeName ? Name : string extends Name ? Name : TypeName;

/** Lets optional members be `undefined` as well. */
type Given<Members> = {
  [Name in keyof Members]: object extends Pick<Members, Name> ? Members[Name] | undefined : Members[Name];
};

/** The assets to iterate over, page by page. */
export type EachAssetQuery<From extends string = string> = Omit<
  AssetQuery<From>,
  'offset' | 'limit' | 'count'
> & {
  /** The number of assets for each request, 1 to 1000 (default 100). */
  pageSize?: number | undefined;
};

type AnyPage = QueryAssetsResponses[200]['result'];

/** A page of assets; `count` is the total. */
export type AssetPage<Found, Counted extends boolean = true> = {
  [Name in Exclude<keyof AnyPage, 'count'>]: AnyPage[Name] extends Asset[] ? Found[] : AnyPage[Name];
} & (Counted extends true ? Required<Pick<AnyPage, 'count'>> : { count?: never }) &
  UnfitNotes;

/** An asset with the ETag of its version. */
export interface AssetState<Found> extends UnfitNotes {
  asset: Found;
  etag: string;
  /** The ID of the write in the change log; absent after a read, and when the store keeps no change log. */
  change?: string;
}

/** Notes on assets that were written before their content type changed. */
export interface UnfitNotes {
  /** The fields whose values do not fit their type; absent when all fit. */
  unfit?: UnfitFields;
}

/** Options for reading an asset. */
export interface GetOptions extends CallOptions {
  /** The ETag of the version that the caller has. */
  ifNoneMatch?: string | undefined;
}

/** Options for creating. */
export interface CreateOptions extends CallOptions {
  /** Identifies the request, so that a retry does not run it twice (default: random). */
  idempotencyKey?: string | undefined;
}

/** Options for changing or deleting an asset. */
export interface ChangeOptions extends CallOptions {
  /** The ETag of the version to change; for another version the call fails with a PreconditionFailedError. */
  ifMatch?: string | undefined;
}

/** Options for changing fields of an asset. */
export interface UpdateOptions extends ChangeOptions {
  /**
   * The ETag or version that the changes are based on. What others have changed since is kept; if they have changed the same
   * fields, the call fails with a ConflictError, whose `conflicts` have all values.
   */
  baseVersion?: string | undefined;
}

/** Which changes of an asset to list. */
export type HistoryOptions = CallOptions & Given<NonNullable<ListAssetHistoryData['query']>>;

/** A past state: a version or an ETag, or a time in milliseconds since 1970. */
export type PastState = { version: string; at?: undefined } | { at: number; version?: undefined };

/** A past state to restore; `fields` are the JSON names of the fields, if only some. */
export type Restoration = PastState & Given<Pick<AssetRestore, 'fields'>>;

/** Operations of a batch. */
export type AssetBatch = Given<BatchAssetsData['body']>;

/** The result of each operation of a batch. */
export type BatchOutcome = BatchAssetsResponses[200]['result'];

/** A client of the content management API. Each function rejects with a ColophonError. */
export interface CmaClient {
  /** Finds one page of assets, in the order of their `_id`. */
  queryAssets<From extends TypeName | (string & {}), Counted extends boolean = true>(
    query: AssetQuery<From, Counted>,
    options?: CallOptions,
  ): Promise<AssetPage<AssetOf<From>, Counted>>;
  /**
   * Iterates over all assets that match, in the order of their `_id`.
   *
   * Each page starts after the last asset of the one before, so that concurrent writes cause no gaps and no repetitions.
   */
  eachAsset<From extends TypeName | (string & {})>(
    query: EachAssetQuery<From>,
    options?: CallOptions,
  ): AsyncGenerator<AssetOf<From>, void, undefined>;
  /** Creates an asset; the server assigns an `_id` unless it has one. */
  createAsset<Name extends NewTypeName>(
    asset: { _type: Name } & NewAssetOf<Name>,
    options?: CreateOptions,
  ): Promise<AssetState<AssetOf<Name>>>;
  /** Runs up to 1,000 operations in order; each has its own result. */
  batchAssets(batch: AssetBatch, options?: CreateOptions): Promise<BatchOutcome>;
  /** Reads an asset. */
  getAsset(id: string, options?: CallOptions & { ifNoneMatch?: undefined }): Promise<AssetState<Asset>>;
  /** Reads an asset; returns `undefined` while its version is the one that `ifNoneMatch` names. */
  getAsset(id: string, options: GetOptions): Promise<AssetState<Asset> | undefined>;
  /**
   * Changes the fields given; `null` clears an optional one. With its `_type` among them, the changes are checked by that type.
   */
  updateAsset<Name extends NewTypeName>(
    id: string,
    changes: { _type?: Name } & AssetChangesOf<Name>,
    options?: UpdateOptions,
  ): Promise<AssetState<AssetOf<Name>>>;
  /** Deletes an asset. References to it remain. */
  deleteAsset(id: string, options?: ChangeOptions): Promise<void>;
  /** Lists the changes of an asset, newest first, also of a deleted one. Needs the scope `history`. */
  listAssetHistory(id: string, options?: HistoryOptions): Promise<AssetHistory>;
  /** Reads an asset as it was, also a deleted one. Needs the scope `history`. */
  getPastAsset(id: string, state: PastState, options?: CallOptions): Promise<AssetState<Asset>>;
  /** Restores an asset, or some of its fields, to a past state. Needs the scopes `history` and `cma:write`. */
  restoreAsset(id: string, restoration: Restoration, options?: ChangeOptions): Promise<AssetState<Asset>>;
  /** Deletes an asset with its whole history, also if it is deleted already. Needs the scope `admin`; cannot be undone. */
  eraseAsset(id: string, options?: ChangeOptions): Promise<void>;
}
