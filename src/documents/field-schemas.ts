/**
 * Builds the JSON Schemas of fields: scalars with their constraints, enums, references, embedded values and lists of these.
 *
 * Named types become components. References and embedded values have one component for requests and one for responses, because
 * only requests may set optional fields to null and name a type by its ID.
 */

import { typeIdOf } from '../model/catalog.ts';
import {
  type Catalog,
  type ContentType,
  type DefaultVariable,
  type EmbeddedType,
  type EnumType,
  type Field,
  type Json,
  type JsonObject,
  mustBeGiven,
  siteOwnerField,
  type ValueType,
} from '../model/content-type.ts';
import { keysOfType } from '../model/field-path.ts';
import { decimalPatternOf, scalars } from '../model/values/scalars.ts';
import { createNamer } from '../text/free-name.ts';
import { describeUse, describeValues, orNull } from './schema-members.ts';

/** Whether a schema describes stored assets, as in responses, or input, as in requests. */
export type Direction = 'stored' | 'input';

/** Builds the schemas of a type's fields. */
export type FieldSchemas = ReturnType<typeof createFieldSchemas>;

/** Creates the builder of field schemas. Named types are added to `components`; `enumsOfDocument` are the document's other enums. */
export function createFieldSchemas(
  catalog: Catalog,
  components: Components,
  enumsOfDocument: readonly JsonObject[] = [],
) {
  const enumOfValue = new Map<string, string>(
    enumsOfDocument.flatMap((schema) =>
      [schema.enum ?? []].flat().map((value) => [String(value), ''] as const),
    ),
  );

  function propertiesOf(fields: ReadonlyMap<string, Field>, direction: Direction): JsonObject {
    return Object.fromEntries([...fields].map(([name, field]) => [name, fieldSchema(field, direction)]));
  }

  function fieldSchema(field: Field, direction: Direction): JsonObject {
    const { minItems, maxItems } = field.constraint;
    const value = { ...valueSchema(field.type, direction), ...valueLimits(field) };
    const whole = field.list ? { type: 'array', items: value, ...given({ minItems, maxItems }) } : value;
    const schema = direction === 'input' && !field.required ? orNull(whole) : whole;
    // OpenAPI cannot express uniqueness, and what keeps an asset from being deleted, which writers need to know.
    const unique = field.indexed?.unique ? { 'x-unique': true } : {};
    const keeps = given({ 'x-on-delete': field.onDelete });
    const missing = direction === 'input' ? given({ default: field.default }) : {};
    const description = descriptionOf(field, direction);
    const rules = { ...unique, ...keeps };
    return { ...schema, ...rules, ...missing, ...describeUse(description, field.deprecated) };
  }

  function valueSchema(type: ValueType, direction: Direction): JsonObject {
    switch (type.kind) {
      case 'scalar':
        return scalars[type.scalar].jsonSchema;
      case 'enum':
        return components.refer(`enum ${type.name}`, type.name, () => enumSchema(type));
      case 'reference':
        return components.refer(
          `${direction} reference ${type.name}`,
          `${type.name}Reference${suffix[direction]}`,
          () => referenceSchema(type.targets, direction),
        );
      case 'embedded':
        return components.refer(
          `${direction} ${type.type.name}`,
          `${type.type.name}${suffix[direction]}`,
          () => (type.type.kinds ? blocksSchema(type.type, direction) : embeddedSchema(type.type, direction)),
        );
    }
  }

  /** Builds the schema of blocks: one component for each kind, because only in blocks its values have `_type`. */
  function blocksSchema(
    { name, description, kinds = new Map() }: EmbeddedType,
    direction: Direction,
  ): JsonObject {
    const mapping = Object.fromEntries(
      [...kinds.values()].map((kind) => [
        kind.name,
        components.refer(`${direction} ${name}.${kind.name}`, `${name}${kind.name}${suffix[direction]}`, () =>
          kindSchema(kind, direction),
        ).$ref,
      ]),
    );
    return {
      ...describe(description),
      oneOf: Object.values(mapping).map(($ref) => ({ $ref })),
      discriminator: { propertyName: '_type', mapping },
    };
  }

  function kindSchema(kind: EmbeddedType, direction: Direction): JsonObject {
    const { required = [], properties, ...schema } = embeddedSchema(kind, direction);
    return {
      ...schema,
      required: ['_type', ...[required].flat()],
      properties: { _type: { type: 'string', enum: [kind.name] }, ...Object(properties) },
    };
  }

  /** Gives values that another enum has too their own names, because Go has one namespace for the values of all enums. */
  function enumSchema({ name, values, deprecated }: EnumType): JsonObject {
    const isShared = values.some((value) => (enumOfValue.get(value) ?? name) !== name);
    for (const value of values) enumOfValue.set(value, name);
    const names = isShared ? { 'x-enum-varnames': values.map((value) => `${name}_${value}`) } : {};
    return { type: 'string', enum: [...values], ...names, ...describeValues(deprecated ?? []) };
  }

  function referenceSchema(targets: readonly string[], direction: Direction): JsonObject {
    const types = targets.flatMap((target) => catalog.find(target) ?? []);
    const by = direction === 'input' ? namingSchema(types) : undefined;
    return {
      type: 'object',
      required: by ? ['_type'] : ['_ref', '_type'],
      properties: {
        _ref: { type: 'string', format: 'uuid', description: "The other asset's `_id`." },
        ...(by && { _by: by }),
        _type: {
          type: 'string',
          enum: direction === 'input' ? [...targets, ...types.flatMap(otherNamesOf)] : [...targets],
        },
      },
      additionalProperties: false,
      ...(by && { description: 'Exactly one of `_ref` and `_by` is required.' }),
    };
  }

  /** Describes the member that names a target by a key; `undefined` if no target has one. */
  function namingSchema(types: readonly ContentType[]): JsonObject | undefined {
    const keys = types.flatMap(keysOfType);
    if (keys.length === 0) return undefined;
    const most = Math.max(...keys.map(({ length }) => length));
    const one = most > 1 ? 'The fields of one key' : 'One unique field';
    return {
      type: 'object',
      description: `${one} of the other asset, instead of \`_ref\`. The server looks the asset up when it writes.`,
      minProperties: 1,
      maxProperties: most,
      properties: Object.fromEntries(
        keys.flat().flatMap(({ text, leaf }) => {
          if (leaf.kind === 'id' || leaf.kind === 'type') return [];
          const schema = valueSchema(leaf, 'stored');
          return [[text, text === siteOwnerField ? orNull(schema) : schema]];
        }),
      ),
      additionalProperties: false,
    };
  }

  function embeddedSchema(type: EmbeddedType, direction: Direction): JsonObject {
    return {
      type: 'object',
      ...describe(type.description),
      required: requiredOf(type.fields, direction),
      properties: propertiesOf(type.fields, direction),
      additionalProperties: false,
    };
  }

  return { propertiesOf, requiredOf };
}

