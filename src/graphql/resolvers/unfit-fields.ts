/**
 * Records which fields of a run's assets do not fit their types, and where in the answer they are.
 *
 * An unfit field is null in the response, with an error at its path, even when it is not nullable; everything else stays. So its
 * resolver returns a stand-in and records the path here; when the data is complete, null replaces the stand-in. All other errors
 * propagate as GraphQL specifies.
 */

import { type FieldNode, GraphQLError } from 'graphql';
import type { Problem } from '../../base/errors.ts';
import { memberOf } from '../../base/own-members.ts';
import type { UnfitContent } from '../../content/unfit/unfit-content.ts';
import { type Asset, type Catalog, type Field, type JsonObject, kindOf } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';

/** Why a field does not fit: as a whole, or some items of its list, by index. */
export interface FieldMark {
  whole?: string;
  readonly items: Map<number, string>;
}

/** An unfit value, by its path in the response. */
export interface UnfitValue {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly nodes: readonly FieldNode[];
}

/** The unfit fields of one run. */
export type UnfitMarks = ReturnType<typeof createUnfitMarks>;

/** Content whose assets are checked, with its whole catalog: a type that is hidden from an endpoint still exists. */
export interface CheckedContent {
  readonly catalog: Catalog;
  readonly unfit: UnfitContent;
}

/** Creates the marks of one run. */
export function createUnfitMarks({ catalog, unfit }: CheckedContent) {
  const byHolder = new Map<JsonObject, Map<string, FieldMark>>();
  /** All recorded values. */
  const values: UnfitValue[] = [];

  function addMark({ holder, name, index }: FieldLocation, { path, message }: Problem): void {
    const marks = byHolder.get(holder) ?? new Map<string, FieldMark>();
    const mark = marks.get(name) ?? { items: new Map<number, string>() };
    const reason = `${path} ${message}`;
    if (index === undefined) mark.whole ??= reason;
    else if (!mark.items.has(index)) mark.items.set(index, reason);
    marks.set(name, mark);
    byHolder.set(holder, marks);
  }

  return {
    values,
    /** Marks the unfit fields of an asset on `picked`, the part of it that the run keeps, and returns that. */
    mark(asset: Asset, picked: Asset): Asset {
      const fields = catalog.types.get(asset._type)?.fields;
      for (const problem of fields ? unfit.check(asset) : []) {
        const location = fields && locate(problem.path, picked, fields);
        if (location) addMark(location, problem);
      }
      return picked;
    },
    /** Finds the mark of a field of a kept asset, or of a value embedded in one. */
    find: (holder: JsonObject, name: string) =>
      byHolder.size > 0 ? byHolder.get(holder)?.get(name) : undefined,
    /** Records that a field, or an item of its list, becomes null; `isKnown` says whether its asset was checked. */
    note({ path, message, nodes, isKnown }: UnfitValue & { readonly isKnown: boolean }) {
      values.push({ path, message, nodes });
      if (!isKnown) unfit.recheck();
    },
  };
}

/** A field of an asset or of an embedded value, or one item of its list. */
interface FieldLocation {
  readonly holder: JsonObject;
  readonly name: string;
  readonly index?: number;
}

/** Finds the field that the path of a problem leads to; nothing when the type has no such field. */
function locate(
  path: string,
  holder: JsonObject,
  fields: ReadonlyMap<string, Field>,
): FieldLocation | undefined {
  // No field's name is the beginning of another field's name up to a dot.
  const field = [...fields.values()].find(
    ({ name }) => path.startsWith(name) && ['', '.', '['].includes(path.charAt(name.length)),
  );
  if (!field) return undefined;
  const { name, type } = field;
  const [, position, rest = ''] = /^(?:\[(\d+)\])?(.*)$/s.exec(path.slice(name.length)) ?? [];
  const index = position === undefined ? undefined : Number(position);
  const value = memberOf(holder, name);
  const item = index !== undefined && Array.isArray(value) ? value[index] : value;
  if (type.kind === 'embedded' && rest.startsWith('.') && isJsonObject(item)) {
    const kind = kindOf(type.type, item);
    if (kind) return locate(rest.slice(1), item, kind.fields);
  }
  return { holder, name, ...(index === undefined ? {} : { index }) };
}

/** Replaces unfit values by null, and returns those that it replaced; values below another null are gone already. */
export function nullUnfit(data: unknown, values: readonly UnfitValue[]): readonly UnfitValue[] {
  return values.filter(({ path }) => {
    let holder: unknown = data;
    for (const key of path.slice(0, -1)) holder = valueAt(holder, key);
    const last = path.at(-1);
    if (typeof holder !== 'object' || holder === null || last === undefined) return false;
    Object.assign(holder, { [last]: null });
    return true;
  });
}

function valueAt(holder: unknown, key: string | number): unknown {
  return typeof holder === 'object' && holder !== null ? Reflect.get(holder, key) : undefined;
}

export function toUnfitError({ path, message, nodes }: UnfitValue): GraphQLError {
  return new GraphQLError(`The stored content does not fit its type: ${message}`, { nodes, path });
}
