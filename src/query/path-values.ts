/**
 * Finds the values of a field path in assets, in the forms that predicates and orders compare.
 *
 * A stored value of another type than its field declares is none.
 */
import { memberOf } from '../base/own-members.ts';
import type { Asset, Json } from '../model/content-type.ts';
import type { FieldPath, LeafType, PathStep } from '../model/field-path.ts';
import { isJsonObject } from '../model/values/validate-asset.ts';
import type { BoundValue } from './ast.ts';
import { familyOf, isRichText, textOrderOf } from './operators.ts';
import { foldCase, toWords } from './text.ts';

/** Finds the asset with an ID; a path through references reads it. */
export type ResolveReference = (id: string) => Asset | undefined;

/**
 * Finds the values of a path within one asset, in the form that predicates and orders compare: an `ordered` value is its order key. Only
 * lists give more than one.
 */
export function findValues(asset: Asset, path: FieldPath): readonly BoundValue[] {
  return comparables({ assets: [asset], path });
}

/** The end of a path: the assets that contain its last field, and the rest of the path inside them. */
interface PathEnd {
  readonly assets: readonly Asset[];
  readonly path: FieldPath;
}

/** Follows the references of a path from the given assets. */
function resolvePath(assets: readonly Asset[], path: FieldPath, resolve: ResolveReference): PathEnd {
  if (!path.through) return { assets, path };
  const { targets, path: rest } = path.through;
  const ids = new Set(comparables({ assets, path }).map(String));
  const found = [...ids].flatMap((id) => resolve(id) ?? []);
  return resolvePath(
    found.filter(({ _type }) => targets.includes(_type)),
    rest,
    resolve,
  );
}

/** The values of a path in the current asset, as stored, case-folded, and as words. Each form is computed when first needed. */
export class PathValues {
  readonly #path: FieldPath;
  readonly #richText: boolean;
  #asset: Asset | undefined;
  #resolve: ResolveReference = () => undefined;
  #values: readonly BoundValue[] | undefined;
  #folded: readonly BoundValue[] | undefined;
  #words: readonly ReadonlySet<string>[] | undefined;

  constructor(path: FieldPath) {
    const { leaf } = lastOf(path);
    this.#path = path;
    this.#richText = isRichText(leaf);
  }

  begin(asset: Asset, resolve: ResolveReference): void {
    this.#asset = asset;
    this.#resolve = resolve;
    this.#values = undefined;
    this.#folded = undefined;
    this.#words = undefined;
  }

  isPresent(): boolean {
    return lastFields(this.#resolvePath()).length > 0;
  }

  values(): readonly BoundValue[] {
    this.#values ??= comparables(this.#resolvePath());
    return this.#values;
  }

  folded(): readonly BoundValue[] {
    this.#folded ??= this.values().map(fold);
    return this.#folded;
  }

  words(): readonly ReadonlySet<string>[] {
    this.#words ??= this.values().map(
      (value) => new Set(toWords(String(value), { richText: this.#richText })),
    );
    return this.#words;
  }

  #resolvePath(): PathEnd {
    return resolvePath(this.#asset ? [this.#asset] : [], this.#path, this.#resolve);
  }
}

const lastOf = (path: FieldPath): FieldPath => (path.through ? lastOf(path.through.path) : path);

/** Finds the single values of a path, in the form that predicates compare: a reference is its `_ref`. */
function comparables(end: PathEnd): readonly BoundValue[] {
  const { leaf, steps } = end.path;
  const found: BoundValue[] = [];
  for (const field of lastFields(end)) {
    for (const item of itemsOf(field, steps.at(-1))) {
      const value = toComparable(item, leaf);
      if (value !== undefined) found.push(value);
    }
  }
  return found;
}

/** Finds all values of a path's last field. A list counts as one value. */
function lastFields({ assets, path }: PathEnd): readonly Json[] {
  let fields: readonly Json[] = assets;
  let step: PathStep | undefined;
  for (const next of path.steps) {
    const found: Json[] = [];
    for (const field of fields) {
      for (const holder of itemsOf(field, step)) {
        const value = isJsonObject(holder) ? memberOf(holder, next.name) : undefined;
        if (value !== undefined && value !== null) found.push(value);
      }
    }
    [fields, step] = [found, next];
  }
  return fields;
}

function itemsOf(field: Json, step: PathStep | undefined): readonly Json[] {
  if (!step?.list) return [field];
  return Array.isArray(field) ? field : [];
}

function toComparable(value: Json | undefined, leaf: LeafType): BoundValue | undefined {
  switch (familyOf(leaf)) {
    case 'reference':
      return isJsonObject(value) && typeof value._ref === 'string' ? value._ref : undefined;
    case 'text':
    case 'type':
      return typeof value === 'string' ? value : undefined;
    case 'ordered':
      return typeof value === 'string' ? textOrderOf(leaf)?.toKey(value) : undefined;
    case 'number':
      return typeof value === 'number' ? value : undefined;
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'opaque':
      return undefined;
  }
}

const fold = (value: BoundValue): BoundValue => (typeof value === 'string' ? foldCase(value) : value);
