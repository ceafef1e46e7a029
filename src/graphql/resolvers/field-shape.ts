/**
 * The shape that GraphQL needs of a field's value, and stand-ins for values that do not have it.
 */
import type { Problem } from '../../base/errors.ts';
import {
  type EmbeddedType,
  type Field,
  type Json,
  type JsonObject,
  kindOf,
  type ValueType,
} from '../../model/content-type.ts';
import { type ScalarFamily, scalars } from '../../model/values/scalars.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import { compileScalar } from '../../model/values/validate-scalar.ts';

/** The shape of one field. A stand-in is a value that GraphQL accepts for the field, null where the field is nullable. */
export type FieldShape = ReturnType<typeof shapeOf>;

/** The stand-ins for embedded values. */
const standInValues = new WeakSet<JsonObject>();

/** Makes the stand-in for an embedded value; that of a block is of the first kind. */
function makeStandIn({ kinds }: EmbeddedType): JsonObject {
  const [kind] = kinds?.keys() ?? [];
  const value = Object.freeze(kind === undefined ? {} : { _type: kind });
  standInValues.add(value);
  return value;
}

/** Tells whether an object stands in for an embedded value that does not fit. */
export const isStandIn = (source: JsonObject): boolean => standInValues.has(source);

/** Determines the shape of a field. */
export function shapeOf({ name, type, list, required }: Field) {
  const isOne = kindTest(type);
  const standIn = standInOf(type);
  const explainOne = (value: Json) => (isOne(value) ? undefined : reasonOf(type, value));
  const explainWhole = (value: Json): string | undefined => {
    if (value === null) return required ? 'is required' : undefined;
    if (list) return Array.isArray(value) ? undefined : 'must be a list';
    return explainOne(value);
  };
  return {
    /** Tests whether a value has the shape; null means no value. */
    fits(value: Json) {
      if (value === null) return !required;
      return list ? Array.isArray(value) && value.every(isOne) : isOne(value);
    },
    /** Says why the value as a whole does not have the shape, if it does not. */
    explain: (value: Json) => prefix(name, explainWhole(value)),
    /** Says the same of an item of a list. */
    explainItem: (item: Json, index: number) => prefix(`${name}[${index}]`, explainOne(item)),
    // References are nullable in the schema even where they are required, since a target may have been deleted.
    standIn: required ? (list ? [] : standIn) : null,
    itemStandIn: standIn,
  };
}

const prefix = (name: string, reason: string | undefined) =>
  reason === undefined ? undefined : `${name} ${reason}`;

/** Returns a test whether a single value is of the kind of a type. */
function kindTest(type: ValueType): (value: Json) => boolean {
  switch (type.kind) {
    case 'scalar': {
      const { accepts } = scalars[type.scalar];
      return (value) => value !== null && accepts(value);
    }
    case 'enum': {
      const known = new Set(type.values);
      return (value) => typeof value === 'string' && known.has(value);
    }
    case 'reference':
      return (value) => isJsonObject(value) && typeof value._ref === 'string';
    case 'embedded':
      return (value) => isJsonObject(value) && kindOf(type.type, value) !== undefined;
  }
}

function reasonOf(type: ValueType, value: Json): string {
  if (value === null) return 'must not be null';
  switch (type.kind) {
    case 'scalar': {
      const problems: Problem[] = [];
      compileScalar(type.scalar, {})(value, '', { problems, hints: false });
      return problems[0]?.message ?? 'does not fit';
    }
    case 'enum':
      return `must be one of ${type.values.join(', ')}`;
    case 'reference':
      return 'must be a reference';
    case 'embedded':
      return isJsonObject(value)
        ? `needs \`_type\`, one of ${[...(type.type.kinds?.keys() ?? [])].join(', ')}`
        : 'must be an object';
  }
}

function standInOf(type: ValueType): Json {
  switch (type.kind) {
    case 'scalar':
      return standIns[scalars[type.scalar].family];
    case 'enum':
      return type.values[0] ?? null;
    case 'reference':
      return null;
    case 'embedded':
      return makeStandIn(type.type);
  }
}

const standIns: Readonly<Record<ScalarFamily, Json>> = {
  text: '',
  ordered: '',
  number: 0,
  boolean: false,
  opaque: 0,
};
