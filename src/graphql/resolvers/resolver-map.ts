/**
 * Resolvers by the names of the types and fields they belong to.
 */
import { type GraphQLFieldResolver, type GraphQLSchema, isAbstractType, isObjectType } from 'graphql';
import type { Catalog, JsonObject } from '../../model/content-type.ts';
import { findValueTypes } from '../schema/value-types.ts';
import type {
  CreateResolver,
  DeleteResolver,
  FieldResolver,
  FileUrlResolver,
  GetResolver,
  InverseResolver,
  KeyResolver,
  ListPageResolvers,
  ListResolver,
  UpdateResolver,
} from './resolver-types.ts';

/** A resolver of any kind. */
export type Resolver =
  | GetResolver
  | KeyResolver
  | ListResolver
  | CreateResolver
  | UpdateResolver
  | DeleteResolver
  | InverseResolver
  | FileUrlResolver
  | ListPageResolvers[keyof ListPageResolvers]
  | FieldResolver;

/** The resolvers of one object type, by GraphQL name. */
export type TypeResolvers = ReadonlyMap<string, Resolver>;

/** Gives the fields of a schema that was built from SDL their resolvers, and interfaces and unions their types. */
export function attachResolvers(
  schema: GraphQLSchema,
  { resolvers, catalog }: { resolvers: ReadonlyMap<string, TypeResolvers>; catalog: Catalog },
): void {
  for (const [name, typeResolvers] of resolvers) {
    const type = schema.getType(name);
    if (!isObjectType(type)) throw new Error(`the schema has no type ${name}`);
    const fields = type.getFields();
    for (const [fieldName, resolve] of typeResolvers) {
      const field = fields[fieldName];
      if (!field) throw new Error(`${name} has no field ${fieldName}`);
      // The catalog is known only at run time. GraphQL calls each resolver as the schema written for the same catalog says; that
      // resolvers of every kind fit their fields, a test of types shows for the shipped catalog.
      field.resolve = resolve as GraphQLFieldResolver<unknown, unknown>;
    }
  }
  const values = findValueTypes([...catalog.types.values()]);
  const resolveAsset = ({ _type }: JsonObject) => catalog.types.get(String(_type))?.name;
  const resolveBlock = ({ _type }: JsonObject) => String(_type);
  for (const type of Object.values(schema.getTypeMap())) {
    const isBlock = values.get(type.name)?.kind === 'embedded';
    if (isAbstractType(type)) type.resolveType = isBlock ? resolveBlock : resolveAsset;
  }
}
