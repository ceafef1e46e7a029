/**
 * Entity tags: the versions of resources in HTTP headers.
 *
 * The tag of an asset is `"<version>.<shape>"`: a change of its content type makes another tag, although the asset has the same
 * version. Writes compare the version alone, so they work across such a change, and with the tags of releases without shapes.
 */
import { createHash } from 'node:crypto';
import { invalidParameter } from '../../base/errors.ts';

/**
 * Returns the ETag of a version; `shape` is that of the asset's type. With `included`, the versions of the assets that the response
 * includes, the tag is that of all of them, and begins with the version of the asset as well.
 */
export function toEntityTag(version: string, shape?: string, included?: readonly string[]): string {
  const hash = included && createHash('sha256').update(included.join(' ')).digest('base64url').slice(0, 16);
  return `"${[version, shape, hash].filter((part) => part !== undefined).join('.')}"`;
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
  return [...value.matchAll(/"([^"]*)"/g)].map(([, tag = '']) => versionOf(tag));
}

/**
 * Parses one version: an ETag, strong or weak, or the version alone, in quotes or not. Errors: invalid_parameter, with the given
 * name.
 */
export function parseVersion(value: string, name: string): string {
  const [, quoted, bare] = /^(?:W\/)?(?:"([\w.~-]+)"|([\w.~-]+))$/.exec(value.trim()) ?? [];
  const version = versionOf(quoted ?? bare ?? '');
  if (version === '') throw invalidParameter(name, 'must be an ETag or a version');
  return version;
}

/** Parses the header X-Base-Version. Errors: invalid_parameter. */
export function parseBase(headers: { readonly 'x-base-version'?: string }): { baseVersion?: string } {
  const { 'x-base-version': given } = headers;
  return given === undefined ? {} : { baseVersion: parseVersion(given, 'X-Base-Version') };
}

/** Tells whether the caller already has what this tag names, according to the header If-None-Match. */
export function hasEntityTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(',').map((one) => one.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(tag);
}

/** Versions contain no dot. */
const versionOf = (tag: string) => tag.split('.', 1)[0] ?? '';
