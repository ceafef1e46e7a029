/**
 * The kinds of environment variables: each has a default, and reads its text or says what is wrong with it.
 */

import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { checkOrigins, maxOrigins } from '../../access/allowed-origins.ts';
import { isScope, type Scope, scopes } from '../../access/clients/scopes.ts';
import type { RateLimit } from '../../access/rate-limits.ts';
import { parseBucketUrl } from '../../base/bucket-address.ts';
import type { Problem } from '../../base/problems.ts';
import type { FilesAccess } from '../../http/files/serve-files.ts';
import { findPathAbove, reservedPaths } from '../../mapping/checks/naming.ts';
import { suggest } from '../../text/suggest.ts';

/** An environment variable; `read` returns its value, or a string with the reason why the text is invalid. */
export interface Variable<Value> {
  readonly fallback: Value;
  readonly read: (text: string) => { readonly value: Value } | string;
}

export function text(fallback: string): Variable<string> {
  return { fallback, read: (value) => ({ value }) };
}

/** A text of a pattern, which may be absent. */
export function optional(pattern: RegExp, reason: string): Variable<string | undefined> {
  return maybe((value) => (pattern.test(value) ? { value } : reason));
}

/** A value that may be absent. */
export function maybe<Value>(read: Variable<Value>['read']): Variable<Value | undefined> {
  return { fallback: undefined, read };
}

/** The address of a server, which may have a path that hides none of Colophon's own; without a slash at the end. */
export function address(): Variable<string | undefined> {
  return maybe((value) => {
    const { protocol, origin, pathname = '' } = URL.parse(value) ?? {};
    const given = value.replace(/\/$/, '');
    const basePath = pathname.replace(/\/$/, '');
    const isAddress = (protocol === 'https:' || protocol === 'http:') && given === `${origin}${basePath}`;
    if (!isAddress) return 'must be an address such as https://cms.example.com or https://example.com/cms';
    const problem = basePath === '' ? undefined : checkBasePath(basePath);
    return problem === undefined ? { value: given } : `has a path, which ${problem}`;
  });
}

/** The address of a site, without a slash at the end, if it is set. */
export function pageAddress(): Variable<string | undefined> {
  return maybe((value) => {
    const { origin = '', pathname = '' } = URL.parse(value) ?? {};
    const address = `${origin}${pathname.replace(/\/$/, '')}`;
    const isAddress = /^https?:\/\/[a-z0-9.:[\]-]+$/.test(origin) && value.replace(/\/$/, '') === address;
    return isAddress ? { value: address } : 'must be an address such as https://www.example.com';
  });
}

/** A list of origins, or `*`, in text separated by commas. */
export function origins(): Variable<readonly string[]> {
  return {
    fallback: [],
    read: (text) => {
      const value = text.split(',').map((origin) => origin.trim());
      const [problem] = value.length > maxOrigins ? [`must be at most ${maxOrigins}`] : findProblems(value);
      return problem ?? { value };
    },
  };
}

const findProblems = (given: readonly string[]) =>
  checkOrigins(given, '').map(({ path, message }) =>
    `${given[Number(path.slice(1, -1))] ?? ''} ${message}`.trim(),
  );

/** Reads a rate limit: units a second, and after a comma the burst, which is ten seconds of them unless given. */
export function readRateLimit(text: string): { readonly value: RateLimit } | string {
  const [, units, burst] = /^([1-9]\d{0,6})(?:,([1-9]\d{0,7}))?$/.exec(text) ?? [];
  if (units === undefined)
    return 'must be units a second, such as 200, and may have a burst, such as 200,2000; both from 1 on';
  const unitsPerSecond = Number(units);
  return { value: { unitsPerSecond, burst: Number(burst ?? unitsPerSecond * 10) } };
}

/** Reads scopes of an API client, separated by commas. */
export function readScopes(text: string): { readonly value: readonly Scope[] } | string {
  const words = text.split(',').map((word) => word.trim());
  const value = words.filter(isScope);
  const isList = value.length === words.length && new Set(value).size === value.length;
  return isList ? { value } : `must be scopes, each once, separated by commas: ${scopes.join(', ')}`;
}

/** Reads the address of a bucket. */
function readFilesUrl(text: string): { readonly value: string } | string {
  const isBucket = parseBucketUrl(text) !== undefined;
  return isBucket ? { value: text } : `must be such as ${exampleBucket}; endpoint and region may be absent`;
}

const exampleBucket = 's3://bucket/prefix?endpoint=https://s3.example.com&region=eu-central-1';

/** One of several words. */
export function choice<const Option extends string>({
  fallback,
  options,
}: {
  fallback: NoInfer<Option>;
  options: readonly Option[];
}): Variable<Option> {
  return {
    fallback,
    read: (text) => {
      const value = options.find((option) => option === text);
      return value === undefined ? `must be one of ${options.join(', ')}` : { value };
    },
  };
}

/** A base path that hides none of Colophon's own. */
export function path(fallback: string): Variable<string> {
  return {
    fallback,
    read: (value) => checkBasePath(value) ?? { value },
  };
}

function checkBasePath(value: string): string | undefined {
  if (!/^(\/[\w.~-]+)+$/.test(value)) {
    return 'must be a path such as /api/contents, of letters, digits and . _ ~ -';
  }
  const reserved = reservedPaths.find((path) => areNested(path, value));
  return reserved === undefined ? undefined : `must not overlap ${reserved}, which is reserved for Colophon`;
}

/** Tells whether two paths are equal, or one is below the other. */
export const areNested = (one: string, other: string) =>
  findPathAbove(one, [other]) !== undefined || findPathAbove(other, [one]) !== undefined;

