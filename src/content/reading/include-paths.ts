/**
 * The references that a reader wants to have followed, such as `author/section`: checked against the content types.
 */
import { invalidParameter, unknownField } from '../../base/errors.ts';
import type { Asset, Catalog } from '../../model/content-type.ts';
import { type FieldPath, hintAt } from '../../model/field-path.ts';
import { findValues } from '../../query/path-values.ts';
import { findOwnPath } from '../../query/select-fields.ts';

/** A reference to follow from an asset, and the one to follow from its target. */
export interface IncludeStep {
  /** The paths of the reference, by the class names that have it. */
  readonly byClass: ReadonlyMap<string, FieldPath>;
  readonly next?: IncludeStep;
}

const maxLevels = 3;
const maxPaths = 100;

/** Resolves paths for assets of the given classes, found `from` a type. Errors: unknown_field, invalid_parameter `include`. */
export function resolveIncludes(
  catalog: Catalog,
  { from, classes, include }: { from: string; classes: readonly string[]; include: readonly string[] },
): readonly IncludeStep[] {
  if (include.length > maxPaths) throw invalidParameter('include', `must have at most ${maxPaths} paths`);
  return include.map((path) => {
    const names = path.split('/');
    if (names.length > maxLevels) {
      const most = `at most ${maxLevels} references, one after the other`;
      throw invalidParameter('include', `may follow ${most}: ${JSON.stringify(path)}`);
    }
    return resolveStep(catalog, { from, classes, names });
  });
}

function resolveStep(
  catalog: Catalog,
  {
    from,
    classes,
    names: [name = '', ...rest],
  }: { from: string; classes: readonly string[]; names: readonly string[] },
): IncludeStep {
  const found = classes.flatMap((className) => {
    const path = findOwnPath(catalog, className, name);
    return path ? [[className, path] as const] : [];
  });
  if (found.length === 0) throw unknownField(name, from, hintAt(catalog, classes[0] ?? '', name, true));
  const byClass = new Map(found.filter(([, { leaf }]) => leaf.kind === 'reference'));
  if (byClass.size === 0) throw invalidParameter('include', `${JSON.stringify(name)} is not a reference`);
  if (rest.length === 0) return { byClass };
  const targets = [...new Set(targetsOf(byClass.values()))];
  const next = resolveStep(catalog, { from: name, classes: targets, names: rest });
  return { byClass, next };
}

/** Lists the class names of the types that steps can lead to. */
export const targetTypes = (steps: readonly IncludeStep[]): readonly string[] =>
  steps.flatMap(({ byClass, next }) => [
    ...targetsOf(byClass.values()),
    ...(next ? targetTypes([next]) : []),
  ]);

const targetsOf = (paths: Iterable<FieldPath>) =>
  [...paths].flatMap(({ leaf }) => (leaf.kind === 'reference' ? leaf.targets : []));

/** Finds the `_id`s that an asset refers to by a step. */
export function findTargets(asset: Asset, { byClass }: IncludeStep): readonly string[] {
  const path = byClass.get(asset._type);
  return path ? findValues(asset, path).map(String) : [];
}
