/**
 * The module that `colophon-client` stands for: the content management API.
 *
 * Its exports are named one by one, because only so they have priority over content types of the same name.
 */

export {
  type AssetChangesOf,
  type AssetOf,
  type NewAssetOf,
  type NewTypeName,
  type ReferenceTo,
  refTo,
  type Selected,
  type TypeName,
} from './asset-types.ts';
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
  CmaClient,
  ContentFunctions,
  CreateOptions,
  DeleteOptions,
  EachAssetQuery,
  FeedChange,
  FeedPage,
  FeedQuery,
  FollowOptions,
  GetOptions,
  HistoryOptions,
  PastState,
  PatchOptions,
  PredicateValue,
  ReleaseFunctions,
  Restoration,
  Selection,
  UnfitNotes,
  UpdateOptions,
  Validation,
  Written,
} from './cma-client.ts';
export type { ClientOptions } from './cma-request.ts';
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
export {
  type FileReference,
  type ImageSet,
  type ImageSetFile,
  type ImageSetOptions,
  imageSet,
  type PictureVariant,
} from './image-set.ts';
export {
  type AssetPredicate,
  and,
  type BooleanField,
  type Condition,
  type DateField,
  type EmbeddedField,
  type EnumField,
  type EqualityField,
  type ItemsField,
  type ListField,
  type NumberField,
  not,
  type OrderedField,
  or,
  type PresenceField,
  type QueryableType,
  type ReferenceField,
  type ReferenceValue,
  type TextField,
  type TextOptions,
  where,
} from './predicate.ts';
export type { FileSource, UploadOptions, UploadProgress } from './upload-file.ts';
export {
  type AssetEventOf,
  isEventOf,
  type ReceivedMessage,
  verifyWebhook,
  WebhookSignatureError,
} from './webhook.ts';
