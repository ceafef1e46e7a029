/** The public interface of Colophon as a library. The published declarations consist of this file, so it imports nothing of Colophon. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * The settings of an instance: the environment variables of the configuration, without `COLOPHON_` and in camel case. Those that are absent
 * have the same defaults; the environment itself is not read.
 */
export interface ColophonSettings {
  /** The folder of the content types, `*.graphql`; by default the types that come with Colophon. */
  types?: string | undefined;
  /** The folder of the SQLite database; by default `data`. */
  dataDir?: string | undefined;
  /** Use MongoDB instead: `mongodb://host/database`. Needs the package `mongodb`, which Colophon depends on. */
  mongodbUrl?: string | undefined;
  /** Keep files in a bucket of S3: `s3://bucket/prefix?endpoint=…&region=…`. Needs `@aws-sdk/client-s3` and `@aws-sdk/lib-storage`. */
  filesUrl?: string | undefined;
  maxFileBytes?: number | undefined;
  filesAccess?: 'ANYONE' | 'CLIENT_CREDENTIALS' | undefined;
  /** The widths and heights that variants of pictures can have: `320,640,1280`. */
  imageSizes?: string | undefined;
  imageCacheBytes?: number | undefined;
  historyDays?: number | undefined;
  /** The address that `listen` binds; by default `127.0.0.1`. */
  host?: string | undefined;
  /** The port that `listen` binds, 0 for a free one; by default 4000. */
  port?: number | undefined;
  publicUrl?: string | undefined;
  /** The address of the pages that show assets whose site has none. */
  previewUrl?: string | undefined;
  trustProxy?: string | number | undefined;
  hsts?: string | undefined;
  shutdownMs?: number | undefined;
  cmaEnabled?: boolean | undefined;
  /** Whether agents can use `/mcp`; by default they cannot. */
  mcp?: boolean | undefined;
  cmaPath?: string | undefined;
  /** Origins whose pages may call the content management API, with commas between them, or `*`. */
  corsOrigins?: string | undefined;
  corsMaxAge?: number | undefined;
  /** `erase`: each deletion of live content also removes its history. */
  delete?: 'keep' | 'erase' | undefined;
  siteOwner?: 'optional' | 'required' | undefined;
  references?: 'checked' | 'unchecked' | undefined;
  maxBodyBytes?: number | undefined;
  maxRequests?: number | undefined;
  maxStreams?: number | undefined;
  maxAnswerBytes?: number | undefined;
  queryMs?: number | undefined;
  routeCacheBytes?: number | undefined;
  /** Milliseconds of work a second for each sender: `<units>` or `<units>,<burst>`; without it there is no limit. */
  rateLimit?: string | undefined;
  /** Encrypts the secrets of webhooks; on SQLite the default is a key file in the data folder. */
  secretKey?: string | undefined;
  /** Whether webhooks may send to loopback, private and link-local addresses, where the OpenID Connect provider may then be, too. */
  webhookPrivate?: boolean | undefined;
  /** The first API client of an empty store; what is absent is generated, but for its scopes, `cma:read,cma:write,graphql`. */
  clientId?: string | undefined;
  clientSecret?: string | undefined;
  clientScopes?: string | undefined;
  /** The first user of an empty store; what is absent is generated. */
  adminEmail?: string | undefined;
  adminPassword?: string | undefined;
  /** The OpenID Connect provider by which users sign in to the admin UI; needs `publicUrl` and the next three settings. The secret has at least 16 characters. */
  openidIssuer?: string | undefined;
  openidClientId?: string | undefined;
  openidClientSecret?: string | undefined;
  /** The role of each group: `cms-editors:editor,cms-admins:admin`. */
  openidRoles?: string | undefined;
  /** The claim that has the groups; by default `groups`. */
  openidGroupsClaim?: string | undefined;
  /** By default `openid email profile`. */
  openidScopes?: string | undefined;
  /** What the admin UI calls the provider; by default its host. */
  openidLabel?: string | undefined;
}

/** Settings, and what is not a setting of the environment. */
export interface ColophonOptions extends ColophonSettings {
  /** Receives the log; by default nothing is logged. */
  logger?: ColophonLogger | undefined;
}

