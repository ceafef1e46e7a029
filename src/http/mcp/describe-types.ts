/**
 * Describes content types for agents: names, fields, descriptions and constraints, which all come from the SDL.
 */
import { invalidParameter } from '../../base/errors.ts';
import type {
  Catalog,
  ContentType,
  EmbeddedType,
  Field,
  Json,
  JsonObject,
  ValueType,
} from '../../model/content-type.ts';
import { kindsOf } from '../../model/content-type.ts';

/** Lists all content types, without their fields. */
export const listTypes = ({ types }: Catalog): JsonObject[] => [...types.values()].map(summarize);

/** Describes content types by class name or type ID, with the embedded types of their fields. Errors: invalid_parameter. */
export function describeTypes(catalog: Catalog, names: readonly string[]): JsonObject {
  const embedded = new Map<string, EmbeddedType>();
  const types = names.map((name, index) => {
    const type = catalog.find(name);
    if (!type) throw invalidParameter(`types[${index}]`, `is not the class name of a content type: ${name}`);
    return { ...summarize(type), fields: describeFields(type.fields, embedded) };
  });
  const objects: JsonObject = {};
  // The iteration also visits embedded types that are added meanwhile.
  for (const [name, type] of embedded) {
    objects[name] = {
      ...(type.description !== undefined && { description: type.description }),
      kinds: kindsOf(type).map((kind) => ({
        name: kind.name,
        fields: describeFields(kind.fields, embedded),
      })),
    };
  }
  return { types, objects };
}

function summarize({ class: className, name, kind, description, keys }: ContentType): JsonObject {
  return {
    type: className,
    name,
    kind,
    ...(description !== undefined && { description }),
    ...(keys.length > 0 && { uniqueTogether: keys.map((key) => [...key]) }),
  };
}

const describeFields = (fields: ReadonlyMap<string, Field>, embedded: Map<string, EmbeddedType>): Json[] =>
  [...fields.values()].map((field) => describeField(field, embedded));

function describeField(field: Field, embedded: Map<string, EmbeddedType>): JsonObject {
  const { name, description, label, list, required, indexed, searchable, deprecated, constraint } = field;
  const limits = JSON.parse(JSON.stringify(constraint)) as JsonObject;
  return {
    name,
    ...(label !== undefined && { label }),
    ...(description !== undefined && { description }),
    ...describeValue(field.type, embedded),
    list,
    required,
    ...(indexed && { indexed: true, unique: indexed.unique }),
    ...(searchable && { searchable }),
    ...(field.default !== undefined && { default: field.default }),
    ...(deprecated !== undefined && { deprecated }),
    ...(Object.keys(limits).length > 0 && { constraint: limits }),
  };
}

function describeValue(type: ValueType, embedded: Map<string, EmbeddedType>): JsonObject {
  switch (type.kind) {
    case 'scalar':
      return { value: type.scalar };
    case 'enum':
      return { value: type.name, values: [...type.values] };
    case 'reference':
      return { value: 'Reference', targets: [...type.targets] };
    case 'embedded':
      embedded.set(type.type.name, type.type);
      return { value: 'Object', object: type.type.name };
  }
}
