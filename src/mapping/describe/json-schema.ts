/**
 * JSON Schemas (2020-12) of what an operation takes and of what it answers with.
 *
 * Input objects have a definition each, since they may contain themselves; data is written out where it stands.
 */
import { orNull } from '../../documents/nullable-schema.ts';
import type {
  InputMember,
  InputType,
  OutputShape,
  OutputType,
  VariableDefinition,
} from '../../graphql/operation.ts';
import type { JsonObject } from '../../model/content-type.ts';
import { scalars } from '../../model/scalars.ts';

/** Schemas of input types that share their definitions. */
export interface InputSchemas {
  /** The schema of one value. */
  of(type: InputType): JsonObject;
  /** The schema of an object that holds the variables. */
  ofVariables(variables: readonly VariableDefinition[]): JsonObject;
  /** The definitions that the schemas so far refer to, by name. */
  definitions(): Record<string, JsonObject>;
}

/** Begins a set of schemas; `home` stands before the names of definitions, such as `#/$defs/`. */
export function createInputSchemas(home: string): InputSchemas {
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
      ([name, { type, required, description }]) =>
        [name, { schema: { ...of(type), ...given(description) }, required }] as const,
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
    ofVariables: (variables) => objectSchema(variables.map((variable) => [variable.name, variable])),
    definitions() {
      const schemas: Record<string, JsonObject> = {};
      // A map's iteration reaches what is added during it: definitions that others refer to.
      for (const [name, members] of objects) {
        schemas[name] = { ...objectSchema(members), additionalProperties: false };
      }
      return schemas;
    },
  };
}

/** The schema of the variables of an operation. Names that are not declared are allowed, as they are ignored. */
export function variablesSchema(variables: readonly VariableDefinition[]): JsonObject {
  const schemas = createInputSchemas('#/$defs/');
  const schema = schemas.ofVariables(variables);
  const definitions = schemas.definitions();
  const $defs = Object.keys(definitions).length > 0 ? { $defs: definitions } : {};
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema, ...$defs };
}

/** The schema of the data that an operation answers with. */
export function dataSchema(shape: OutputShape): JsonObject {
  const members = [...shape];
  const required = members.filter(([, { optional }]) => !optional).map(([name]) => name);
  return {
    type: 'object',
    ...(required.length > 0 ? { required } : {}),
    properties: Object.fromEntries(
      members.map(([name, { type, description }]) => [name, { ...valueSchema(type), ...given(description) }]),
    ),
    additionalProperties: false,
  };
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

/** An interface that no type implements has no shape at all. */
function anyOf(schemas: readonly JsonObject[]): JsonObject {
  const [first, ...others] = schemas;
  if (!first) return { not: {} };
  return others.length === 0 ? first : { anyOf: [...schemas] };
}

function enumSchema({
  values,
  nullable,
}: {
  readonly values: readonly string[];
  readonly nullable: boolean;
}): JsonObject {
  return nullable
    ? { type: ['string', 'null'], enum: [...values, null] }
    : { type: 'string', enum: [...values] };
}

const unlessRequired = (schema: JsonObject, { nullable }: { readonly nullable: boolean }) =>
  nullable ? orNull(schema) : schema;

function given(description: string | undefined): JsonObject {
  return description === undefined ? {} : { description };
}
