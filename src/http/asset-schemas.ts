/**
 * JSON Schemas of assets, made from the catalog: what each content type looks like in an answer and in a request.
 *
 * They describe, for readers and typed clients; what is accepted is decided by `model/validate-asset.ts`. The schemas of
 * fields are made in `field-schemas.ts`.
 */
import type { Catalog, ContentType, JsonObject } from '../model/content-type.ts';
import {
  createComponents,
  createFieldSchemas,
  describe,
  type FieldSchemas,
  type Ref,
} from './field-schemas.ts';

/**
 * Makes the schemas `Asset`, `NewAsset`, `AssetChanges` and all that they refer to, by component name.
 *
 * Shapes: a content type `Text` gives `Text`, `NewText` and `TextChanges`. `taken` are the names of the document's other
 * schemas; a name that is taken gets a number behind it.
 */
export function createAssetSchemas(catalog: Catalog, taken: readonly string[]): Record<string, JsonObject> {
  const components = createComponents([...taken, ...ownNames]);
  const fields = createFieldSchemas(catalog, components);
  const types = [...catalog.types.values()];
  const stored = types.map((type) =>
    components.refer(`type ${type.name}`, type.name, () => storedSchema(type, fields)),
  );
  const added = types.map((type) =>
    components.refer(`new ${type.name}`, `New${type.name}`, () => newSchema(type, fields)),
  );
  const changed = types.map((type) =>
    components.refer(`changes ${type.name}`, `${type.name}Changes`, () => changesSchema(type, fields)),
  );
  return {
    Asset: {
      description: 'One stored document; `_type` says of which content type.',
      oneOf: stored,
      discriminator: discriminate(stored, (index) => namesOf(types[index]).slice(0, 1)),
      ...describeInterfaces(catalog),
    },
    NewAsset: {
      description: 'An asset to create; `_type` says of which content type.',
      oneOf: added,
      discriminator: discriminate(added, (index) => namesOf(types[index])),
    },
    AssetChanges: { description: 'The fields to change; null clears an optional field.', anyOf: changed },
    ...components.make(),
  };
}

/** The last is none of these schemas, but what clients in TypeScript write their lists with. */
const ownNames = ['Asset', 'NewAsset', 'AssetChanges', 'Array'];

/** OpenAPI has no word for interfaces, and a query may ask for all that implement one. */
function describeInterfaces(catalog: Catalog): JsonObject {
  const interfaces = [...catalog.interfaces.values()].map((one) => [
    one.class,
    { types: [...catalog.concrete(one)], fields: [...one.fields.keys()] },
  ]);
  return interfaces.length > 0 ? { 'x-interfaces': Object.fromEntries(interfaces) } : {};
}

function storedSchema(type: ContentType, { propertiesOf, requiredOf }: FieldSchemas): JsonObject {
  return {
    type: 'object',
    ...describe(type.description),
    required: ['_id', '_type', ...requiredOf(type.fields)],
    properties: {
      _id: { type: 'string', format: 'uuid', description: "The asset's UUID." },
      _type: { type: 'string', const: type.class },
      ...propertiesOf(type.fields, 'stored'),
    },
    additionalProperties: false,
  };
}

function newSchema(type: ContentType, { propertiesOf, requiredOf }: FieldSchemas): JsonObject {
  return {
    type: 'object',
    description: `A new asset of the type ${type.name}.`,
    required: ['_type', ...requiredOf(type.fields)],
    properties: {
      _id: { type: 'string', format: 'uuid', description: 'A UUID that no asset has yet.' },
      _type: { type: 'string', enum: namesOf(type) },
      ...propertiesOf(type.fields, 'input'),
    },
    additionalProperties: false,
  };
}

function changesSchema(type: ContentType, { propertiesOf }: FieldSchemas): JsonObject {
  return {
    type: 'object',
    description: `Changes of an asset of the type ${type.name}.`,
    properties: {
      _id: { type: 'string', format: 'uuid', description: 'As it is; it cannot be changed.' },
      _type: { type: 'string', enum: namesOf(type), description: 'As it is; it cannot be changed.' },
      ...propertiesOf(type.fields, 'input'),
    },
    additionalProperties: false,
  };
}

function namesOf(type: ContentType | undefined): string[] {
  return type ? [type.class, type.id] : [];
}

function discriminate(refs: readonly Ref[], namesAt: (index: number) => readonly string[]): JsonObject {
  const mapping = refs.flatMap(({ $ref }, index) => namesAt(index).map((name) => [name, $ref]));
  return { propertyName: '_type', mapping: Object.fromEntries(mapping) };
}
