/**
 * Compares the JSON Schemas of two OpenAPI documents, for clients that were written for the first one.
 *
 * In requests a schema breaks clients when it accepts less, in responses when it allows more. Covers the keywords that the documents
 * of content types and mapped routes use. A component is compared once for each direction, wherever it is used.
 */
import type { Json, JsonObject } from '../model/content-type.ts';
import { isJsonObject } from '../model/values/validate-asset.ts';
import { attention, breaking, type Finding, safe } from '../types/type-change.ts';
import { findReferenced, followReference } from './document-parts.ts';

/** Whether a schema describes what clients send or what they receive. */
type Direction = 'request' | 'response';

/** A difference between two documents; `place` is a component or an operation, with the path inside, such as `Article.status`. */
export interface DocumentChange extends Finding {
  readonly place: string;
}

/** Two schemas of one place. */
export interface SchemaPair {
  readonly old: Json | undefined;
  readonly now: Json | undefined;
  readonly place: string;
  readonly direction: Direction;
}

/** Creates the function that compares schemas of two documents; what it has compared before has no further changes. */
export function createSchemaComparer(
  before: JsonObject,
  after: JsonObject,
): (pair: SchemaPair) => DocumentChange[] {
  const compared = new Set<string>();

  function compare({ old, now, place: outer, direction }: SchemaPair): DocumentChange[] {
    const [from, to] = [followReference(before, old), followReference(after, now)];
    const [fromName, toName] = [nameOf(before, old), nameOf(after, now)];
    if (fromName !== undefined && toName !== undefined) {
      const key = `${direction} ${fromName} ${toName}`;
      if (compared.has(key)) return [];
      compared.add(key);
    }
    const place = fromName ?? outer;
    const at = (finding: Finding): DocumentChange => ({ place, ...finding });
    const [olds, news] = [alternativesOf(before, from), alternativesOf(after, to)];
    if (olds.size > 1 || news.size > 1) return compareAlternatives({ olds, news, place, direction });
    const pair = { old: from, now: to, place, direction };
    return [
      ...compareTypes(pair).map(at),
      ...compareEnums(pair).map(at),
      ...compareLimits(pair).map(at),
      ...compareMembers(pair),
      ...compareParts(pair),
      ...(from.items === undefined || to.items === undefined
        ? []
        : compare({ old: from.items, now: to.items, place: `${place}[]`, direction })),
    ];
  }

  function compareAlternatives({
    olds,
    news,
    place,
    direction,
  }: {
    olds: ReadonlyMap<string, Json>;
    news: ReadonlyMap<string, Json>;
    place: string;
    direction: Direction;
  }): DocumentChange[] {
    return [...new Set([...olds.keys(), ...news.keys()])].flatMap((key) => {
      const [old, now] = [olds.get(key), news.get(key)];
      if (old !== undefined && now !== undefined) return compare({ old, now, place, direction });
      if (key === 'null') return [{ place, ...nullChange(now !== undefined, direction) }];
      return [{ place, ...(old === undefined ? safe(`also has ${key}`) : breaking(`no longer has ${key}`)) }];
    });
  }

  /** The parts of `allOf` are those of the written document, in the same order in both. */
  function compareParts({ old, now, ...at }: ResolvedPair): DocumentChange[] {
    const parts = listOf(now.allOf);
    return listOf(old.allOf).flatMap((part, index) => compare({ old: part, now: parts[index], ...at }));
  }

  function compareMembers({ old, now, place, direction }: ResolvedPair): DocumentChange[] {
    const [olds, news] = [membersOf(old), membersOf(now)];
    const [wasRequired, isRequired] = [listOf(old.required), listOf(now.required)];
    return [...new Set([...Object.keys(olds), ...Object.keys(news)])].flatMap((name) => {
      const within = `${place}.${name}`;
      const at = (finding: Finding): DocumentChange[] => [{ place: within, ...finding }];
      if (!Object.hasOwn(news, name)) return at(breaking('is removed'));
      if (!Object.hasOwn(olds, name)) return at(addedMember(isRequired.includes(name), direction));
      const required = compareRequired(wasRequired.includes(name), isRequired.includes(name), direction);
      return [
        ...required.map((finding) => ({ place: within, ...finding })),
        ...compare({ old: olds[name], now: news[name], place: within, direction }),
      ];
    });
  }

  return compare;
}

interface ResolvedPair {
  readonly old: JsonObject;
  readonly now: JsonObject;
  readonly place: string;
  readonly direction: Direction;
}

const membersOf = ({ properties }: JsonObject): JsonObject => (isJsonObject(properties) ? properties : {});

const listOf = (list: Json | undefined): Json[] => (Array.isArray(list) ? list : []);

