/**
 * Derives invalid values from a valid one, each with one mistake: a member that is missing, null, unknown, of another type, too
 * short, too long, too small, too large, not in the enum, or not matching a pattern or a format.
 */
import type { Json, JsonObject } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import { type ContractDocument, objectOf, type Schema } from '../apis/contract-document.ts';
import { numberOf, typesOf } from './sample-value.ts';
import { formatOf } from './value-formats.ts';

/** A value with one mistake. */
export interface WrongValue {
  readonly value: Json;
  /** Where, such as `place.country` or `tags[0]`. */
  readonly path: string;
  /** Says what is wrong, after the path, such as `is null`. */
  readonly wrong: string;
}

/** The depth of embedded values, which may contain themselves. */
const maxDepth = 3;

/** Yields every invalid variant of a valid value, by its schema. */
export function* wrongValues(
  document: ContractDocument,
  schema: Json | undefined,
  valid: Json,
): Iterable<WrongValue> {
  yield* wrongOf({ document, node: schema, valid, path: '', depth: 0 });
}

/** A position in the value, with the schema that applies there. */
interface Position {
  readonly document: ContractDocument;
  readonly node: Json | undefined;
  readonly valid: Json;
  readonly path: string;
  readonly depth: number;
}

function* wrongOf(position: Position): Iterable<WrongValue> {
  const { document, path, valid } = position;
  const schema = realSchema(document, position.node, valid);
  const here = (value: Json, wrong: string): WrongValue => ({ value, path, wrong });
  const types = typesOf(schema);
  if (path !== '') {
    if (schema.nullable !== true && types.length > 0 && !types.includes('null')) yield here(null, 'is null');
    for (const [value, wrong] of otherTypes(types[0])) yield here(value, wrong);
  }
  if (Array.isArray(schema.enum) && path !== '') yield here('no-such-member', 'is not in its enum');
  switch (types[0]) {
    case 'string':
      for (const [value, wrong] of wrongTexts(schema)) yield here(value, wrong);
      return;
    case 'integer':
    case 'number':
      for (const [value, wrong] of wrongNumbers(schema)) yield here(value, wrong);
      return;
    case 'array':
      yield* wrongLists(position, schema);
      return;
    case 'object':
      yield* wrongObjects(position, schema);
      return;
  }
}

/** The schema that applies: of alternatives, the one that the valid value matches. */
function realSchema(document: ContractDocument, node: Json | undefined, valid: Json): Schema {
  const schema = document.follow(node);
  const options = schema.anyOf ?? schema.oneOf;
  if (!Array.isArray(options)) return schema;
  const followed = options.map((option) => document.follow(option));
  const mayBeNull = followed.some(({ type }) => type === 'null');
  const real = followed.find((option) => option.type !== 'null' && fitsDiscriminator(option, valid)) ?? {};
  return mayBeNull ? { ...real, nullable: true } : real;
}

/** Whether members with a fixed value, such as `action`, have the value of this schema. */
function fitsDiscriminator(schema: Schema, valid: Json): boolean {
  if (!isJsonObject(valid)) return true;
  return Object.entries(objectOf(schema.properties)).every(([name, member]) => {
    const { enum: values, const: value } = objectOf(member);
    if (value !== undefined) return valid[name] === value;
    const isFixed = Array.isArray(values) && valid[name] !== undefined && typeof values[0] === 'string';
    return !isFixed || values.includes(valid[name] ?? null);
  });
}

const ofEachType: Readonly<Record<string, readonly [Json, string]>> = {
  string: ['a text', 'is a text'],
  number: [1, 'is a number'],
  boolean: [true, 'is true'],
  array: [[], 'is a list'],
  object: [{ nothing: 1 }, 'is an object'],
};

function* otherTypes(type: string | undefined): Iterable<readonly [Json, string]> {
  if (type === undefined) return;
  for (const [other, wrong] of Object.entries(ofEachType)) {
    if (other !== (type === 'integer' ? 'number' : type)) yield wrong;
  }
}

function* wrongTexts(schema: Schema): Iterable<readonly [Json, string]> {
  const least = numberOf(schema.minLength, 0);
  const most = numberOf(schema.maxLength, Infinity);
  if (least > 0) yield ['x'.repeat(least - 1), `is shorter than ${least}`];
  if (Number.isFinite(most)) yield ['x'.repeat(most + 1), `is longer than ${most}`];
  if (typeof schema.pattern === 'string') yield ['\u0001 ?', 'does not match its pattern'];
  yield* wrongFormat(schema);
}

function* wrongNumbers(schema: Schema): Iterable<readonly [Json, string]> {
  const least = numberOf(schema.minimum, -Infinity);
  const most = numberOf(schema.maximum, Infinity);
  if (Number.isFinite(least)) yield [least - 1, `is below ${least}`];
  if (Number.isFinite(most)) yield [most + 1, `is above ${most}`];
  if (typesOf(schema)[0] === 'integer') yield [0.5 + Math.max(0, Math.min(least, 1_000)), 'is a fraction'];
  yield* wrongFormat(schema);
}

function* wrongFormat(schema: Schema): Iterable<readonly [Json, string]> {
  const wrong = formatOf(schema)?.wrong;
  if (wrong) yield wrong;
}

function* wrongLists(position: Position, schema: Schema): Iterable<WrongValue> {
  const { path, valid } = position;
  const items = Array.isArray(valid) ? valid : [];
  const [first] = items;
  const least = numberOf(schema.minItems, 0);
  const most = numberOf(schema.maxItems, Infinity);
  if (least > 0) yield { value: items.slice(0, least - 1), path, wrong: `has fewer than ${least} items` };
  if (first === undefined) return;
  if (most <= 10_000) {
    yield {
      value: Array.from({ length: most + 1 }, () => first),
      path,
      wrong: `has more than ${most} items`,
    };
  }
  const inside = { ...position, node: schema.items, valid: first, path: `${path}[0]` };
  for (const wrong of wrongOf(inside)) yield { ...wrong, value: [wrong.value, ...items.slice(1)] };
}

function* wrongObjects(position: Position, schema: Schema): Iterable<WrongValue> {
  const { path, valid, depth } = position;
  if (!isJsonObject(valid) || depth >= maxDepth) return;
  const within = (name: string) => (path === '' ? name : `${path}.${name}`);
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  for (const name of required) {
    const { [name]: _, ...rest } = valid;
    yield { value: rest, path: within(name), wrong: 'is missing' };
  }
  if (schema.additionalProperties === false) {
    const unknown = 'noSuchMember';
    yield { value: { ...valid, [unknown]: 1 }, path: within(unknown), wrong: 'is unknown' };
  }
  for (const [name, member] of Object.entries(objectOf(schema.properties))) {
    const value = valid[name] ?? defaultOf(position, member);
    const inside = { ...position, node: member, valid: value, path: within(name), depth: depth + 1 };
    for (const wrong of wrongOf(inside)) yield { ...wrong, value: withMember(valid, name, wrong.value) };
  }
}

function withMember(whole: JsonObject, name: string, value: Json): JsonObject {
  return { ...whole, [name]: value };
}

/** A value to derive from where the valid one has none. */
function defaultOf({ document }: Position, member: Json): Json {
  return typesOf(document.follow(member))[0] === 'array' ? [] : {};
}
