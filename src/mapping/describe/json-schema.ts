/**
 * Writes JSON Schemas (2020-12) of the variables and the data of an operation.
 *
 * Each input object has a definition, since it may contain itself; data is written inline.
 */
import { describeUse, describeValues, orNull } from '../../documents/schema-members.ts';
import type {
  EnumChoice,
  InputMember,
  InputType,
  OutputShape,
  OutputType,
  VariableDefinition,
} from '../../graphql/operation.ts';
import type { JsonObject } from '../../model/content-type.ts';
import { scalars } from '../../model/values/scalars.ts';
import type { DataPlace } from '../routes/data-place.ts';

/** Writes schemas of input types that share their definitions. */
export type InputSchemas = ReturnType<typeof createInputSchemas>;

/** Begins a set of schemas; `home` precedes the names of definitions in references, such as `#/$defs/`. */
export function createInputSchemas(home: string) {
  const objects = new Map<string, ReadonlyMap<string, InputMember>>();

  function of(type: InputType): JsonObject {
    switch (type.kind) {
      case 'scalar':
        return unlessRequired(scalars[type.name].jsonSchema, type);
      case 'enum':
        return enumSchema(type);
      case 'list':
        return unlessRequired({ type: 'array', items: of(type.of) }, type);
      case 'object':
        objects.set(type.name, type.members);
        return unlessRequired({ $ref: home + type.name }, type);
    }
  }

  function objectSchema(members: Iterable<readonly [string, InputMember]>): JsonObject {
    const written = [...members].map(
      ([name, member]) =>
        [name, { schema: annotate(of(member.type), member), required: member.required }] as const,
    );
    const required = written.filter(([, member]) => member.required).map(([name]) => name);
    return {
      type: 'object',
      ...(required.length > 0 ? { required } : {}),
      properties: Object.fromEntries(written.map(([name, { schema }]) => [name, schema])),
    };
  }

  return {
    of,
    /** Returns the schema of an object that has the variables as members. */
    ofVariables: (variables: readonly VariableDefinition[]): JsonObject =>
      objectSchema(variables.map((variable) => [variable.name, variable])),
    /** Returns the definitions that the schemas so far refer to, by name. */
    definitions(): Record<string, JsonObject> {
      const schemas: Record<string, JsonObject> = {};
      // The iteration also visits entries added meanwhile: definitions that others refer to.
      for (const [name, members] of objects) {
        schemas[name] = { ...objectSchema(members), additionalProperties: false };
      }
      return schemas;
    },
  };
}

/** Writes the schema of an operation's variables. It allows undeclared names, which requests may have and routes ignore. */
export function variablesSchema(variables: readonly VariableDefinition[]): JsonObject {
  const schemas = createInputSchemas('#/$defs/');
  const schema = schemas.ofVariables(variables);
  const definitions = schemas.definitions();
  const $defs = Object.keys(definitions).length > 0 ? { $defs: definitions } : {};
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema, ...$defs };
}

/** Writes the schema of an operation's data. */
export function dataSchema(shape: OutputShape): JsonObject {
  const members = [...shape];
  const required = members.filter(([, { optional }]) => !optional).map(([name]) => name);
  return {
    type: 'object',
    ...(required.length > 0 ? { required } : {}),
    properties: Object.fromEntries(
      members.map(([name, member]) => [name, annotate(valueSchema(member.type), member)]),
    ),
    additionalProperties: false,
  };
}

/** Writes the schema of the value of a place. */
export function placeSchema({ types, nullable }: DataPlace): JsonObject {
  const schemas = types.map((type) => valueSchema({ ...type, nullable: false }));
  const distinct = new Map(schemas.map((schema) => [JSON.stringify(schema), schema]));
  const schema = anyOf([...distinct.values()]);
  return nullable ? orNull(schema) : schema;
}

function valueSchema(type: OutputType): JsonObject {
  switch (type.kind) {
    case 'scalar':
      return unlessRequired(scalars[type.name].jsonSchema, type);
    case 'enum':
    case 'typename':
      return enumSchema(type);
    case 'list':
      return unlessRequired({ type: 'array', items: valueSchema(type.of) }, type);
    case 'object':
      return unlessRequired(anyOf(type.shapes.map(dataSchema)), type);
  }
}

/** Joins schemas; an interface that no type implements has none. */
function anyOf(schemas: readonly JsonObject[]): JsonObject {
  const [first, ...others] = schemas;
  if (!first) return { not: {} };
  return others.length === 0 ? first : { anyOf: [...schemas] };
}

function enumSchema({
  values,
  deprecated = {},
  nullable,
}: Pick<EnumChoice, 'values' | 'deprecated' | 'nullable'>): JsonObject {
  const notes = describeValues(Object.entries(deprecated));
  return nullable
    ? { type: ['string', 'null'], enum: [...values, null], ...notes }
    : { type: 'string', enum: [...values], ...notes };
}

const unlessRequired = (schema: JsonObject, { nullable }: { readonly nullable: boolean }) =>
  nullable ? orNull(schema) : schema;

/** Adds what is known of a member to the schema of its type; the description of an enum's values follows its own. */
function annotate(schema: JsonObject, member: Omit<InputMember, 'type' | 'required'>): JsonObject {
  const missing = member.default === undefined ? {} : { default: member.default };
  const ofValues = schema.enum === undefined ? undefined : schema.description;
  const parts = [member.description, ofValues].filter((part) => typeof part === 'string' && part !== '');
  const description = parts.length > 0 ? parts.join('\n\n') : undefined;
  return { ...schema, ...missing, ...describeUse(description, member.deprecated) };
}
