/**
 * Reads the content types of a bundled CMA document back from its schemas: their request and response schemas, and a catalog with
 * which `query/evaluate.ts` computes the expected results of predicates.
 *
 * IDs and texts look the same in a schema, so it reads both as texts; predicates treat them alike.
 */

import { createCatalog } from '../../model/catalog.ts';
import type {
  Catalog,
  ContentType,
  EmbeddedType,
  Field,
  Json,
  JsonObject,
  ScalarName,
  TypeCheck,
  ValueType,
} from '../../model/content-type.ts';
import { scalarNames, siteClass } from '../../model/content-type.ts';
import { scalars } from '../../model/values/scalars.ts';
import { mergeKinds } from '../../types/merge-kinds.ts';
import { readCheck } from '../../types/read-rules.ts';
import { type ContractDocument, objectOf, type Schema } from './contract-document.ts';

/** One content type, with the pointers to its schemas. */
export interface DocumentedType {
  readonly class: string;
  /** Its type ID; absent when the document has none. */
  readonly id?: string;
  /** The schema of an asset in responses. */
  readonly stored: string;
  /** The schema of an asset to create. */
  readonly added: string;
  /** The schema of changes. */
  readonly changed: string;
  readonly fields: ReadonlyMap<string, Field>;
  /** The fields of each key that consists of several. */
  readonly keys: readonly (readonly string[])[];
  /** What must hold for values together. */
  readonly checks: readonly TypeCheck[];
}

/** An interface that a query may name, for all its implementations. */
export interface DocumentedInterface {
  readonly class: string;
  readonly types: readonly DocumentedType[];
  /** The names of its fields. */
  readonly fields: readonly string[];
}

export interface DocumentedTypes {
  readonly types: readonly DocumentedType[];
  readonly interfaces: readonly DocumentedInterface[];
  readonly catalog: Catalog;
}

/**
 * Reads the content types of a bundled document; none when it was not bundled. `alsoRequired` are fields that the instance
 * requires beyond its document.
 */
export function readContentTypes(
  document: ContractDocument,
  alsoRequired: readonly string[] = [],
): DocumentedTypes {
  const reader = createFieldReader(document, alsoRequired);
  const stored = document.at('#/components/schemas/Asset');
  const types = schemasOf(stored).map((pointer) => {
    const { const: className } = objectOf(objectOf(document.at(pointer).properties)._type);
    const type = String(className);
    const added = findFor(document, type, '#/components/schemas/AssetCreate');
    const id = namesOf(document, added).find((name) => name !== type);
    return {
      class: type,
      ...(id === undefined ? {} : { id }),
      stored: pointer,
      added,
      changed: findFor(document, type, '#/components/schemas/AssetUpdate'),
      fields: withDefaults(reader.fieldsOf(document.at(pointer)), document.at(added)),
      keys: keysOf(document.at(pointer)),
      checks: [],
    };
  });
  const interfaces = Object.entries(objectOf(stored['x-interfaces'])).map(([className, node]) => ({
    class: className,
    types: types.filter((type) => textsOf(objectOf(node).types).includes(type.class)),
    fields: textsOf(objectOf(node).fields),
  }));
  const catalog = createCatalog(types.map(toContentType));
  const withChecks = types.map((type) => ({
    ...type,
    checks: checksOf(document.at(type.stored), { type: type.class, catalog }),
  }));
  return { types: withChecks, interfaces, catalog };
}

/** Reads the rules for values together. Those that cannot be read are left to the server. */
function checksOf(schema: Schema, { type, catalog }: { type: string; catalog: Catalog }): TypeCheck[] {
  const rules = schema['x-checks'];
  return (Array.isArray(rules) ? rules : [])
    .map((rule) => readCheck(catalog, type, objectOf(rule)))
    .filter((check) => typeof check !== 'string');
}

/** The classes that a reference may point to, or `undefined` when the schema is not of a reference. */
export function targetsOf(schema: Schema): readonly string[] | undefined {
  const { _ref: ref, _type: type } = objectOf(schema.properties);
  const names = objectOf(type).enum;
  return ref !== undefined && Array.isArray(names) ? names.map(String) : undefined;
}

/** Reads the keys that consist of several fields. */
function keysOf(schema: Schema): string[][] {
  const keys = schema['x-unique-keys'];
  return Array.isArray(keys) ? keys.map(textsOf) : [];
}

