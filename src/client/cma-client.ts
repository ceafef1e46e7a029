/**
 * The client of the content management API, as its users see it: one function for each operation of the specification, whose
 * types follow from the generated ones, and an iterator over all pages of a query.
 */

import type { AssetChangesOf, AssetOf, NewAssetOf, NewTypeName, TypeName } from './asset-types.ts';
import type {
  Asset,
  BatchAssetsData,
  BatchAssetsResponses,
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
  /** Whether the total is wanted; `false` saves the counting. */
  count?: Counted | undefined;
};

/** A value for a placeholder, which the server converts to the type of the field it is compared with. */
export type PredicateValue = string | number | boolean;

/** A name that is written out must be one that there is; one that is made when the program runs may be any. */
type KnownName<Name extends string> = Name extends TypeName ? Name : string extends Name ? Name : TypeName;

/** Members that may be left out may be `undefined` too. */
type Given<Members> = {
  [Name in keyof Members]: object extends Pick<Members, Name> ? Members[Name] | undefined : Members[Name];
};

/** Which assets to go through, a page at a time. */
export type EachAssetQuery<From extends string = string> = Omit<
  AssetQuery<From>,
  'offset' | 'limit' | 'count'
> & {
  /** How many assets each request asks for, 1 to 1000; 100 unless given. */
  pageSize?: number | undefined;
};

type AnyPage = QueryAssetsResponses[200]['result'];

/** One page of assets; `count` is how many there are in all. */
export type AssetPage<Found, Counted extends boolean = true> = {
  [Name in Exclude<keyof AnyPage, 'count'>]: AnyPage[Name] extends Asset[] ? Found[] : AnyPage[Name];
} & (Counted extends true ? Required<Pick<AnyPage, 'count'>> : { count?: never }) &
  UnfitNotes;

/** An asset, and the ETag that names its present state. */
export interface AssetState<Found> extends UnfitNotes {
  asset: Found;
  etag: string;
}

/** What goes with assets that were written before their content type changed. */
export interface UnfitNotes {
  /** What of them does not fit their types, which then do not hold of these fields; absent when all fits. */
  unfit?: UnfitFields;
}

/** How an asset is read. */
export interface GetOptions extends CallOptions {
  /** The ETag of the state that is known already. */
  ifNoneMatch?: string | undefined;
}

/** How something is created. */
export interface CreateOptions extends CallOptions {
  /** What tells the server that this is the same request again; random unless given. */
  idempotencyKey?: string | undefined;
}

/** How an asset is changed or deleted. */
export interface ChangeOptions extends CallOptions {
  /** The ETag of the state that is to be changed; any other is left alone, with a PreconditionFailedError. */
  ifMatch?: string | undefined;
}

/** Operations of a batch. */
export type AssetBatch = Given<BatchAssetsData['body']>;

/** What became of each operation of a batch. */
export type BatchOutcome = BatchAssetsResponses[200]['result'];

/** A client of the content management API. Each function rejects with a ColophonError. */
export interface CmaClient {
  /** Finds one page of assets, in the order of their `_id`. */
  queryAssets<From extends TypeName | (string & {}), Counted extends boolean = true>(
    query: AssetQuery<From, Counted>,
    options?: CallOptions,
  ): Promise<AssetPage<AssetOf<From>, Counted>>;
  /**
   * Goes through all assets that match, in the order of their `_id`.
   *
   * Each page begins behind the last asset of the one before, so none is missed or given twice when others write meanwhile.
   */
  eachAsset<From extends TypeName | (string & {})>(
    query: EachAssetQuery<From>,
    options?: CallOptions,
  ): AsyncGenerator<AssetOf<From>, void, undefined>;
  /** Creates an asset; its `_id` is assigned unless it brings one. */
  createAsset<Name extends NewTypeName>(
    asset: { _type: Name } & NewAssetOf<Name>,
    options?: CreateOptions,
  ): Promise<AssetState<AssetOf<Name>>>;
  /** Carries out up to 1,000 operations, one after the other; each is answered on its own. */
  batchAssets(batch: AssetBatch, options?: CreateOptions): Promise<BatchOutcome>;
  /** Reads an asset. */
  getAsset(id: string, options?: CallOptions & { ifNoneMatch?: undefined }): Promise<AssetState<Asset>>;
  /** Reads an asset, unless the state that `ifNoneMatch` names is still its own: then there is nothing to say, `undefined`. */
  getAsset(id: string, options: GetOptions): Promise<AssetState<Asset> | undefined>;
  /** Changes the fields given; `null` clears an optional one. With its `_type` among them, the changes are checked by that type. */
  updateAsset<Name extends NewTypeName>(
    id: string,
    changes: { _type?: Name } & AssetChangesOf<Name>,
    options?: ChangeOptions,
  ): Promise<AssetState<AssetOf<Name>>>;
  /** Deletes an asset. References to it stay where they are. */
  deleteAsset(id: string, options?: ChangeOptions): Promise<void>;
}
