/**
 * The paths that predicates can use on a content type: its fields, those of embedded values, and those of referenced assets.
 */
import type { Catalog, Field } from '../../../model/content-type.ts';
import { type FieldPath, findFieldPath, type LeafType } from '../../../model/field-path.ts';
import type { DocumentedInterface, DocumentedType } from '../../apis/content-types.ts';

/** A path and the field at its end. */
export interface QueryablePath {
  readonly path: FieldPath;
  readonly leaf: LeafType;
  /** Whether it goes through references. */
  readonly isFollowing: boolean;
}

/** Lists every path within an asset of the type, and one step through each of its references. */
export function pathsOf(catalog: Catalog, type: DocumentedType): QueryablePath[] {
  const own = ['_id', '_type', ...namesIn(type.fields, '')];
  const following = [...type.fields.values()].flatMap(({ name, type: valueType }) => {
    if (valueType.kind !== 'reference') return [];
    const target = catalog.find(valueType.targets[0] ?? '');
    return ['_id', ...namesIn(target?.fields ?? new Map(), '')].map((rest) => `${name}/${rest}`);
  });
  return resolve(catalog, [type], [...own, ...following]);
}

/** Lists the paths of an interface's fields, for assets of any type that implements it. */
export function sharedPathsOf(catalog: Catalog, { types, fields }: DocumentedInterface): QueryablePath[] {
  return resolve(catalog, types, ['_id', '_type', ...fields]);
}

function resolve(
  catalog: Catalog,
  types: readonly DocumentedType[],
  texts: readonly string[],
): QueryablePath[] {
  const classes = types.map((type) => type.class);
  return texts.flatMap((text) => {
    const path = findFieldPath(catalog, classes, text);
    // A path with different meanings in the target types cannot be used.
    return typeof path === 'string'
      ? []
      : [{ path, leaf: leafOf(path), isFollowing: path.through !== undefined }];
  });
}

/** Gets the values at a path of an asset, through its references. */
function leafOf({ leaf, through }: FieldPath): LeafType {
  return through ? leafOf(through.path) : leaf;
}

const maxDepth = 2;

function namesIn(fields: ReadonlyMap<string, Field>, prefix: string, depth = 0): string[] {
  return [...fields.values()].flatMap(({ name, type }) => {
    const path = `${prefix}${name}`;
    if (type.kind !== 'embedded' || depth >= maxDepth) return [path];
    return [path, ...namesIn(type.type.fields, `${path}.`, depth + 1)];
  });
}
