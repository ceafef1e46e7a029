/**
 * The `Cache-Control` of mapped routes, as they send and document it.
 */
import type { Access } from '../../access/endpoint-access.ts';

/** Returns the header of a successful GET response: only responses for anyone are public, and 0 seconds means revalidate each time. */
export function toCacheControl(access: Access, seconds: number): string {
  const scope = access === 'ANYONE' ? 'public' : 'private';
  return `${scope}, ${seconds > 0 ? `max-age=${seconds}` : 'no-cache'}`;
}
