/**
 * Which assets a caller restricted to sites sees: those whose site owner is one of them. The rule has two forms, for an asset at hand
 * and as a predicate; the predicate also hides what references of the asset lead to.
 *
 * An asset of another site does not exist for the caller, so a reference that leads to one matches nothing.
 */
import { type Asset, siteOwnerField } from '../../model/content-type.ts';
import type { FieldPath } from '../../model/field-path.ts';
import type { BoundPredicate } from '../../query/ast.ts';
import { allOf } from '../../query/build-comparison.ts';

/** The path of the site owner, written out since a catalog restricted to some types may lack `Site`. */
const siteOwnerPath: FieldPath = {
  text: siteOwnerField,
  steps: [{ name: siteOwnerField, list: false }],
  leaf: { kind: 'reference', name: 'Site', targets: [] },
};

/** Checks whether the caller may see an asset. */
export function isVisible(
  asset: Pick<Asset, string>,
  { sites }: { readonly sites?: readonly string[] | undefined },
): boolean {
  if (!sites) return true;
  const owner = asset[siteOwnerField];
  return (
    typeof owner === 'object' &&
    owner !== null &&
    '_ref' in owner &&
    sites.some((site) => site === owner._ref)
  );
}

/** Restricts `where`, or the predicate that finds everything, to assets of `sites`. */
export function restrictToSites(where: BoundPredicate | undefined, sites: readonly string[]): BoundPredicate {
  const owned = ownedBy(sites);
  return where ? { kind: 'and', terms: [owned, restrictTargets(where, owned)] } : owned;
}

/** Requires that the targets of references are owned, too. */
function restrictTargets(where: BoundPredicate, owned: BoundPredicate): BoundPredicate {
  switch (where.kind) {
    case 'and':
    case 'or':
      return { ...where, terms: where.terms.map((term) => restrictTargets(term, owned)) };
    case 'not':
      return { ...where, term: restrictTargets(where.term, owned) };
    case 'any': {
      const inner = restrictTargets(where.where, owned);
      return { ...where, where: where.targets ? allOf([inner, owned]) : inner };
    }
    default:
      return where;
  }
}

const ownedBy = (sites: readonly string[]): BoundPredicate => ({
  kind: 'equals',
  path: siteOwnerPath,
  values: sites,
  ignoreCase: false,
});
