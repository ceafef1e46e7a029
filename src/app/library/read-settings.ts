/**
 * Reads the settings of a library user as a configuration, by the same rules as environment variables.
 */
import { badConfig, isDomainError, type Problem } from '../../base/errors.ts';
import { type Config, readConfig } from '../config/config.ts';
import { findServiceVariables } from '../config/variable-kinds.ts';
import type { ColophonSettings } from './colophon.ts';

/** The environment variable of each setting. */
export const settingVariables = {
  types: 'COLOPHON_TYPES',
  dataDir: 'COLOPHON_DATA_DIR',
  mongodbUrl: 'COLOPHON_MONGODB_URL',
  filesUrl: 'COLOPHON_FILES_URL',
  maxFileBytes: 'COLOPHON_MAX_FILE_BYTES',
  filesAccess: 'COLOPHON_FILES_ACCESS',
  imageSizes: 'COLOPHON_IMAGE_SIZES',
  imageCacheBytes: 'COLOPHON_IMAGE_CACHE_BYTES',
  historyDays: 'COLOPHON_HISTORY_DAYS',
  host: 'COLOPHON_HOST',
  port: 'COLOPHON_PORT',
  publicUrl: 'COLOPHON_PUBLIC_URL',
  previewUrl: 'COLOPHON_PREVIEW_URL',
  trustProxy: 'COLOPHON_TRUST_PROXY',
  hsts: 'COLOPHON_HSTS',
  shutdownMs: 'COLOPHON_SHUTDOWN_MS',
  cmaEnabled: 'COLOPHON_CMA_ENABLED',
  mcp: 'COLOPHON_MCP',
  cmaPath: 'COLOPHON_CMA_PATH',
  corsOrigins: 'COLOPHON_CORS_ORIGINS',
  corsMaxAge: 'COLOPHON_CORS_MAX_AGE',
  delete: 'COLOPHON_DELETE',
  siteOwner: 'COLOPHON_SITE_OWNER',
  references: 'COLOPHON_REFERENCES',
  maxBodyBytes: 'COLOPHON_MAX_BODY_BYTES',
  maxRequests: 'COLOPHON_MAX_REQUESTS',
  maxStreams: 'COLOPHON_MAX_STREAMS',
  maxAnswerBytes: 'COLOPHON_MAX_ANSWER_BYTES',
  queryMs: 'COLOPHON_QUERY_MS',
  routeCacheBytes: 'COLOPHON_ROUTE_CACHE_BYTES',
  rateLimit: 'COLOPHON_RATE_LIMIT',
  secretKey: 'COLOPHON_SECRET_KEY',
  webhookPrivate: 'COLOPHON_WEBHOOK_PRIVATE',
  clientId: 'COLOPHON_CLIENT_ID',
  clientSecret: 'COLOPHON_CLIENT_SECRET',
  clientScopes: 'COLOPHON_CLIENT_SCOPES',
  adminEmail: 'COLOPHON_ADMIN_EMAIL',
  adminPassword: 'COLOPHON_ADMIN_PASSWORD',
  openidIssuer: 'COLOPHON_OPENID_ISSUER',
  openidClientId: 'COLOPHON_OPENID_CLIENT_ID',
  openidClientSecret: 'COLOPHON_OPENID_CLIENT_SECRET',
  openidRoles: 'COLOPHON_OPENID_ROLES',
  openidGroupsClaim: 'COLOPHON_OPENID_GROUPS_CLAIM',
  openidScopes: 'COLOPHON_OPENID_SCOPES',
  openidLabel: 'COLOPHON_OPENID_LABEL',
} as const satisfies Record<keyof ColophonSettings, string>;

const variableOf: ReadonlyMap<string, string> = new Map(Object.entries(settingVariables));
const settingOf: ReadonlyMap<string, string> = new Map([...variableOf].map(([name, of]) => [of, name]));

/** Reads settings. Errors: bad_config, with every invalid and every unknown setting. */
export function readSettings(settings: object): Config {
  const problems: Problem[] = [];
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(settings)) {
    const variable = variableOf.get(name);
    if (variable === undefined) problems.push({ path: name, message: 'is not a setting of Colophon' });
    else if (value === undefined) continue;
    else if (!['string', 'number', 'boolean'].includes(typeof value) || value === '') {
      problems.push({ path: name, message: 'must be a text that is not empty, a number, true or false' });
    } else environment[variable] = String(value);
  }
  // Kubernetes sets variables with these names and values; as settings they are mistakes.
  for (const path of findServiceVariables(environment)) {
    problems.push(toProblem({ path, message: 'must be a number' }));
  }
  const config = readVariables(environment, problems);
  if (!config || problems.length > 0) throw badConfig(problems);
  return config;
}

function readVariables(environment: Record<string, string>, problems: Problem[]): Config | undefined {
  try {
    return readConfig(environment);
  } catch (error) {
    if (!isDomainError(error, 'bad_config')) throw error;
    problems.push(...error.details.problems.map(toProblem));
    return undefined;
  }
}

/** Names settings in place of variables, in an error that is about these. */
export function nameSettings(error: unknown): unknown {
  return isDomainError(error, 'bad_config') ? badConfig(error.details.problems.map(toProblem)) : error;
}

const toProblem = ({ path, message }: Problem): Problem => ({ path: settingOf.get(path) ?? path, message });
