/**
 * Entity tags: the versions of assets in HTTP headers.
 */
import { invalidParameter } from '../../base/errors.ts';

/** Returns the ETag of a version. */
export function toEntityTag(version: string): string {
  return `"${version}"`;
}

/**
 * Parses the versions in an If-Match header. Returns `undefined` if any version matches (no header, or `*`).
 *
 * A weak tag means the same version as a strong one, because a proxy that compresses a response makes its ETag weak.
 *
 * Errors: invalid_parameter, with the given name, when the value is not a list of entity tags.
 */
export function parseIfMatch(value: string | undefined, name = 'If-Match'): readonly string[] | undefined {
  if (value === undefined || value.trim() === '*') return undefined;
  if (!/^\s*(W\/)?"[^"]*"(\s*,\s*(W\/)?"[^"]*")*\s*$/.test(value)) {
    throw invalidParameter(name, 'must be * or a list of entity tags in quotes');
  }
  return [...value.matchAll(/"([^"]*)"/g)].map(([, version = '']) => version);
}

/** Tells whether the caller already has this version, according to the header If-None-Match. */
export function hasVersion(ifNoneMatch: string | undefined, version: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(toEntityTag(version));
}

/**
 * Parses a version that a request names: an ETag or a bare version, with or without quotes.
 *
 * Errors: invalid_parameter, with the given name.
 */
export function parseVersion(text: string, name: string): string {
  const [, version] = /^\s*(?:W\/)?"?([^"\s.]+)(?:\.[^"\s]*)?"?\s*$/.exec(text) ?? [];
  if (version === undefined) throw invalidParameter(name, 'must be an ETag or a version');
  return version;
}