/** Returns the names by which a request may name a type instead of its class: its type ID, and the former ones of both. */
export function otherNamesOf({ id, formerClasses }: ContentType): string[] {
  const names = [id, ...formerClasses.flatMap((former) => [former, typeIdOf(former)])];
  return [...new Set(names)];
}

/** Returns a `description` member, or nothing without a description. */
export function describe(description: string | undefined): JsonObject {
  return description === undefined ? {} : { description };
}

const suffix: Record<Direction, string> = { stored: '', input: 'Input' };

/** Returns the names of the required fields: in a request, those that nothing else provides. */
function requiredOf(fields: ReadonlyMap<string, Field>, direction: Direction): string[] {
  const isRequired = (field: Field) => (direction === 'stored' ? field.required : mustBeGiven(field));
  return [...fields.values()].filter(isRequired).map(({ name }) => name);
}

function descriptionOf(
  { description, type, defaultVariable }: Field,
  direction: Direction,
): string | undefined {
  const unit = type.kind === 'scalar' ? scalars[type.scalar].unit : undefined;
  const missing = direction === 'input' && defaultVariable ? filledBy[defaultVariable] : undefined;
  const parts = [description, unit, missing].filter((part) => part);
  return parts.length > 0 ? parts.join('\n\n') : undefined;
}

/** Says what a new asset has where its creation omits a field with a variable as its default. */
const filledBy: Readonly<Record<DefaultVariable, string>> = {
  '$user.id': 'A new asset that omits it has the ID of the user who creates it.',
  '$user.email': 'A new asset that omits it has the email address of the user who creates it.',
  '$client.id': 'A new asset that omits it has the ID of the API client that creates it.',
  $now: 'A new asset that omits it has the time of its creation.',
};

function valueLimits({ type, constraint }: Field): JsonObject {
  const { minLength, maxLength, pattern, min, max, scale, accept, maxBytes } = constraint;
  const isNumeric = type.kind === 'scalar' && scalars[type.scalar].isNumeric;
  // JSON Schema cannot limit the number that a text stands for.
  if (isNumeric)
    return given({
      pattern: scale === undefined ? undefined : decimalPatternOf(scale),
      'x-minimum': min,
      'x-maximum': max,
    });
  return given({
    minLength,
    maxLength,
    pattern,
    minimum: min,
    maximum: max,
    'x-accept': accept && [...accept],
    'x-max-bytes': maxBytes,
  });
}

function given(members: Record<string, Json | undefined>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** A JSON reference to a component. */
export type Ref = { $ref: string };

type Components = ReturnType<typeof createComponents>;

/** Creates an empty collection. A name gets a number as suffix if it is in `taken`, or if generators would write it like another. */
export function createComponents(taken: readonly string[]) {
  const nameOf = createNamer({ taken, toKey: toWritten });
  const byMeaning = new Map<string, { name: string; make: () => JsonObject }>();
  return {
    /** Returns a reference to the component for `meaning`. It is named immediately, and built later by `make`. */
    refer(meaning: string, wantedName: string, make: () => JsonObject): Ref {
      const component = byMeaning.get(meaning) ?? { name: nameOf(wantedName), make };
      byMeaning.set(meaning, component);
      return { $ref: `#/components/schemas/${component.name}` };
    },
    /** Builds all components that were referred to, by name. */
    make(): Record<string, JsonObject> {
      const schemas: Record<string, JsonObject> = {};
      // The iteration also reaches components that are added during it, because others refer to them.
      for (const { name, make } of byMeaning.values()) schemas[name] = make();
      return schemas;
    },
  };
}

/** Reduces a name to the part that generators keep when they adapt it to a language: `my_type` may become `MyType`. */
const toWritten = (name: string) => name.replaceAll('_', '').toLowerCase();
