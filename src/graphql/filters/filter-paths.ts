/**
 * Resolves the paths that filters stand for, and keeps the recent ones.
 */
import type { Catalog } from '../../model/content-type.ts';
import { type FieldPath, findFieldPath, type PathRoot } from '../../model/field-path.ts';
import { predicateLimits } from '../../query/limits.ts';
import type { Reading } from './filter-scope.ts';

/** The most paths that are kept resolved; a request chooses its paths. */
const maxPaths = 2_000;

/** Creates the finder of one catalog. */
export function createPathFinder(catalog: Catalog): Reading['findPath'] {
  const paths = new Map<string, FieldPath | string>();
  return (root: PathRoot, text: string) => {
    const key = `${'fields' in root ? `.${root.name}` : root}\n${text}`;
    const known = paths.get(key);
    if (known !== undefined) return known;
    const path = findExcess(text) ?? findFieldPath(catalog, root, text);
    if (paths.size >= maxPaths) paths.clear();
    paths.set(key, path);
    return path;
  };
}

function findExcess(path: string): string | undefined {
  const { pathNames, pathReferences } = predicateLimits;
  if (path.split('/').length - 1 > pathReferences)
    return `has more than ${pathReferences} references in a path`;
  return path.split(/[./]/).length > pathNames ? `has more than ${pathNames} names in a path` : undefined;
}
