/**
 * The rule of installations in which every asset must name the site that it belongs to.
 */
import type { Problem } from '../base/problems.ts';
import { type Json, siteClass, siteOwnerField } from '../model/content-type.ts';

/** Finds whether an asset lacks a site that it must name. A site itself belongs to none. */
export function findMissingOwner(
  { type, owner }: { readonly type: string; readonly owner: Json | undefined },
  { siteOwnerRequired }: { readonly siteOwnerRequired: boolean },
): Problem[] {
  const isMissing = siteOwnerRequired && type !== siteClass && (owner === undefined || owner === null);
  return isMissing ? [{ path: siteOwnerField, message: 'is required' }] : [];
}
