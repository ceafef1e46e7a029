/**
 * The module that `colophon-client` stands for: the content management API.
 */
export type * from '../../generated/client/lib/cma/deprecated-names.gen.js';
export type * from '../../generated/client/lib/cma/types.gen.js';
export type { AssetChangesOf, AssetOf, NewAssetOf, NewTypeName, TypeName } from './asset-types.ts';
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
  PredicateValue,
  UnfitNotes,
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
