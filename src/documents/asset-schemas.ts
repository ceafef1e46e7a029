/**
 * Builds the JSON Schemas of assets from the catalog: each content type in a response and in a request.
 *
 * They describe content to readers and typed clients; `model/values/validate-asset.ts` decides what the server accepts.
 * `field-schemas.ts` makes the schemas of fields.
 */
import type { Catalog, ContentType, JsonObject } from '../model/content-type.ts';
import { createAssetValidators } from '../model/values/validate-asset.ts';
import {
  createComponents,
  createFieldSchemas,
  describe,
  type FieldSchemas,
  otherNamesOf,
  type Ref,
} from './field-schemas.ts';
import { sampleId, sampleMs, toSampleFields } from './sample-asset.ts';

/**
 * Builds the schemas `Asset`, `AssetCreate`, `AssetUpdate` and all schemas that they refer to, by component name.
 *
 * Shapes: a content type `Text` gives `Text`, `TextCreate` and `TextUpdate`. `taken` are the names of the document's other
 * schemas; a name that is already taken gets a number as suffix.
 */
export function createAssetSchemas(
  catalog: Catalog,
  taken: readonly string[],
  enumsOfDocument: readonly JsonObject[] = [],
): Record<string, JsonObject> {
  const components = createComponents([...taken, ...reservedNames]);
  const fields = createFieldSchemas(catalog, components, enumsOfDocument);
  const types = [...catalog.types.values()];
  const samples = sampleAll(catalog);
  const assetRefs = types.map((type) =>
    components.refer(`type ${type.name}`, type.name, () => ({
      ...storedSchema(type, fields),
      ...storedExample(type, samples.get(type.class)),
    })),
  );
  const createRefs = types.map((type) =>
    components.refer(`new ${type.name}`, `${type.name}Create`, () => ({
      ...newSchema(type, fields),
      ...newExample(type, samples.get(type.class)),
    })),
  );
  const updateRefs = types.map((type) =>
    components.refer(`changes ${type.name}`, `${type.name}Update`, () => changesSchema(type, fields)),
  );
  return {
    Asset: {
      description: 'One stored document; `_type` says of which content type.',
      oneOf: assetRefs,
      discriminator: discriminate(assetRefs, (index) => namesOf(types[index]).slice(0, 1)),
      ...describeInterfaces(catalog),
    },
    AssetCreate: {
      description: 'An asset to create; `_type` says of which content type.',
      oneOf: createRefs,
      discriminator: discriminate(createRefs, (index) => namesOf(types[index])),
    },
    AssetUpdate: { description: 'The fields to change; null clears an optional field.', anyOf: updateRefs },
    ...components.make(),
  };
}

/** Names that no content type's schema gets. `Array` is not a schema, but TypeScript clients use it for lists. */
const reservedNames = ['Asset', 'AssetCreate', 'AssetUpdate', 'Array'];

/** Lists the interfaces as `x-interfaces`, because queries can name them and OpenAPI cannot express them. */
function describeInterfaces(catalog: Catalog): JsonObject {
  const interfaces = [...catalog.interfaces.values()].map((one) => [
    one.class,
    { types: [...catalog.concrete(one)], fields: [...one.fields.keys()] },
  ]);
  return interfaces.length > 0 ? { 'x-interfaces': Object.fromEntries(interfaces) } : {};
}

/** Builds the fields of an example of each type where possible, by class name. */
function sampleAll(catalog: Catalog): ReadonlyMap<string, JsonObject> {
  const validators = createAssetValidators(catalog);
  return new Map(
    [...catalog.types.values()].flatMap((type) => {
      const validator = validators.get(type.class);
      const sample = validator && toSampleFields(type, validator);
      return sample === undefined ? [] : [[type.class, sample] as const];
    }),
  );
}

function newExample({ class: className }: ContentType, sample: JsonObject | undefined): JsonObject {
  return sample === undefined ? {} : { examples: [{ _type: className, ...sample }] };
}

function storedExample({ class: className }: ContentType, sample: JsonObject | undefined): JsonObject {
  if (sample === undefined) return {};
  const dates = { 'cms.content.publishDate': sampleMs, 'cms.content.updateDate': sampleMs };
  return { examples: [{ _id: sampleId, _type: className, ...sample, ...dates }] };
}

function storedSchema(type: ContentType, { propertiesOf, requiredOf }: FieldSchemas): JsonObject {
  return {
    type: 'object',
    ...describe(type.description),
    required: ['_id', '_type', ...requiredOf(type.fields, 'stored')],
    properties: {
      _id: { type: 'string', format: 'uuid', description: "The asset's UUID." },
      _type: { type: 'string', const: type.class },
      ...propertiesOf(type.fields, 'stored'),
    },
    ...keysOf(type),
    ...checksOf(type),
    additionalProperties: false,
  };
}

function newSchema(type: ContentType, { propertiesOf, requiredOf }: FieldSchemas): JsonObject {
  return {
    type: 'object',
    description: `A new asset of the type ${type.name}.${rulesOf(type)}`,
    required: ['_type', ...requiredOf(type.fields, 'input')],
    properties: {
      _id: { type: 'string', format: 'uuid', description: 'A UUID that no asset has yet.' },
      _type: { type: 'string', enum: namesOf(type) },
      ...propertiesOf(type.fields, 'input'),
    },
    ...keysOf(type),
    ...checksOf(type),
    additionalProperties: false,
  };
}

/** Lists the fields that are unique together, or among some assets, which OpenAPI cannot express. */
function keysOf({ keys, conditionalKeys }: ContentType): JsonObject {
  const among = conditionalKeys.map(({ fields, where }) => ({ fields: [...fields], where }));
  return {
    ...(keys.length > 0 && { 'x-unique-keys': keys.map((names) => [...names]) }),
    ...(among.length > 0 && { 'x-conditional-keys': among }),
  };
}

/** Lists the rules for values together, which OpenAPI cannot express. */
function checksOf({ checks }: ContentType): JsonObject {
  return checks.length > 0
    ? { 'x-checks': checks.map(({ where, message, path }) => ({ where, message, path })) }
    : {};
}

/** Says the rules in words. */
const rulesOf = ({ checks }: ContentType): string =>
  checks.map(({ message, where }) => `\n\n${message} (\`${where}\`)`).join('');

function changesSchema(type: ContentType, { propertiesOf }: FieldSchemas): JsonObject {
  const withoutDefaults = [...type.fields].map(([name, { default: _, ...field }]) => [name, field] as const);
  return {
    type: 'object',
    description: `Changes of an asset of the type ${type.name}.${rulesOf(type)}`,
    properties: {
      _id: { type: 'string', format: 'uuid', description: 'As it is; it cannot be changed.' },
      _type: { type: 'string', enum: namesOf(type), description: 'As it is; it cannot be changed.' },
      ...propertiesOf(new Map(withoutDefaults), 'input'),
    },
    additionalProperties: false,
  };
}

function namesOf(type: ContentType | undefined): string[] {
  return type ? [type.class, ...otherNamesOf(type)] : [];
}

function discriminate(refs: readonly Ref[], namesAt: (index: number) => readonly string[]): JsonObject {
  const mapping = refs.flatMap(({ $ref }, index) => namesAt(index).map((name) => [name, $ref]));
  return { propertyName: '_type', mapping: Object.fromEntries(mapping) };
}
