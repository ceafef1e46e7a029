/**
 * The module that `colophon-client` stands for: the content management API.
 */

export type { AssetChangesOf, AssetOf, NewAssetOf, NewTypeName, Selected, TypeName } from './asset-types.ts';
export * from './cma/types.gen.ts';
export type {
  AssetBatch,
  AssetPage,
  AssetPatch,
  AssetQuery,
  AssetState,
  BatchOutcome,
  ChangeOptions,
  CheckedAsset,
  CreateOptions,
  DeleteOptions,
  EachAssetQuery,
  GetOptions,
  HistoryOptions,
  PastState,
  PatchOptions,
  Restoration,
  Selection,
  UpdateOptions,
  Validation,
  Written,
} from './cma-calls.ts';
export type { CmaClient, ContentFunctions, ReleaseFunctions } from './cma-client.ts';
export type { ClientOptions } from './cma-connection.ts';
export type { CallOptions, ConnectionOptions, Idempotency } from './connection.ts';
export { createClient } from './create-client.ts';
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
export type { FeedChange, FeedPage, FeedQuery, FollowOptions } from './feed-types.ts';
export type { FileReference, PictureVariant } from './file-path.ts';
export { type ImageSet, type ImageSetFile, type ImageSetOptions, imageSet } from './image-set.ts';
export { and, type Condition, not, or } from './predicate/condition.ts';
export type {
  BooleanField,
  DateField,
  EmbeddedField,
  EnumField,
  EqualityField,
  ItemsField,
  ListField,
  NumberField,
  OrderedField,
  PresenceField,
  QueryableType,
  ReferenceField,
  ReferenceValue,
  TextField,
  TextOptions,
} from './predicate/fields.ts';
export { type AssetPredicate, where } from './predicate/where.ts';
export type { PredicateValue, UnfitNotes } from './query-types.ts';
export { type ReferenceTo, refTo } from './ref-to.ts';
export type { FileSource, UploadOptions, UploadProgress } from './upload-file.ts';
export {
  type AssetEventOf,
  isEventOf,
  type ReceivedMessage,
  verifyWebhook,
  WebhookSignatureError,
} from './webhook.ts';