/** A number of processes, or `auto` for one for each core. */
export function processes(max: number): Variable<number> {
  const given = wholeNumber({ fallback: 1, min: 1, max });
  return {
    fallback: 1,
    read(value) {
      if (value === 'auto') return { value: Math.min(availableParallelism(), max) };
      const outcome = given.read(value);
      return typeof outcome === 'string' ? `${outcome}, or auto` : outcome;
    },
  };
}

/** A whole number within limits. */
export function wholeNumber({
  fallback,
  min,
  max,
}: {
  fallback: number;
  min: number;
  max: number;
}): Variable<number> {
  return {
    fallback,
    read: (value) => {
      const number = Number(value);
      const fits = /^\d+$/.test(value) && number >= min && number <= max;
      return fits ? { value: number } : `must be a whole number from ${min} to ${max}`;
    },
  };
}

export interface FileSettings {
  /** The address of the bucket of files; absent for the store's own place. */
  readonly filesUrl?: string;
  /** The maximum size of an uploaded file. */
  readonly maxFileBytes: number;
  readonly filesAccess: FilesAccess;
  /** The widths and heights that variants of pictures can have, in pixels. */
  readonly imageSizes: readonly number[];
  /** The maximum size of the folder of variants; 0 for none. */
  readonly imageCacheBytes: number;
}

export const fileVariables = {
  COLOPHON_FILES_URL: maybe(readFilesUrl),
  COLOPHON_MAX_FILE_BYTES: wholeNumber({ fallback: 104_857_600, min: 1024, max: 2_147_483_647 }),
  COLOPHON_FILES_ACCESS: choice({ fallback: 'ANYONE', options: ['ANYONE', 'CLIENT_CREDENTIALS'] }),
  COLOPHON_IMAGE_SIZES: { fallback: [160, 320, 640, 960, 1280, 1920, 2560], read: readSizes },
  COLOPHON_IMAGE_CACHE_BYTES: wholeNumber({ fallback: 1_073_741_824, min: 0, max: 1_099_511_627_776 }),
};

const maxSizes = 32;
const maxPixels = 8192;

function readSizes(text: string): { readonly value: readonly number[] } | string {
  const value = text.split(',').map((size) => (/^\s*\d{1,5}\s*$/.test(size) ? Number(size) : 0));
  const fits = value.length <= maxSizes && value.every((size) => size >= 1 && size <= maxPixels);
  return fits ? { value } : `must be up to ${maxSizes} numbers from 1 to ${maxPixels}, such as 320,640,1280`;
}

export function readFileSettings(
  read: <Value>(name: string, variable: Variable<Value>) => Value,
): FileSettings {
  const filesUrl = read('COLOPHON_FILES_URL', fileVariables.COLOPHON_FILES_URL);
  return {
    maxFileBytes: read('COLOPHON_MAX_FILE_BYTES', fileVariables.COLOPHON_MAX_FILE_BYTES),
    filesAccess: read('COLOPHON_FILES_ACCESS', fileVariables.COLOPHON_FILES_ACCESS),
    imageSizes: read('COLOPHON_IMAGE_SIZES', fileVariables.COLOPHON_IMAGE_SIZES),
    imageCacheBytes: read('COLOPHON_IMAGE_CACHE_BYTES', fileVariables.COLOPHON_IMAGE_CACHE_BYTES),
    ...(filesUrl ? { filesUrl } : {}),
  };
}

/** Returns a problem for each name that only looks like a setting. */
export function findUnknown(names: readonly string[], known: readonly string[]): Problem[] {
  return names
    .filter((name) => name.startsWith('COLOPHON_') && !name.startsWith('COLOPHON_TEST_'))
    .filter((name) => !known.includes(name))
    .map((name) => ({ path: name, message: `is not a setting of Colophon${suggest([name], known, 1)}` }));
}

// Environment variables that Kubernetes sets in every container for each service of its namespace. The names of those for a service
// `colophon`, or `colophon-…`, begin with COLOPHON_ like Colophon's settings.

type Environment = Readonly<Record<string, string | undefined>>;

const port = String.raw`\d{1,5}`;
const protocol = '(?:tcp|udp|sctp)';
const url = `${protocol}://.+:${port}`;

/** The endings of their names, each with a test of the value. */
const forms: readonly (readonly [ending: RegExp, matches: (value: string) => boolean])[] = [
  [/_SERVICE_HOST$/, (value) => isIP(value) > 0],
  [/_SERVICE_PORT(?:_[A-Z0-9_]+)?$/, matching(port)],
  [/_PORT(?:_\d+_(?:TCP|UDP|SCTP))?$/, matching(url)],
  [/_PORT_\d+_(?:TCP|UDP|SCTP)_PROTO$/, matching(protocol)],
  [/_PORT_\d+_(?:TCP|UDP|SCTP)_PORT$/, matching(port)],
  [/_PORT_\d+_(?:TCP|UDP|SCTP)_ADDR$/, (value) => isIP(value) > 0],
];

/** Finds the names of such variables. Name and value must both match, because the name alone may be a misspelled setting. */
export function findServiceVariables(environment: Environment): string[] {
  return Object.entries(environment)
    .filter(([name]) => name.startsWith('COLOPHON_'))
    .filter(([name, value = '']) => forms.some(([ending, matches]) => ending.test(name) && matches(value)))
    .map(([name]) => name);
}

function matching(pattern: string): (value: string) => boolean {
  const whole = new RegExp(`^${pattern}$`);
  return (value) => whole.test(value);
}
