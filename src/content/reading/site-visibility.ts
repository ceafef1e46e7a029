/**
 * Which assets a caller restricted to sites sees: those whose site owner is one of them. The rule has two forms, for an asset at hand
 * and as a predicate; the predicate also hides what references of the asset lead to.
 *
 * An asset of another site does not exist for the caller, so a path that leads to one finds nothing. For a single reference this
 * is a second condition on the same path. For a list of references both conditions might hold for different members, so such
 * paths are refused.
 */
import { invalidParameter } from '../../base/errors.ts';
import { type Asset, siteOwnerField } from '../../model/content-type.ts';
import type { FieldPath } from '../../model/field-path.ts';
import type { BoundPredicate } from '../../query/ast.ts';

/** The path of the site owner, written out since a catalog restricted to some types may lack `Site`. */
const siteOwnerPath: FieldPath = {
  text: siteOwnerField,
  steps: [{ name: siteOwnerField, list: false }],
  leaf: { kind: 'reference', name: 'Site', targets: [] },
};

/** Checks whether the caller may see an asset. */
export function isVisible(
  asset: Pick<Asset, string>,
  { sites }: { readonly sites?: readonly string[] },
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

/**
 * Restricts `where`, or the predicate that finds everything, to assets of `sites`.
 *
 * Errors: invalid_parameter for a path through a list of references.
 */
export function restrictToSites(where: BoundPredicate | undefined, sites: readonly string[]): BoundPredicate {
  const owned = ownedBy(siteOwnerPath, sites);
  return where ? { kind: 'and', terms: [owned, restrictPaths(where, sites)] } : owned;
}

function restrictPaths(where: BoundPredicate, sites: readonly string[]): BoundPredicate {
  switch (where.kind) {
    case 'constant':
      return where;
    case 'and':
    case 'or':
      return { ...where, terms: where.terms.map((term) => restrictPaths(term, sites)) };
    case 'not':
      return { ...where, term: restrictPaths(where.term, sites) };
    default: {
      const owned = ownerPaths(where.path).map((path) => ownedBy(path, sites));
      if (owned.length === 0) return where;
      // An asset that cannot be reached counts as missing.
      return where.kind === 'missing'
        ? { kind: 'or', terms: [where, { kind: 'not', term: allOf(owned) }] }
        : allOf([...owned, where]);
    }
  }
}

/** Lists the paths to the site owners of all assets that a path goes through. */
function ownerPaths(path: FieldPath): FieldPath[] {
  const { through, text } = path;
  if (!through) return [];
  if (path.steps.some(({ list }) => list)) {
    const reason = `cannot go through ${JSON.stringify(text)}, a list of references, for a client restricted to sites`;
    throw invalidParameter('where', reason);
  }
  return [siteOwnerPath, ...ownerPaths(through.path)].map((beyond) => ({
    ...path,
    through: { ...through, path: beyond },
  }));
}

function ownedBy(path: FieldPath, sites: readonly string[]): BoundPredicate {
  return { kind: 'equals', path, values: sites, ignoreCase: false };
}

function allOf(terms: readonly BoundPredicate[]): BoundPredicate {
  const [only, ...others] = terms;
  return only && others.length === 0 ? only : { kind: 'and', terms };
}
