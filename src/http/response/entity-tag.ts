/**
 * Entity tags: the versions of assets as HTTP writes them.
 */
import { invalidParameter } from '../../base/errors.ts';

/** The ETag of a version. */
export function toEntityTag(version: string): string {
  return `"${version}"`;
}

/**
 * The versions an If-Match header names, or `undefined` for any (no header, or `*`).
 *
 * A weak tag names the same version as a strong one, because a proxy that compresses an answer makes its ETag weak.
 *
 * Errors: invalid_parameter, with the name given, when it is no list of entity tags.
 */
export function parseIfMatch(value: string | undefined, name = 'If-Match'): readonly string[] | undefined {
  if (value === undefined || value.trim() === '*') return undefined;
  if (!/^\s*(W\/)?"[^"]*"(\s*,\s*(W\/)?"[^"]*")*\s*$/.test(value)) {
    throw invalidParameter(name, 'must be * or a list of entity tags in quotes');
  }
  return [...value.matchAll(/"([^"]*)"/g)].map(([, version = '']) => version);
}

/** Whether an If-None-Match header says that the caller has this version already. */
export function hasVersion(ifNoneMatch: string | undefined, version: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(toEntityTag(version));
}
