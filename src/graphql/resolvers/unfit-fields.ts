/**
 * Which fields of the assets in one run do not fit their types, and where in the answer they were met.
 *
 * A field that does not fit is answered null with an error at its path, whether or not it may be null; the rest is answered
 * whole. So the resolver of such a field gives GraphQL a stand-in and notes the path here; once the data is there, the stand-in
 * becomes null. All other errors take their way through nulls as GraphQL has it.
 */
import { GraphQLError, type GraphQLResolveInfo, responsePathAsArray } from 'graphql';
import type { Problem } from '../../base/errors.ts';
import type { UnfitContent } from '../../content/unfit/unfit-content.ts';
import type { Asset, Catalog, Field, JsonObject } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/validate-asset.ts';

/** Why a field does not fit: as a whole, or some items of its list by their places. */
export interface FieldMark {
  whole?: string;
  readonly items: Map<number, string>;
}

/** A value that does not fit, by its place in the answer. */
export interface UnfitValue {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly nodes: GraphQLResolveInfo['fieldNodes'];
}

/** The fields that do not fit, as one run meets them. */
export interface UnfitMarks {
  /** Marks an asset, and gives what the run holds of it: `picked`, which has some of its fields. */
  mark(asset: Asset, picked: Asset): Asset;
  /** The mark of a field of an asset that is held, or of a value embedded in one. */
  find(holder: JsonObject, name: string): FieldMark | undefined;
  /** Notes that a field, or an item of its list, is to be null; `isKnown` is whether its asset was checked. */
  note(value: { info: GraphQLResolveInfo; index?: number; message: string; isKnown: boolean }): void;
  /** All that was noted. */
  readonly met: readonly UnfitValue[];
}

/** Content whose assets are checked, by its whole catalog: of a hidden type is not what has vanished. */
export interface CheckedContent {
  readonly catalog: Catalog;
  readonly unfit: UnfitContent;
}

/** Makes the marks of one run. */
export function createUnfitMarks({ catalog, unfit }: CheckedContent): UnfitMarks {
  const byHolder = new Map<JsonObject, Map<string, FieldMark>>();
  const met: UnfitValue[] = [];

  function addMark({ holder, name, index }: Place, { path, message }: Problem): void {
    const marks = byHolder.get(holder) ?? new Map<string, FieldMark>();
    const mark = marks.get(name) ?? { items: new Map<number, string>() };
    const reason = `${path} ${message}`;
    if (index === undefined) mark.whole ??= reason;
    else if (!mark.items.has(index)) mark.items.set(index, reason);
    marks.set(name, mark);
    byHolder.set(holder, marks);
  }

  return {
    met,
    mark(asset, picked) {
      const fields = catalog.types.get(asset._type)?.fields;
      for (const problem of fields ? unfit.check(asset) : []) {
        const place = fields && findPlace(problem.path, picked, fields);
        if (place) addMark(place, problem);
      }
      return picked;
    },
    find: (holder, name) => byHolder.get(holder)?.get(name),
    note({ info, index, message, isKnown }) {
      const path = responsePathAsArray(info.path);
      met.push({ path: index === undefined ? path : [...path, index], message, nodes: info.fieldNodes });
      if (!isKnown) unfit.suspect();
    },
  };
}

/** A field of an asset or of an embedded value, or one item of its list. */
interface Place {
  readonly holder: JsonObject;
  readonly name: string;
  readonly index?: number;
}

/** Where the path of a problem leads; nowhere when it names no field of the type. */
function findPlace(path: string, holder: JsonObject, fields: ReadonlyMap<string, Field>): Place | undefined {
  // No field's name is the beginning of another's, up to a dot.
  const field = [...fields.values()].find(
    ({ name }) => path.startsWith(name) && ['', '.', '['].includes(path.charAt(name.length)),
  );
  if (!field) return undefined;
  const { name, type } = field;
  const [, place, rest = ''] = /^(?:\[(\d+)\])?(.*)$/s.exec(path.slice(name.length)) ?? [];
  const index = place === undefined ? undefined : Number(place);
  const value = holder[name];
  const item = index !== undefined && Array.isArray(value) ? value[index] : value;
  if (type.kind === 'embedded' && rest.startsWith('.') && isJsonObject(item)) {
    return findPlace(rest.slice(1), item, type.type.fields);
  }
  return { holder, name, ...(index === undefined ? {} : { index }) };
}

/** Puts null where values do not fit, and gives an error for each; what lies below a null is passed over. */
export function nullUnfit(data: unknown, met: readonly UnfitValue[]): readonly UnfitValue[] {
  return met.filter(({ path }) => {
    let holder: unknown = data;
    for (const key of path.slice(0, -1)) holder = memberOf(holder, key);
    const last = path.at(-1);
    if (typeof holder !== 'object' || holder === null || last === undefined) return false;
    Object.assign(holder, { [last]: null });
    return true;
  });
}

function memberOf(holder: unknown, key: string | number): unknown {
  return typeof holder === 'object' && holder !== null ? Reflect.get(holder, key) : undefined;
}

/** The error of a value that does not fit. */
export function toUnfitError({ path, message, nodes }: UnfitValue): GraphQLError {
  return new GraphQLError(`The stored content does not fit its type: ${message}`, { nodes, path });
}
