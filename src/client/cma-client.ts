/**
 * The client of the content management API, as its users see it: one function for each operation of the specification, whose
 * types follow from the generated ones, and an iterator over all pages of a query.
 */

import type { AssetChangesOf, AssetOf, NewAssetOf, NewTypeName, Selected, TypeName } from './asset-types.ts';
import type { Asset, AssetHistory, UploadedFile, Withdrawal } from './cma/types.gen.ts';
import type {
  AssetBatch,
  AssetPage,
  AssetPatch,
  AssetQuery,
  AssetState,
  BatchOutcome,
  ChangeOptions,
  CreateOptions,
  DeleteOptions,
  EachAssetQuery,
  GetOptions,
  GetSelection,
  HistoryOptions,
  PastState,
  PatchOptions,
  Restoration,
  Selection,
  UpdateOptions,
  Validation,
  Written,
} from './cma-calls.ts';
import type { CallOptions } from './connection.ts';
import type { FeedChange, FeedPage, FeedQuery, FollowOptions } from './feed-types.ts';
import type { FileReference, PictureVariant } from './file-path.ts';
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
  /** Reads an asset. */
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
  /** Deletes an asset. References to it remain. */
  deleteAsset(id: string, options?: DeleteOptions): Promise<void>;
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
