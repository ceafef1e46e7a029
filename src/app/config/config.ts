/**
 * The configuration: every environment variable that Colophon reads, with its default and limits. No other file reads the environment.
 */

import { type CorsSettings, defaultMaxAge, maxMaxAge } from '../../access/allowed-origins.ts';
import type { Scope } from '../../access/clients/scopes.ts';
import type { OpenidSettings } from '../../access/openid/openid-settings.ts';
import type { RateLimit } from '../../access/rate-limits.ts';
import { emailPattern } from '../../access/users/user-record.ts';
import { badConfig, type Problem } from '../../base/errors.ts';
import { readTrustedProxies, type TrustedProxies } from '../../http/request/request-head.ts';
import { shippedTypesFolder } from '../../types/type-sources.ts';
import { openidVariables, readOpenid } from './openid-variables.ts';
import {
  address,
  areNested,
  choice,
  type FileSettings,
  fileVariables,
  findServiceVariables,
  findUnknown,
  maybe,
  optional,
  origins,
  pageAddress,
  path,
  processes,
  readFileSettings,
  readRateLimit,
  readScopes,
  text,
  type Variable,
  wholeNumber,
} from './variable-kinds.ts';

/** The settings of one installation. */
export interface Config extends FileSettings {
  readonly host: string;
  /** Where COLOPHON_PORT is not set, it is PORT, which hosts of containers set. */
  readonly port: number;
  /** How many processes serve the port. */
  readonly workers: number;
  /** The number of this worker, which its parent sets; absent in every other process. */
  readonly worker?: number;
  readonly dataDir: string;
  /** If absent, the embedded store in `dataDir` is used. */
  readonly mongodbUrl?: string | undefined;
  readonly typesDir: string;
  /** Whether `typesDir` was given by the user, and is not the default. */
  readonly typesGiven: boolean;
  /** The address that callers use, without a slash at the end; absent if unknown. */
  readonly publicUrl?: string;
  /** The address of the pages that show assets whose site has none, without a slash at the end. */
  readonly previewUrl?: string | undefined;
  /** The path of the public URL, such as `/cms`; empty if it has none. */
  readonly basePath: string;
  readonly cmaEnabled: boolean;
  /** Whether agents can use `/mcp`. */
  readonly mcpEnabled: boolean;
  /** Begins with `/` and does not end with it. */
  readonly cmaPath: string;
  /** The origins whose pages may call the CMA. */
  readonly cmaCors: CorsSettings;
  /** Whether each deletion of live content is an erasure. */
  readonly erasesDeletions: boolean;
  readonly siteOwnerRequired: boolean;
  readonly referencesChecked: boolean;
  readonly maxBodyBytes: number;
  /** Encrypts secrets that must be used again; absent means a key file in `dataDir`. */
  readonly secretKey?: string;
  /** Whether webhooks may send to addresses that are not public. */
  readonly webhookPrivate: boolean;
  /** How much work each sender may cause; absent means any. */
  readonly rateLimit?: RateLimit;
  /** The maximum number of requests in progress. */
  readonly maxRequests: number;
  /** The maximum number of live feeds of each API client, in each process. */
  readonly maxStreams: number;
  /** The maximum size of the data of a GraphQL response. */
  readonly maxAnswerBytes: number;
  /** How long a search may take before it is stopped. */
  readonly queryMs: number;
  /** The maximum memory for kept responses of mapped routes. */
  readonly routeCacheBytes: number;
  /** The proxies whose `X-Forwarded-For` is trusted; if absent, none. */
  readonly trustedProxies?: TrustedProxies;
  /** How many days the change log goes back. */
  readonly historyDays: number;
  /** How long requests in progress may take after the server received the signal to stop. */
  readonly shutdownMs: number;
  /** The header `Strict-Transport-Security` of every response. */
  readonly hsts?: string;
  readonly logLevel: string;
  readonly firstClientId?: string | undefined;
  readonly firstClientSecret?: string | undefined;
  readonly firstClientScopes?: readonly Scope[] | undefined;
  /** Email of the first user. */
  readonly adminEmail?: string | undefined;
  readonly adminPassword?: string | undefined;
  /** ID of an API client with the scope `admin`, for commands that call a server. */
  readonly adminClientId?: string | undefined;
  readonly adminClientSecret?: string | undefined;
  /** Sign-in by OpenID Connect; absent without a provider. */
  readonly openid?: OpenidSettings;
  /** Names of variables that Kubernetes sets and Colophon ignores. */
  readonly ignoredVariables: readonly string[];
}

