/**
 * Holds a predicate to the assets of certain sites: those it finds, and those it looks at through references.
 *
 * An asset of another site does not exist for the caller, so a path that leads to one reaches nothing there. Where one
 * reference leads on, that is a second condition on the same path; through a list of them it would be none on the same member,
 * so such paths are refused.
 */
import { invalidParameter } from '../../base/errors.ts';
import type { FieldPath } from '../../model/field-path.ts';
import type { BoundPredicate } from '../../query/ast.ts';

/** The JSON name of the reference to the site that owns an asset. */
export const siteOwnerField = 'cms.site.owner';

/** Every content type has this field; a catalog cut down to some types may not have `Site`, its target. */
const siteOwnerPath: FieldPath = {
  text: siteOwnerField,
  steps: [{ name: siteOwnerField, list: false }],
  leaf: { kind: 'reference', name: 'Site', targets: [] },
};

/**
 * What is found of `where`, or of everything, for a caller held to `sites`.
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
      // What cannot be reached is missing.
      return where.kind === 'missing'
        ? { kind: 'or', terms: [where, { kind: 'not', term: allOf(owned) }] }
        : allOf([...owned, where]);
    }
  }
}

/** The paths to the owners of all assets that a path goes through. */
function ownerPaths(path: FieldPath): FieldPath[] {
  const { through, text } = path;
  if (!through) return [];
  if (path.steps.some(({ list }) => list)) {
    const reason = `cannot go through ${JSON.stringify(text)}, a list of references, for a client held to sites`;
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
