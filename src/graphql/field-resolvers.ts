/**
 * Resolves the fields of assets and of the values embedded in them: by JSON name, references by loading their targets.
 */
import { GraphQLError } from 'graphql';
import type { Catalog, ContentType, EmbeddedType, Field, Json, JsonObject } from '../model/content-type.ts';
import { isJsonObject } from '../model/validate-asset.ts';
import type { Resolver, TypeResolvers } from './resolver-map.ts';
import type { RunContext } from './run-context.ts';
import { findValueTypes } from './value-types.ts';

/** Makes the resolvers of all content types and embedded types, by GraphQL name. */
export function createFieldResolvers({ types }: Catalog): Map<string, TypeResolvers> {
  const contentTypes = [...types.values()];
  const embedded = [...findValueTypes(contentTypes).values()].flatMap((type) =>
    type.kind === 'embedded' ? [type.type] : [],
  );
  return new Map([...contentTypes, ...embedded].map((type) => [type.name, resolversOf(type)]));
}

function resolversOf({ name, fields }: ContentType | EmbeddedType): TypeResolvers {
  return new Map([...fields.values()].map((field) => [field.graphqlName, resolverOf(field, name)]));
}

function resolverOf(field: Field, typeName: string): Resolver {
  if (field.type.kind === 'reference') return resolveReference(field, new Set(field.type.targets));
  if (!field.required) return (source) => memberOf(source, field.name);
  // A field may have become required after the asset was written.
  const missing = `${typeName}.${field.graphqlName} is required, but this one has none`;
  return (source) => {
    const value = memberOf(source, field.name);
    if (value === null) throw new GraphQLError(missing);
    return value;
  };
}

function resolveReference({ name, list }: Field, targets: ReadonlySet<string>): Resolver {
  return (source, _, context) => {
    const value = memberOf(source, name);
    if (!list || !Array.isArray(value)) return loadTarget(value, targets, context);
    return Promise.all(value.map((item) => loadTarget(item, targets, context)));
  };
}

/** The asset referred to; null when it is not there, or has become another type than the field allows. */
async function loadTarget(
  value: Json,
  targets: ReadonlySet<string>,
  context: RunContext,
): Promise<JsonObject | null> {
  if (!isJsonObject(value) || typeof value._ref !== 'string') return null;
  const target = await context.targets.load(value._ref);
  return target && targets.has(target._type) ? target : null;
}

/** A field may be named like a member that every object inherits. */
function memberOf(source: JsonObject, name: string): Json {
  return Object.hasOwn(source, name) ? (source[name] ?? null) : null;
}
