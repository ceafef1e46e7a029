/**
 * The types of resolvers, taken from those that are generated for the shipped content types. When the SDL of an argument, a parent
 * or a result changes and its resolver does not, the compiler says so.
 *
 * Resolvers are made at run time, for the types of any user. So a resolver takes the arguments of every field of its kind:
 * `CreateResolver` those of `createText`, `createArticle` and all others.
 */

import { type GraphQLFieldResolver, type GraphQLSchema, isAbstractType, isObjectType } from 'graphql';
import type {
  MutationResolvers,
  QueryResolvers,
  Resolvers,
  ResolversParentTypes,
} from '../../../generated/server/resolvers.ts';
import type { Asset, Catalog, Json, JsonObject } from '../../model/content-type.ts';
import { findValueTypes } from '../schema/value-types.ts';

/** The names of content types and of interfaces: each has a type for its lists. */
type ContentName = {
  [Name in keyof Resolvers]: `${Name}List` extends keyof Resolvers ? Name : never;
}[keyof Resolvers];

/** The names of types whose values are stored: assets, and values embedded in them. */
type StoredName = {
  [Name in keyof Resolvers]: ResolversParentTypes[Name] extends JsonObject ? Name : never;
}[keyof Resolvers];

/** The fields of `Query` and `Mutation` by kind; `root-names.ts` makes the same names at run time. */
export type GetField = Extract<keyof QueryResolvers, Uncapitalize<ContentName>>;
export type KeyField = Extract<keyof QueryResolvers, `${Uncapitalize<ContentName>}By`>;
export type ListField = Extract<keyof QueryResolvers, `${Uncapitalize<ContentName>}List`>;
export type CreateField = Extract<keyof MutationResolvers, `create${ContentName}`>;
export type UpdateField = Extract<keyof MutationResolvers, `update${ContentName}`>;
export type DeleteField = Extract<keyof MutationResolvers, `delete${ContentName}`>;

/** A resolver for any of several fields. */
type ResolverOf<Field extends AnyField, Result = ReturnType<Field>> = (
  parent: Parameters<Field>[0],
  args: Parameters<Field>[1],
  context: Parameters<Field>[2],
  info: Parameters<Field>[3],
) => Result;

type AnyField = (...args: never) => unknown;

/** Resolves a field that gets one asset, such as `text`. */
export type GetResolver = ResolverOf<QueryResolvers[GetField]>;
/** Resolves a field that finds one asset by a key, such as `articleBy`. */
export type KeyResolver = ResolverOf<QueryResolvers[KeyField]>;
/** Resolves a field that lists assets, such as `textList`. */
export type ListResolver = ResolverOf<QueryResolvers[ListField]>;
/** Resolves a field that creates an asset, such as `createText`. */
export type CreateResolver = ResolverOf<MutationResolvers[CreateField]>;
/** Resolves a field that updates an asset, such as `updateText`. */
export type UpdateResolver = ResolverOf<MutationResolvers[UpdateField]>;
/** Resolves a field that deletes an asset, such as `deleteText`. */
export type DeleteResolver = ResolverOf<MutationResolvers[DeleteField]>;

/** The arguments of a field that gets one asset. */
export type GetArguments = Parameters<GetResolver>[1];
/** The arguments of a field that finds one asset by a key. */
export type KeyArguments = Parameters<KeyResolver>[1];
/** The arguments of a field that lists assets. */
export type ListArguments = Parameters<ListResolver>[1];

/** Resolves a field of `@inverse`, which lists the assets that refer to its asset. The shipped types have none. */
export type InverseResolver = (
  source: Asset,
  args: ListArguments,
  context: Parameters<ListResolver>[2],
  info: Parameters<ListResolver>[3],
) => ReturnType<ListResolver>;

/** Resolves the fields of a page of assets, such as `TextList`. */
export type ListPageResolvers = {
  readonly [Field in keyof Resolvers[`${ContentName}List`]]: ResolverOf<
    Resolvers[`${ContentName}List`][Field]
  >;
};

/** Resolves the address of a file. */
export type FileUrlResolver = ResolverOf<Resolvers['File']['url'], string>;

type FieldsOf<Type> = Type extends unknown ? Type[Exclude<keyof Type, `__${string}`>] : never;

/** Resolves a stored field. Its JSON has the type of the field, which is known only at run time. */
export type FieldResolver = ResolverOf<FieldsOf<Resolvers[StoredName]>, Json | Promise<Json>>;

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
