/**
 * What the functions of the client take and return.
 */
import type {
  Asset,
  AssetRestore,
  BatchAssetsData,
  BatchAssetsResponses,
  IncludedAssets,
  JsonPatchOperation,
  ListAssetHistoryData,
  MergePatch,
  QueryAssetsData,
  QueryAssetsResponses,
} from './cma/types.gen.ts';
import type { CallOptions, Idempotency } from './connection.ts';
import type { Given, KnownName, PredicateValue, UnfitNotes } from './query-types.ts';

/** Which assets to find; `values` fill the placeholders of `where`, in order. */
export type AssetQuery<
  From extends string = string,
  Counted extends boolean = boolean,
  Field extends string = string,
> = Given<
  Omit<QueryAssetsData['query'], 'from' | 'values' | 'count' | 'fields' | 'nulls' | 'include' | 'release'>
> & {
  /** The class name or type ID of a content type or of an interface. */
  from: KnownName<From>;
  values?: readonly PredicateValue[] | undefined;
  /** Whether to count all matches; `false` saves that work. */
  count?: Counted | undefined;
} & Selection<Field>;

/** What a response has of the assets found. */
export interface Selection<Field extends string = string> {
  /** The paths of the fields to return, such as `place.country`; absent means all. */
  fields?: readonly Field[] | undefined;
  /** The paths of references to follow, such as `author/portrait`; the result has the assets that they lead to in `included`. */
  include?: readonly string[] | undefined;
}

/** The assets to iterate over, page by page. */
export type EachAssetQuery<From extends string = string, Field extends string = string> = Omit<
  AssetQuery<From, boolean, Field>,
  'offset' | 'limit' | 'count' | 'cursor' | 'facets' | 'include' | 'explain'
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
  /** The assets that the references of `include` lead to, by `_id`. */
  included?: IncludedAssets;
}

/** The result of a write of which `validate` may be `true`: then the asset alone, as it would be. */
export type Written<Found, Checked extends boolean> = Checked extends true
  ? CheckedAsset<Found>
  : AssetState<Found>;

/** An asset as a write would make it. It has no version. */
export interface CheckedAsset<Found> extends UnfitNotes {
  asset: Found;
  etag?: never;
  change?: never;
}

/** Options for reading an asset. */
export interface GetOptions extends CallOptions {
  /** The ETag of the version that the caller has. */
  ifNoneMatch?: string | undefined;
}

/** Options for reading an asset, and what the response has of it. */
export type GetSelection<Field extends string> = Selection<Field> & CallOptions;

/** Whether a write is only checked. */
export interface Validation<Checked extends boolean = boolean> {
  /** With `true` the result and the errors are those of the write, and nothing is written. */
  validate?: Checked | undefined;
}

/** Options for creating. */
export interface CreateOptions extends CallOptions, Idempotency {}

/** A condition on the present version of an asset. */
export interface ChangeOptions extends CallOptions {
  /** The ETag of the version to change; for another version the call fails with a PreconditionFailedError. */
  ifMatch?: string | undefined;
}

/** Options for deleting or erasing an asset. */
export interface DeleteOptions extends ChangeOptions, Idempotency {}

/** Options for changing fields of an asset. */
export interface UpdateOptions extends ChangeOptions, Idempotency {
  /**
   * The ETag or version that the changes are based on. What others have changed since is kept; if they have changed the same
   * fields, the call fails with a ConflictError, whose `conflicts` have all values.
   */
  baseVersion?: string | undefined;
}

/** Options for changing an asset by a patch. */
export interface PatchOptions extends ChangeOptions, Idempotency {}

/** Members to set in an asset, of which null removes one, or operations with JSON Pointers, such as `/tags/-`. */
export type AssetPatch = MergePatch | readonly JsonPatchOperation[];

/** Which changes of an asset to list. */
export type HistoryOptions = CallOptions & Given<Omit<NonNullable<ListAssetHistoryData['query']>, 'release'>>;

/** A past state: a version or an ETag, or a time in milliseconds since 1970. */
export type PastState = { version: string; at?: undefined } | { at: number; version?: undefined };

/** A past state to restore; `fields` are the JSON names of the fields, if only some. */
export type Restoration = PastState & Given<Pick<AssetRestore, 'fields'>>;

/** Operations of a batch. */
export type AssetBatch = Given<BatchAssetsData['body']>;

/** The result of each operation of a batch. */
export type BatchOutcome = BatchAssetsResponses[200]['result'];
