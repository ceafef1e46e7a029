/**
 * The paths of a content type that predicates can ask of: its fields, those of embedded values, and those of the assets that its
 * references lead to.
 */
import type { Catalog, Field } from '../../model/content-type.ts';
import { type FieldPath, findFieldPath, type LeafType } from '../../model/field-path.ts';
import type { DocumentedInterface, DocumentedType } from '../apis/content-types.ts';

/** A path, with what it ends at. */
export interface AskedPath {
  readonly path: FieldPath;
  readonly leaf: LeafType;
  /** Whether it goes through references. */
  readonly isFollowing: boolean;
}

/** Every path within an asset of the type, and one step through each of its references. */
export function pathsOf(catalog: Catalog, type: DocumentedType): AskedPath[] {
  const own = ['_id', '_type', ...namesIn(type.fields, '')];
  const following = [...type.fields.values()].flatMap(({ name, type: valueType }) => {
    if (valueType.kind !== 'reference') return [];
    const target = catalog.find(valueType.targets[0] ?? '');
    return ['_id', ...namesIn(target?.fields ?? new Map(), '')].map((rest) => `${name}/${rest}`);
  });
  return resolve(catalog, [type], [...own, ...following]);
}

/** The paths of an interface's fields, within an asset of any type that implements it. */
export function sharedPathsOf(catalog: Catalog, { types, fields }: DocumentedInterface): AskedPath[] {
  return resolve(catalog, types, ['_id', '_type', ...fields]);
}

function resolve(catalog: Catalog, types: readonly DocumentedType[], texts: readonly string[]): AskedPath[] {
  const classes = types.map((type) => type.class);
  return texts.flatMap((text) => {
    const path = findFieldPath(catalog, classes, text);
    // A path that means something else in another of the targets cannot be asked for.
    return typeof path === 'string'
      ? []
      : [{ path, leaf: leafOf(path), isFollowing: path.through !== undefined }];
  });
}

/** What a path ends at, its references gone through. */
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
