/**
 * The client of the content management API, as its users see it: one function for each operation of the specification, whose
 * types follow from the generated ones, and an iterator over all pages of a query.
 */
import type { AssetChangesOf, AssetOf, NewAssetOf, NewTypeName, Selected, TypeName } from './asset-types.ts';
import type {
  Asset,
  AssetHistory,
  AssetRestore,
  BatchAssetsData,
  BatchAssetsResponses,
  ChangesPage,
  FeedRemoval,
  IncludedAssets,
  JsonPatchOperation,
  ListAssetHistoryData,
  ListChangesData,
  MergePatch,
  QueryAssetsData,
  QueryAssetsResponses,
  UnfitFields,
  UploadedFile,
  Withdrawal,
} from './cma/types.gen.ts';
import type { CallOptions, Idempotency } from './connection.ts';
import type { FileReference, PictureVariant } from './image-set.ts';
import type { FileSource, UploadOptions } from './upload-file.ts';

/** The functions that read and write content, live or in a release. Each rejects with a ColophonError. */
export interface ContentFunctions {
  /** Finds a page of assets by cursor: the first one with an empty `cursor`, which alone has the count. */
  queryAssets<
    From extends TypeName | (string & {}),
    Counted extends boolean = true,
    const Field extends string = never,
  >(
    query: AssetQuery<From, Counted, Field> & { cursor: string },
    options?: CallOptions,
  ): Promise<AssetPage<Selected<AssetOf<From>, Field>, boolean>>;
  /** Finds one page of assets, in the order of `sort`, or else of their `_id`. */
  queryAssets<
    From extends TypeName | (string & {}),
    Counted extends boolean = true,
    const Field extends string = never,
  >(
    query: AssetQuery<From, Counted, Field>,
    options?: CallOptions,
  ): Promise<AssetPage<Selected<AssetOf<From>, Field>, Counted>>;
  /**
   * Iterates over all assets that match, in the order of `sort`, or else of their `_id`.
   *
   * The pages are read by cursor, so that concurrent writes cause no gaps and no repetitions.
   */
  eachAsset<From extends TypeName | (string & {}), const Field extends string = never>(
    query: EachAssetQuery<From, Field>,
    options?: CallOptions,
  ): AsyncGenerator<Selected<AssetOf<From>, Field>, void, undefined>;
  /** Creates an asset; the server assigns an `_id` unless it has one. */
  createAsset<Name extends NewTypeName, Checked extends boolean = false>(
    asset: { _type: Name } & NewAssetOf<Name>,
    options?: CreateOptions & Validation<Checked>,
  ): Promise<Written<AssetOf<Name>, Checked>>;
  /** Runs up to 1,000 operations in order; each has its own result, without ETag and change if they are only checked. */
  batchAssets(batch: AssetBatch, options?: CreateOptions & Validation): Promise<BatchOutcome>;
  getAsset<const Field extends string = never>(
    id: string,
    options?: GetSelection<Field> & { ifNoneMatch?: undefined },
  ): Promise<AssetState<Selected<Asset, Field>>>;
  /** Reads an asset; returns `undefined` while its version is the one that `ifNoneMatch` names. */
  getAsset<const Field extends string = never>(
    id: string,
    options: GetOptions & Selection<Field>,
  ): Promise<AssetState<Selected<Asset, Field>> | undefined>;
  /**
   * Changes the fields given; `null` clears an optional one. With its `_type` among them, the changes are checked by that type.
   */
  updateAsset<Name extends NewTypeName, Checked extends boolean = false>(
    id: string,
    changes: { _type?: Name } & AssetChangesOf<Name>,
    options?: UpdateOptions & Validation<Checked>,
  ): Promise<Written<AssetOf<Name>, Checked>>;
  /**
   * Changes an asset by a patch: an object is a JSON Merge Patch, a list a JSON Patch. When another write comes between, the patch is
   * applied again to what that wrote, unless `ifMatch` is given.
   */
  patchAsset<Checked extends boolean = false>(
    id: string,
    patch: AssetPatch,
    options?: PatchOptions & Validation<Checked>,
  ): Promise<Written<Asset, Checked>>;
  /** Deletes an asset; references to it remain, or refuse it with a ConflictError that has `referrers`. With `validate`, only checks. */
  deleteAsset(id: string, options?: DeleteOptions & Validation<boolean>): Promise<void>;
  /** Lists the changes of an asset, newest first, also of a deleted one. Needs the scope `history`. */
  listAssetHistory(id: string, options?: HistoryOptions): Promise<AssetHistory>;
}

/**
 * The functions within a release: they read the live assets with the drafts of the release over them, and write drafts, which may
 * lack required fields.
 */
