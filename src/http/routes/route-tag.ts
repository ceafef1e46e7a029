/**
 * The ETag of a mapped route: `"<state><hash>"`, and a `z` at the end if the body has compressed forms.
 *
 * The state (16 characters) names everything that the body is made from, so the current ETag is known before the query runs. It is
 * absent if the content has changed while the query ran, and in stores without a change log. The hash (27 characters) is that of the
 * body: if content changes and the body does not, the ETag that a client has still fits.
 */
import { hash } from 'node:crypto';

/** Names a state. No part but the last may contain a line break. */
export const toStateName = (parts: readonly string[]) =>
  hash('sha256', parts.join('\n'), 'base64url').slice(0, 16);

/** Computes the hash of a body. */
export const toBodyHash = (text: string) => hash('sha1', text, 'base64url');

/** The parts of an ETag, without quotes. */
export interface RouteTag {
  readonly state?: string | undefined;
  readonly hash: string;
  readonly isCompressible: boolean;
}

const pattern = /^([\w-]{16})?([\w-]{27})(z?)$/;

/** Prints the ETag. That of a compressed body is weak, since its bytes differ from those of the plain one. */
export function printRouteTag(
  { state = '', hash, isCompressible }: RouteTag,
  { isCompressed }: { isCompressed: boolean },
): string {
  return `${isCompressed ? 'W/' : ''}"${state}${hash}${isCompressible ? 'z' : ''}"`;
}

/** Parses the ETags of an If-None-Match header; those of another form are left out, and `*` stands for any. */
export function parseRouteTags(ifNoneMatch: string | undefined): '*' | readonly RouteTag[] {
  if (ifNoneMatch === undefined) return [];
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim());
  return tags.includes('*') ? '*' : tags.flatMap(parseTag);
}

function parseTag(tag: string): RouteTag[] {
  const opaque = /^(?:W\/)?"(.*)"$/.exec(tag)?.[1] ?? '';
  const [, state, hash, mark] = pattern.exec(opaque) ?? [];
  if (hash === undefined) return [];
  return [{ state, hash, isCompressible: mark === 'z' }];
}