/** A log; pino has this form. */
export interface ColophonLogger {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** An instance of Colophon. */
export interface Colophon {
  /** Reads and writes content directly, with all rights. */
  readonly content: ColophonContent;
  /**
   * Handles a request, as a listener of any HTTP server. It handles every path: APIs, routes, admin UI. Paths are absolute, so it cannot be
   * mounted below another path.
   */
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
  /** The address of the server that `listen` has started, without a slash at the end; `undefined` without one. */
  readonly address: string | undefined;
  /** The API client and the user that were created, because the store was empty. Their secrets cannot be read again. */
  readonly firstAccounts: {
    readonly client?: { readonly clientId: string; readonly secret: string } | undefined;
    readonly user?: { readonly email: string; readonly password: string } | undefined;
  };
  /** Starts a server on the host and port of the settings, and returns its address. A second call returns the same. */
  listen(): Promise<string>;
  /**
   * Finishes the requests of the server that `listen` has started, and closes the store. Close a server that uses `handler` first.
   */
  close(): Promise<void>;
}

/**
 * Opens the store and prepares everything that `colophon serve` serves, in this process. Importing the library does nothing, and an
 * instance handles no signals. Rejects with a ColophonError: `bad_config`, `bad_types`, `store_busy` or `store_failure`.
 */
export declare function createColophon(options?: ColophonOptions): Promise<Colophon>;

/** Checks whether an error is one that Colophon expects, and has the code if one is given. */
export declare function isColophonError(error: unknown, code?: string): error is ColophonError;

/** A stored document; its other members are the fields of its content type, by JSON name. */
export interface Asset {
  _id: string;
  _type: string;
  [field: string]: unknown;
}

/** An asset with the version that the next write replaces. */
export interface AssetState {
  readonly asset: Asset;
  readonly version: string;
  /** The ID of the write in the change log; absent after a read, and if the store keeps none. */
  readonly change?: string;
}

/** Which assets to find. */
export interface AssetQuery {
  /** The class name or type ID of a content type or an interface. */
  from: string;
  /** A predicate. */
  where?: string | undefined;
  /** The values of the placeholders in `where`. */
  values?: readonly unknown[] | undefined;
  /** By default 0. */
  offset?: number | undefined;
  /** 0 to 1000; by default 10. */
  limit?: number | undefined;
  /** `field` is a path. The most significant key first; by default assets are ordered by `_id`. */
  sort?: readonly { readonly field: string; readonly descending?: boolean | undefined }[] | undefined;
}

/** A condition on the present version of an asset. */
export interface VersionCondition {
  /** The version that the asset must have. */
  ifVersion?: string | undefined;
}

export interface UpdateOptions extends VersionCondition {
  /** The version that the changes are based on; what others have changed since is kept. */
  baseVersion?: string | undefined;
}

/** A new asset, or the fields to change, as JSON. */
export type AssetInput = Readonly<Record<string, unknown>>;

/** A JSON Merge Patch, or a list of the operations of a JSON Patch. */
export type AssetPatch = AssetInput | readonly AssetInput[];

export type BatchOperation =
  | { action: 'create'; asset: AssetInput }
  | ({ action: 'update' | 'upsert'; asset: AssetInput; by?: string | undefined } & UpdateOptions)
  | { action: 'replace'; asset: AssetInput; by?: string | undefined }
  | ({ action: 'patch'; id: string; patch: AssetPatch } & VersionCondition)
  | ({ action: 'delete'; id: string } & VersionCondition);

/** Operations to carry out in order. */
export interface Batch {
  operations: readonly BatchOperation[];
  /** Whether either all are carried out or none. */
  atomic?: boolean | undefined;
  /** Whether the targets of references must exist, or may be missing. */
  references?: 'checked' | 'deferred' | undefined;
  /** Whether updates write a `cms.content.updateDate` that they give only where it differs, or always. */
  updateDates?: 'changed' | 'given' | undefined;
  /** Whether updates and upserts that change nothing write nothing, as replacements do. */
  skipUnchanged?: boolean | undefined;
}

/** The result of one operation of a batch. */
export type BatchResult =
  | {
      readonly outcome: 'created' | 'updated' | 'deleted' | 'unchanged';
      readonly id: string;
      /** Absent after a deletion. */
      readonly version?: string;
      readonly change?: string;
      /** With deferred references, those whose targets do not exist. */
      readonly unresolved: readonly {
        readonly path: string;
        readonly _ref: string;
        readonly _type: string;
      }[];
    }
  | { readonly outcome: 'refused'; readonly error: ColophonError };

/** Reads and writes content. Each call rejects with a ColophonError; inputs are read as `JSON.stringify` writes them. */
export interface ColophonContent {
  /** Errors: not_found. */
  get(id: string): Promise<AssetState>;
  /** Finds one page; `count` is the total. */
  find(query: AssetQuery): Promise<{ count: number; items: Asset[] }>;
  create(asset: AssetInput): Promise<AssetState>;
  /** Changes the fields given; null clears an optional one. */
  update(id: string, changes: AssetInput, options?: UpdateOptions): Promise<AssetState>;
  /** Applies a patch, anew when another write comes between. */
  patch(id: string, patch: AssetPatch, options?: VersionCondition): Promise<AssetState>;
  delete(id: string, options?: VersionCondition): Promise<void>;
  batch(batch: Batch): Promise<BatchResult[]>;
  /**
   * Uploads a file from its bytes, or from a stream of them, which is read to its end or destroyed. Returns the value of a field of the type
   * `File`. Errors: invalid_parameter, invalid_body, body_too_large.
   */
  uploadFile(bytes: Uint8Array | AsyncIterable<Uint8Array>, file: FileNames): Promise<UploadedFile>;
}

/** What a file is called; where the bytes do not tell its media type, the ending does. */
export interface FileNames {
  name: string;
}

/** An uploaded file; a picture has a width and a height, in pixels. */
export interface UploadedFile {
  readonly hash: string;
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: number;
  readonly width?: number;
  readonly height?: number;
}

/** An error that Colophon expects; the guide lists the codes. */
export interface ColophonError extends Error {
  readonly code: string;
  readonly details: object;
}
