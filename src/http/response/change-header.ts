/**
 * The header `X-Change`: the `id` of the entry that a write has in the change log.
 */
import type { Written } from '../../content/written-asset.ts';

/** Returns the header of a response to a write; none when the store keeps no change log. */
export function toChangeHeader({ change }: Written): { readonly 'X-Change'?: string } {
  return change === undefined ? {} : { 'X-Change': change };
}