function toContentType({ class: className, id = '', fields, keys }: DocumentedType): ContentType {
  return {
    kind: 'object',
    class: className,
    id,
    name: className,
    fields,
    interfaces: [],
    formerClasses: [],
    dropped: [],
    checks: [],
    conditionalKeys: [],
    inverses: [],
    keys,
  };
}

/** Adds the defaults of fields, which are in the schema of an asset to create. */
function withDefaults(fields: ReadonlyMap<string, Field>, added: Schema): ReadonlyMap<string, Field> {
  const properties = objectOf(added.properties);
  return new Map(
    [...fields].map(([name, field]) => {
      const { default: value } = objectOf(properties[name]);
      return [name, value === undefined ? field : { ...field, default: value }];
    }),
  );
}

function schemasOf({ oneOf, anyOf }: JsonObject): string[] {
  const schemas = oneOf ?? anyOf;
  return Array.isArray(schemas) ? schemas.map((schema) => String(objectOf(schema).$ref)) : [];
}

function namesOf(document: ContractDocument, pointer: string): string[] {
  return textsOf(objectOf(objectOf(document.at(pointer).properties)._type).enum);
}

function textsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function findFor(document: ContractDocument, className: string, pointer: string): string {
  const schemas = schemasOf(document.at(pointer));
  return schemas.find((schema) => namesOf(document, schema).includes(className)) ?? pointer;
}

function createFieldReader(document: ContractDocument, alsoRequired: readonly string[]) {
  const embedded = new Map<string, EmbeddedType>();

  function fieldsOf(schema: Schema): Map<string, Field> {
    const isSite = objectOf(objectOf(schema.properties)._type).const === siteClass;
    const required = [...textsOf(schema.required), ...(isSite ? [] : alsoRequired)];
    const members = Object.entries(objectOf(schema.properties)).filter(
      ([name]) => name !== '_id' && name !== '_type',
    );
    return new Map(members.map(([name, member]) => [name, toField(name, member, required.includes(name))]));
  }

  function toField(name: string, node: Json, required: boolean): Field {
    const schema = document.follow(node);
    const list = schema.type === 'array';
    const value = list ? (schema.items ?? {}) : node;
    return {
      name,
      graphqlName: name,
      type: toValueType(value),
      list,
      required,
      constraint: {},
      formerNames: [],
      ...(schema['x-unique'] === true ? { indexed: { unique: true } } : {}),
      ...(objectOf(node)['x-on-delete'] === 'RESTRICT' ? { onDelete: 'RESTRICT' as const } : {}),
    };
  }

  function toValueType(node: Json): ValueType {
    const schema = document.follow(node);
    const name = String(objectOf(node).$ref ?? '');
    if (Array.isArray(schema.enum)) return { kind: 'enum', name, values: textsOf(schema.enum) };
    const targets = targetsOf(schema);
    if (targets) return { kind: 'reference', name, targets: [...targets].sort() };
    const kinds = schemasOf(schema);
    if (kinds.length > 0) return { kind: 'embedded', type: toBlocks(name, kinds) };
    if (schema.properties !== undefined) return { kind: 'embedded', type: toEmbedded(name, schema) };
    return { kind: 'scalar', scalar: scalarOf(schema) };
  }

  function toEmbedded(name: string, schema: Schema): EmbeddedType {
    const known = embedded.get(name);
    if (known) return known;
    const fields = new Map<string, Field>();
    const type: EmbeddedType = { name, fields, dropped: [] };
    // Registered before its fields are read, since a type may contain itself.
    embedded.set(name, type);
    for (const [member, field] of fieldsOf(schema)) fields.set(member, field);
    return type;
  }

  function toBlocks(name: string, pointers: readonly string[]): EmbeddedType {
    const known = embedded.get(name);
    if (known) return known;
    const fields = new Map<string, Field>();
    const kinds = new Map<string, EmbeddedType>();
    const type: EmbeddedType = { name, fields, kinds, dropped: [] };
    embedded.set(name, type);
    for (const pointer of pointers) {
      const schema = document.at(pointer);
      const [kind = pointer] = textsOf(objectOf(objectOf(schema.properties)._type).enum);
      kinds.set(kind, { ...toEmbedded(pointer, schema), name: kind });
    }
    for (const field of mergeKinds(type).shared) fields.set(field.name, field);
    return type;
  }

  return { fieldsOf };
}

/** The scalar whose values have this schema; the first of those that look alike. */
const scalarOf = (schema: Schema): ScalarName =>
  scalarNames.find((name) =>
    (['type', 'format', 'contentMediaType'] as const).every(
      (key) => scalars[name].jsonSchema[key] === schema[key],
    ),
  ) ?? 'JSON';
