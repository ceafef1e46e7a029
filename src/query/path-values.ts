/**
 * Finds the values of a field path in assets, in the forms that predicates and orders compare.
 *
 * A stored value of another type than its field declares is none.
 */
import { memberOf } from '../base/own-members.ts';
import type { Asset, Json, JsonObject } from '../model/content-type.ts';
import type { FieldPath, LeafType, PathStep } from '../model/field-path.ts';
import { isJsonObject } from '../model/values/validate-asset.ts';
import type { BoundAny, BoundValue } from './ast.ts';
import { familyOf, isRichText, textOrderOf } from './operators.ts';
import { foldCase, toWords } from './text.ts';

/** Finds the asset with an ID; a path through references reads it. */
export type ResolveReference = (id: string) => Asset | undefined;

/**
 * Finds the values of a path within one asset or embedded value, in the form that predicates and orders compare: an `ordered` value is its order key. Only
 * lists give more than one.
 */
export function findValues(asset: JsonObject, path: FieldPath): readonly BoundValue[] {
  return lastItems(asset, path).flatMap((item) => toComparable(item, path.leaf) ?? []);
}

/** Finds the items that a path leads to: the embedded values or, with `targets`, the assets of these classes that references point to. */
export function findItems(
  holder: JsonObject,
  { path, targets }: Pick<BoundAny, 'path' | 'targets'>,
  resolve: ResolveReference,
): readonly JsonObject[] {
  if (!targets) return lastItems(holder, path).filter(isJsonObject);
  const ids = new Set(findValues(holder, path).map(String));
  return [...ids].flatMap((id) => resolve(id) ?? []).filter(({ _type }) => targets.includes(_type));
}

/** The values of a path in the current asset or embedded value, as stored, case-folded, and as words. Each form is computed when first needed. */
export class PathValues {
  readonly #path: FieldPath;
  readonly #richText: boolean;
  #holder: JsonObject = {};
  #values: readonly BoundValue[] | undefined;
  #folded: readonly BoundValue[] | undefined;
  #words: readonly ReadonlySet<string>[] | undefined;
  #characters: number | undefined;

  constructor(path: FieldPath) {
    this.#path = path;
    this.#richText = isRichText(path.leaf);
  }

  begin(holder: JsonObject): void {
    this.#holder = holder;
    this.#values = undefined;
    this.#folded = undefined;
    this.#words = undefined;
    this.#characters = undefined;
  }

  isPresent(): boolean {
    return lastFields(this.#holder, this.#path).length > 0;
  }

  isEmptyList(): boolean {
    return lastFields(this.#holder, this.#path).some((field) => Array.isArray(field) && field.length === 0);
  }

  values(): readonly BoundValue[] {
    this.#values ??= findValues(this.#holder, this.#path);
    return this.#values;
  }

  /** Returns the length of all texts together. */
  characters(): number {
    this.#characters ??= this.values().reduce(
      (sum: number, value) => sum + (typeof value === 'string' ? value.length : 0),
      0,
    );
    return this.#characters;
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
}

/** Finds the single values of a path's last field. */
const lastItems = (holder: JsonObject, path: FieldPath): readonly Json[] =>
  lastFields(holder, path).flatMap((field) => itemsOf(field, path.steps.at(-1)));

/** Finds all values of a path's last field. A list counts as one value. */
function lastFields(holder: JsonObject, path: FieldPath): readonly Json[] {
  let fields: readonly Json[] = [holder];
  let step: PathStep | undefined;
  for (const next of path.steps) {
    const found: Json[] = [];
    for (const field of fields) {
      for (const inner of itemsOf(field, step)) {
        const value = isJsonObject(inner) ? memberOf(inner, next.name) : undefined;
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
