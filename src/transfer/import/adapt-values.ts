/**
 * Adapts assets of other systems, and of former types, to the content types: former names of fields become the present ones, and texts
 * by RFC 3339 become milliseconds. Dates that look like seconds are kept, and reported.
 */
import type { Catalog, EmbeddedType, Field, Json, JsonObject } from '../../model/content-type.ts';
import { kindOf } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';

/** A date that may be given in seconds. */
export interface DoubtfulDate {
  readonly path: string;
  readonly value: number;
}

/** Returns the adapted asset; the same if nothing changes. Calls `doubt` for each date that looks like seconds. */
export type AdaptAsset = (asset: JsonObject, doubt: (date: DoubtfulDate) => void) => JsonObject;

const rfc3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/** What seconds since 1970 look like, from 1973 on; as milliseconds they are in January 1970. */
const isLikeSeconds = (value: number) => value >= 100_000_000 && value < 10_000_000_000;

/** Dates that every asset has, whatever its type. */
const commonDates = ['cms.content.publishDate', 'cms.content.updateDate'];

/** Creates the adaptation to a catalog. Without one, only the dates are adapted that every asset has. */
export function createAdaptation(catalog: Catalog | undefined): AdaptAsset {
  return (asset, doubt) => {
    const type = typeof asset._type === 'string' ? catalog?.find(asset._type) : undefined;
    if (type) return adaptMembers(asset, type, { prefix: '', doubt });
    const changed = commonDates.flatMap((name): [string, Json][] => {
      const value = asset[name] === undefined ? undefined : toMilliseconds(asset[name], name, doubt);
      return value === undefined || value === asset[name] ? [] : [[name, value]];
    });
    return changed.length > 0 ? { ...asset, ...Object.fromEntries(changed) } : asset;
  };
}

interface Place {
  readonly prefix: string;
  readonly doubt: (date: DoubtfulDate) => void;
}

function adaptMembers(
  object: JsonObject,
  { fields }: Pick<EmbeddedType, 'fields'>,
  place: Place,
): JsonObject {
  const former = new Map(
    [...fields.values()].flatMap(({ name, formerNames }) => formerNames.map((one) => [one, name])),
  );
  const members = Object.entries(object).map(([given, value]): [string, Json] => {
    const present = fields.has(given) ? undefined : former.get(given);
    const name = present !== undefined && !Object.hasOwn(object, present) ? present : given;
    const field = fields.get(name);
    return [name, field ? adaptValue(value, field, { ...place, prefix: place.prefix + name }) : value];
  });
  const isSame = members.every(([name, value]) => Object.hasOwn(object, name) && object[name] === value);
  return isSame ? object : Object.fromEntries(members);
}

function adaptValue(value: Json, field: Field, { prefix, doubt }: Place): Json {
  const { type } = field;
  if (field.list && Array.isArray(value)) {
    const items = value.map((item, n) =>
      adaptValue(item, { ...field, list: false }, { prefix: `${prefix}[${n}]`, doubt }),
    );
    return items.some((item, n) => item !== value[n]) ? items : value;
  }
  if (type.kind === 'scalar' && type.scalar === 'EpochMillis') return toMilliseconds(value, prefix, doubt);
  if (type.kind !== 'embedded' || !isJsonObject(value)) return value;
  const kind = kindOf(type.type, value);
  return kind ? adaptMembers(value, kind, { prefix: `${prefix}.`, doubt }) : value;
}

function toMilliseconds(value: Json, path: string, doubt: Place['doubt']): Json {
  if (typeof value === 'number' && isLikeSeconds(value)) doubt({ path, value });
  if (typeof value !== 'string' || !rfc3339.test(value)) return value;
  const time = Date.parse(value.replace(' ', 'T'));
  return Number.isNaN(time) ? value : time;
}