export interface ReleaseFunctions extends ContentFunctions {
  /** Drafts the creation of an asset; the server assigns an `_id` unless it has one. */
  createAsset<Name extends NewTypeName, Checked extends boolean = false>(
    asset: { _type: Name } & NewAssetOf<Name>,
    options?: CreateOptions & Validation<Checked>,
  ): Promise<Written<AssetOf<Name>, Checked>>;
  /** Drafts the creation of an asset that lacks required fields. */
  createAsset<Name extends NewTypeName, Checked extends boolean = false>(
    asset: { _type: Name } & Partial<NewAssetOf<Name>>,
    options?: CreateOptions & Validation<Checked>,
  ): Promise<Written<AssetOf<Name>, Checked>>;
  /** Drops the draft of an asset, so that the release has the asset as it is live. */
  discardDraft(id: string, options?: CallOptions): Promise<void>;
}

/** A client of the content management API. Each function rejects with a ColophonError. */
export interface CmaClient extends ContentFunctions {
  /** Reads a page of a feed: the assets that match, and then what has changed since. */
  listChanges<From extends TypeName | (string & {})>(
    query: FeedQuery<From>,
    options?: CallOptions,
  ): Promise<FeedPage<AssetOf<From>>>;
  /**
   * Follows a feed: yields the assets that match, then what changes, as it changes, without end. Lost connections are restored, so
   * that no change is missed. `limit` is the number of items for each request.
   *
   * Throws a ColophonError with the code `cursor_expired` if the cursor is too old: begin again without one.
   */
  changes<From extends TypeName | (string & {})>(
    query: FeedQuery<From>,
    options?: FollowOptions,
  ): AsyncGenerator<FeedChange<AssetOf<From>>, void, undefined>;
  /** Uploads a file, and returns what a field of the type `File` takes. It is safe to do again: equal bytes are one file. */
  uploadFile(file: FileSource, options?: UploadOptions): Promise<UploadedFile>;
  /** Returns the address of a file, or of a variant of a picture. */
  fileUrl(file: FileReference, variant?: PictureVariant): string;
  /** Reads an asset as it was, also a deleted one. Needs the scope `history`. */
  getPastAsset(id: string, state: PastState, options?: CallOptions): Promise<AssetState<Asset>>;
  /** Restores an asset, or some of its fields, to a past state. Needs the scopes `history` and `cma:write`. */
  restoreAsset<Checked extends boolean = false>(
    id: string,
    restoration: Restoration,
    options?: ChangeOptions & Validation<Checked>,
  ): Promise<Written<Asset, Checked>>;
  /**
   * Takes an asset off the live content and keeps it in the release `drafts`; returns who refers to it, and which
   * scheduled releases have a draft of it. Needs the scopes `cma:write` and `cma:draft`.
   */
  withdrawAsset(id: string, options?: DeleteOptions): Promise<Withdrawal>;
  /** Deletes an asset with its whole history, also if it is deleted already. Needs the scope `admin`; cannot be undone. */
  eraseAsset(id: string, options?: DeleteOptions): Promise<void>;
  /** Returns the functions within a release, such as `drafts`. They need the scope `cma:draft`. */
  in(release: string): ReleaseFunctions;
}

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
type GetSelection<Field extends string> = Selection<Field> & CallOptions;

/** Whether a write is only checked. */
export interface Validation<Checked extends boolean = boolean> {
  /** With `true` the result and the errors are those of the write, and nothing is written. */
  validate?: Checked | undefined;
}

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

/** What a feed has; `values` fill the placeholders of `where`, in order. */
export type FeedQuery<From extends string = string> = Given<
  Omit<ListChangesData['query'], 'from' | 'values' | 'nulls'>
> & {
  /** The class name or type ID of a content type or of an interface. */
  from: KnownName<From>;
  values?: readonly PredicateValue[] | undefined;
};

/** What to do with a copy of the matching assets: store an asset, or remove one. */
type FeedItem<Found> = { op: 'put'; asset: Found } | FeedRemoval;

export type FeedPage<Found> = Omit<ChangesPage, 'items'> & { items: FeedItem<Found>[] } & UnfitNotes;

/** An item of a feed that is followed. */
export type FeedChange<Found> = FeedItem<Found> & {
  /** Whether it belongs to the snapshot or to the changes since. */
  phase: ChangesPage['phase'];
  /**
   * Continues the feed behind this item, if it was saved and is given as `cursor`; some items before it may come again. Absent
   * before the end of the first page.
   */
  cursor: string | undefined;
};

/** Options for following a feed. */
export interface FollowOptions extends CallOptions {
  /** Called when the snapshot is complete: what it did not contain, a copy from before should not have any more. */
  onSnapshot?: (() => void | Promise<void>) | undefined;
}

/** A value for a placeholder, which the server converts to the type of the field it is compared with. */
export type PredicateValue = string | number | boolean;

/** A literal must be a known name; a string computed at run time may be any. */
type KnownName<Name extends string> = Name extends TypeName ? Name : string extends Name ? Name : TypeName;

/** Lets optional members be `undefined` as well. */
type Given<Members> = {
  [Name in keyof Members]: object extends Pick<Members, Name> ? Members[Name] | undefined : Members[Name];
};

/** Notes on assets that were written before their content type changed. */
export interface UnfitNotes {
  /** The fields whose values do not fit their type; absent when all fit. */
  unfit?: UnfitFields;
}