/** The environment variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** More processes than any machine has cores for are a mistake. */
const maxWorkers = 64;

/** Every variable. */
export const variables = {
  COLOPHON_HOST: text('127.0.0.1'),
  COLOPHON_PORT: wholeNumber({ fallback: 4000, min: 0, max: 65_535 }),
  COLOPHON_WORKERS: processes(maxWorkers),
  COLOPHON_WORKER: maybe(wholeNumber({ fallback: 0, min: 1, max: maxWorkers }).read),
  COLOPHON_DATA_DIR: text('data'),
  COLOPHON_MONGODB_URL: optional(/^mongodb(\+srv)?:\/\//, 'must begin with mongodb:// or mongodb+srv://'),
  COLOPHON_TYPES: text(shippedTypesFolder),
  COLOPHON_PUBLIC_URL: address(),
  COLOPHON_PREVIEW_URL: pageAddress(),
  COLOPHON_CMA_ENABLED: choice({ fallback: 'true', options: ['true', 'false'] }),
  COLOPHON_MCP: choice({ fallback: 'false', options: ['true', 'false'] }),
  COLOPHON_CMA_PATH: path('/api/rest/cma/contents'),
  COLOPHON_CORS_ORIGINS: origins(),
  COLOPHON_CORS_MAX_AGE: wholeNumber({ fallback: defaultMaxAge, min: 0, max: maxMaxAge }),
  COLOPHON_SITE_OWNER: choice({ fallback: 'optional', options: ['optional', 'required'] }),
  COLOPHON_REFERENCES: choice({ fallback: 'checked', options: ['checked', 'unchecked'] }),
  COLOPHON_DELETE: choice({ fallback: 'keep', options: ['keep', 'erase'] }),
  COLOPHON_MAX_BODY_BYTES: wholeNumber({ fallback: 4_194_304, min: 1024, max: 12_582_912 }),
  COLOPHON_RATE_LIMIT: maybe(readRateLimit),
  COLOPHON_MAX_REQUESTS: wholeNumber({ fallback: 1000, min: 1, max: 100_000 }),
  COLOPHON_MAX_STREAMS: wholeNumber({ fallback: 100, min: 0, max: 100_000 }),
  COLOPHON_MAX_ANSWER_BYTES: wholeNumber({ fallback: 33_554_432, min: 1024, max: 67_108_864 }),
  COLOPHON_QUERY_MS: wholeNumber({ fallback: 5_000, min: 10, max: 600_000 }),
  COLOPHON_ROUTE_CACHE_BYTES: wholeNumber({ fallback: 33_554_432, min: 0, max: 4_294_967_296 }),
  COLOPHON_HISTORY_DAYS: wholeNumber({ fallback: 90, min: 7, max: 36_500 }),
  COLOPHON_SECRET_KEY: optional(/^[\x21-\x7e]{32,1000}$/, 'must be 32 to 1000 printable ASCII characters'),
  COLOPHON_WEBHOOK_PRIVATE: choice({ fallback: 'false', options: ['true', 'false'] }),
  COLOPHON_TRUST_PROXY: maybe(readTrustedProxies),
  COLOPHON_SHUTDOWN_MS: wholeNumber({ fallback: 10_000, min: 0, max: 600_000 }),
  COLOPHON_HSTS: optional(
    /^max-age=\d{1,10}(; ?includeSubDomains)?(; ?preload)?$/,
    'must be such as max-age=31536000, or max-age=31536000; includeSubDomains',
  ),
  COLOPHON_LOG_LEVEL: choice({ fallback: 'info', options: ['debug', 'info', 'warn', 'error', 'silent'] }),
  COLOPHON_CLIENT_ID: optional(/^[\x21-\x7e]{1,100}$/, 'must be 1 to 100 printable ASCII characters'),
  COLOPHON_CLIENT_SECRET: optional(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 printable ASCII characters'),
  COLOPHON_CLIENT_SCOPES: maybe(readScopes),
  COLOPHON_ADMIN_CLIENT_ID: optional(/^[\x21-\x7e]{1,100}$/, 'must be 1 to 100 printable ASCII characters'),
  COLOPHON_ADMIN_CLIENT_SECRET: optional(
    /^[\x21-\x7e]{1,200}$/,
    'must be 1 to 200 printable ASCII characters',
  ),
  COLOPHON_ADMIN_EMAIL: optional(emailPattern, 'must be an email address'),
  // The first start on an empty store checks the rest: a store with users may have a password by another rule.
  COLOPHON_ADMIN_PASSWORD: optional(/^.{1,1000}$/su, 'must have at most 1000 characters'),
  ...fileVariables,
  ...openidVariables,
};

/**
 * Reads the configuration from environment variables.
 *
 * Errors: bad_config, with every invalid variable and every unknown one that begins with COLOPHON_.
 */
export function readConfig(environment: Environment): Config {
  const problems: Problem[] = [];
  const ignoredVariables = findServiceVariables(environment);
  const read = <Value>(name: string, { fallback, read }: Variable<Value>): Value => {
    const given = environment[name];
    if (given === undefined || given === '' || ignoredVariables.includes(name)) return fallback;
    const outcome = read(given);
    if (typeof outcome !== 'string') return outcome.value;
    problems.push({ path: name, message: outcome });
    return fallback;
  };
  const isPortGiven = environment.COLOPHON_PORT && !ignoredVariables.includes('COLOPHON_PORT');
  const trustedProxies = read('COLOPHON_TRUST_PROXY', variables.COLOPHON_TRUST_PROXY);
  const rateLimit = read('COLOPHON_RATE_LIMIT', variables.COLOPHON_RATE_LIMIT);
  const hsts = read('COLOPHON_HSTS', variables.COLOPHON_HSTS);
  const publicUrl = read('COLOPHON_PUBLIC_URL', variables.COLOPHON_PUBLIC_URL);
  const mongodbUrl = read('COLOPHON_MONGODB_URL', variables.COLOPHON_MONGODB_URL);
  const secretKey = read('COLOPHON_SECRET_KEY', variables.COLOPHON_SECRET_KEY);
  const worker = read('COLOPHON_WORKER', variables.COLOPHON_WORKER);
  const webhookPrivate = read('COLOPHON_WEBHOOK_PRIVATE', variables.COLOPHON_WEBHOOK_PRIVATE) === 'true';
  const openid = readOpenid(read, { publicUrl, webhookPrivate }, problems);
  const config: Config = {
    host: read('COLOPHON_HOST', variables.COLOPHON_HOST),
    port: read(isPortGiven ? 'COLOPHON_PORT' : 'PORT', variables.COLOPHON_PORT),
    workers: read('COLOPHON_WORKERS', variables.COLOPHON_WORKERS),
    basePath: publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, ''),
    previewUrl: read('COLOPHON_PREVIEW_URL', variables.COLOPHON_PREVIEW_URL),
    dataDir: read('COLOPHON_DATA_DIR', variables.COLOPHON_DATA_DIR),
    mongodbUrl,
    typesDir: read('COLOPHON_TYPES', variables.COLOPHON_TYPES),
    typesGiven: Boolean(environment.COLOPHON_TYPES),
    cmaEnabled: read('COLOPHON_CMA_ENABLED', variables.COLOPHON_CMA_ENABLED) === 'true',
    mcpEnabled: read('COLOPHON_MCP', variables.COLOPHON_MCP) === 'true',
    cmaPath: read('COLOPHON_CMA_PATH', variables.COLOPHON_CMA_PATH),
    cmaCors: {
      origins: read('COLOPHON_CORS_ORIGINS', variables.COLOPHON_CORS_ORIGINS),
      maxAge: read('COLOPHON_CORS_MAX_AGE', variables.COLOPHON_CORS_MAX_AGE),
    },
    siteOwnerRequired: read('COLOPHON_SITE_OWNER', variables.COLOPHON_SITE_OWNER) === 'required',
    referencesChecked: read('COLOPHON_REFERENCES', variables.COLOPHON_REFERENCES) === 'checked',
    erasesDeletions: read('COLOPHON_DELETE', variables.COLOPHON_DELETE) === 'erase',
    maxBodyBytes: read('COLOPHON_MAX_BODY_BYTES', variables.COLOPHON_MAX_BODY_BYTES),
    webhookPrivate,
    maxRequests: read('COLOPHON_MAX_REQUESTS', variables.COLOPHON_MAX_REQUESTS),
    maxStreams: read('COLOPHON_MAX_STREAMS', variables.COLOPHON_MAX_STREAMS),
    maxAnswerBytes: read('COLOPHON_MAX_ANSWER_BYTES', variables.COLOPHON_MAX_ANSWER_BYTES),
    queryMs: read('COLOPHON_QUERY_MS', variables.COLOPHON_QUERY_MS),
    routeCacheBytes: read('COLOPHON_ROUTE_CACHE_BYTES', variables.COLOPHON_ROUTE_CACHE_BYTES),
    historyDays: read('COLOPHON_HISTORY_DAYS', variables.COLOPHON_HISTORY_DAYS),
    shutdownMs: read('COLOPHON_SHUTDOWN_MS', variables.COLOPHON_SHUTDOWN_MS),
    logLevel: read('COLOPHON_LOG_LEVEL', variables.COLOPHON_LOG_LEVEL),
    firstClientId: read('COLOPHON_CLIENT_ID', variables.COLOPHON_CLIENT_ID),
    firstClientSecret: read('COLOPHON_CLIENT_SECRET', variables.COLOPHON_CLIENT_SECRET),
    firstClientScopes: read('COLOPHON_CLIENT_SCOPES', variables.COLOPHON_CLIENT_SCOPES),
    adminEmail: read('COLOPHON_ADMIN_EMAIL', variables.COLOPHON_ADMIN_EMAIL),
    adminPassword: read('COLOPHON_ADMIN_PASSWORD', variables.COLOPHON_ADMIN_PASSWORD),
    adminClientId: read('COLOPHON_ADMIN_CLIENT_ID', variables.COLOPHON_ADMIN_CLIENT_ID),
    adminClientSecret: read('COLOPHON_ADMIN_CLIENT_SECRET', variables.COLOPHON_ADMIN_CLIENT_SECRET),
    ignoredVariables,
    ...readFileSettings(read),
    ...(worker === undefined ? {} : { worker }),
    ...(rateLimit ? { rateLimit } : {}),
    ...(hsts ? { hsts } : {}),
    ...(secretKey ? { secretKey } : {}),
    ...(publicUrl ? { publicUrl } : {}),
    ...(trustedProxies === undefined ? {} : { trustedProxies }),
    ...(openid ? { openid } : {}),
  };
  problems.push(
    ...checkPaths(config),
    ...findUnknown(Object.keys(environment), Object.keys(variables).concat(ignoredVariables)),
  );
  if (problems.length > 0) throw badConfig(problems);
  return config;
}

/** A request to a path below both could mean either. */
function checkPaths({ basePath, cmaPath }: Config): Problem[] {
  if (basePath === '' || !areNested(basePath, cmaPath)) return [];
  const message = `has the path ${basePath}, which must not overlap that of COLOPHON_CMA_PATH, ${cmaPath}`;
  return [{ path: 'COLOPHON_PUBLIC_URL', message }];
}
