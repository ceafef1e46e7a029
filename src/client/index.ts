/**
 * The module that `colophon-client` stands for: the content management API.
 */

export type { AssetChangesOf, AssetOf, NewAssetOf, NewTypeName, TypeName } from './asset-types.ts';
export type * from './cma/deprecated-names.gen.ts';
export type * from './cma/types.gen.ts';
export type {
  AssetBatch,
  AssetPage,
  AssetQuery,
  AssetState,
  BatchOutcome,
  ChangeOptions,
  CmaClient,
  CreateOptions,
  EachAssetQuery,
  GetOptions,
  HistoryOptions,
  PastState,
  PredicateValue,
  Restoration,
  UnfitNotes,
  UpdateOptions,
} from './cma-client.ts';
export type { CallOptions, ConnectionOptions } from './connection.ts';
export { type ClientOptions, createClient } from './create-client.ts';
export {
  BadRequestError,
  ColophonError,
  type ColophonErrorCode,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  MethodNotAllowedError,
  NotFoundError,
  PayloadTooLargeError,
  PreconditionFailedError,
  PredicateError,
  type RouteError,
  ServerError,
  TimeoutError,
  TooManyRequestsError,
  UnauthorizedError,
  UnfitContentError,
  UnsupportedMediaTypeError,
  ValidationError,
} from './errors.ts';