/** Lists what a value may be, by the content type, the component or the place in the list. */
function alternativesOf(document: JsonObject, schema: JsonObject): ReadonlyMap<string, Json> {
  const list = schema.oneOf ?? schema.anyOf;
  if (!Array.isArray(list)) return new Map([['0', schema]]);
  const isNullable = list.length === 2 && list.some((one) => keyOf(document, one) === 'null');
  return new Map(
    list.map((one, index) => {
      const key = keyOf(document, one);
      // The only value besides null may be another component in the other document.
      return [isNullable && key !== 'null' ? '0' : (key ?? String(index)), one];
    }),
  );
}

/** Finds the name of the component that a schema is in the end; `undefined` for one that is written in place. */
function nameOf(document: JsonObject, schema: unknown): string | undefined {
  const { $ref } = Object(schema);
  if (typeof $ref !== 'string') return undefined;
  return nameOf(document, findReferenced(document, $ref)) ?? $ref.split('/').at(-1);
}

function keyOf(document: JsonObject, schema: Json): string | undefined {
  const [value, name] = [followReference(document, schema), nameOf(document, schema)];
  if (value.type === 'null') return 'null';
  const type = membersOf(value)._type;
  if (!isJsonObject(type)) return name;
  const [first] = [type.const ?? type.enum ?? []].flat();
  return typeof first === 'string' ? first : name;
}

function nullChange(isAdded: boolean, direction: Direction): Finding {
  const message = isAdded ? 'may be null' : 'may no longer be null';
  return isAdded === (direction === 'response') ? breaking(message) : safe(message);
}

function addedMember(isRequired: boolean, direction: Direction): Finding {
  return isRequired && direction === 'request' ? breaking('is new and required') : safe('is new');
}

function compareRequired(was: boolean, is: boolean, direction: Direction): Finding[] {
  if (was === is) return [];
  const message = is ? 'is required, and was optional' : 'is optional, and was required';
  return [is === (direction === 'request') ? breaking(message) : safe(message)];
}

function compareTypes({ old, now, direction }: ResolvedPair): Finding[] {
  const [was, is] = [old, now].map(({ type }) => (type === undefined ? undefined : [type].flat()));
  if (JSON.stringify(was) === JSON.stringify(is)) return [];
  const removed = is === undefined ? [] : (was ?? ['any type']).filter((type) => !accepts(is, type));
  const added = was === undefined ? [] : (is ?? ['any type']).filter((type) => !accepts(was, type));
  const finding = (types: readonly Json[], isBreaking: boolean, text: string) =>
    types.length === 0 ? [] : [(isBreaking ? breaking : safe)(`${text} ${types.join(', ')}`)];
  return [
    ...finding(removed, direction === 'request', 'may no longer be'),
    ...finding(added, direction === 'response', 'may be'),
  ];
}

/** Every integer is a number. */
const accepts = (types: readonly Json[], type: Json) =>
  types.includes(type) || (type === 'integer' && types.includes('number'));

function compareEnums({ old, now, direction }: ResolvedPair): Finding[] {
  const [was, is] = [valuesOf(old), valuesOf(now)];
  if (!was && !is) return [];
  if (!was || !is) {
    const message = is ? `is one of ${is.join(', ')}` : 'may have other values';
    return [(is !== undefined) === (direction === 'request') ? breaking(message) : attention(message)];
  }
  // Null is compared with the types.
  const removed = was.filter((value) => value !== null && !is.includes(value));
  const added = is.filter((value) => value !== null && !was.includes(value));
  return [
    ...(removed.length === 0
      ? []
      : [(direction === 'request' ? breaking : safe)(`no longer has the value ${removed.join(', ')}`)]),
    ...(added.length === 0
      ? []
      : [(direction === 'response' ? attention : safe)(`has the new value ${added.join(', ')}`)]),
  ];
}

function valuesOf({ const: only, enum: some }: JsonObject): Json[] | undefined {
  if (only !== undefined) return [only];
  return Array.isArray(some) ? some : undefined;
}

const limits = [
  ['minLength', 'minimum', 'minItems', 'minProperties'],
  ['maxLength', 'maximum', 'maxItems', 'maxProperties'],
] as const;

function compareLimits({ old, now, direction }: ResolvedPair): Finding[] {
  const numbers = limits.flatMap((names, isUpper) =>
    names.flatMap((name) => {
      const [was, is] = [old[name], now[name]];
      if (was === is) return [];
      const narrows = typeof is === 'number' && (typeof was !== 'number' || (isUpper ? is < was : is > was));
      return [limitChange(name, { was, is, narrows }, direction)];
    }),
  );
  const texts = (['pattern', 'format'] as const).flatMap((name) => {
    const [was, is] = [old[name], now[name]];
    return was === is ? [] : [limitChange(name, { was, is, narrows: is !== undefined }, direction)];
  });
  return [...numbers, ...texts];
}

/** In responses a wider limit breaks nobody who only reads the value. */
function limitChange(
  name: string,
  { was, is, narrows }: { was: Json | undefined; is: Json | undefined; narrows: boolean },
  direction: Direction,
): Finding {
  const message = `has ${name} ${is ?? 'no longer'}, and had ${was ?? 'none'}`;
  return narrows && direction === 'request' ? breaking(message) : safe(message);
}
