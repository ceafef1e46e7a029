/**
 * The resolvers fit the SDL of the shipped content types. The compiler checks this in `npm run types`; a change of SDL that the
 * resolvers do not follow fails there, after `npm run codegen`.
 */
import { expectTypeOf, it } from 'vitest';
import type {
  MutationResolvers,
  QueryResolvers,
  Resolvers,
  ResolversParentTypes,
} from '../../../../generated/server/resolvers.ts';
import type { GraphqlEndpointDefinition } from '../../../../src/graphql/endpoints/graphql-endpoint.ts';
import type { CountedField, ListPage } from '../../../../src/graphql/resolvers/list-page.ts';
import type {
  CreateField,
  CreateResolver,
  DeleteField,
  DeleteResolver,
  FieldResolver,
  GetField,
  GetResolver,
  KeyField,
  KeyResolver,
  ListArguments,
  ListField,
  ListPageResolvers,
  ListResolver,
  UpdateField,
  UpdateResolver,
} from '../../../../src/graphql/resolvers/resolver-types.ts';
import type { FileUrlArguments, RunContext } from '../../../../src/graphql/resolvers/run-context.ts';
import type { Asset, Json, JsonObject, ScalarName } from '../../../../src/model/content-type.ts';
import type { FacetValue } from '../../../../src/query/facets.ts';
import type { FileFit, FileFormat } from '../../../../src/text/file-url.ts';

it('every field of Query has a resolver for its arguments and its result', () => {
  type Made = Record<GetField, GetResolver> & Record<KeyField, KeyResolver> & Record<ListField, ListResolver>;
  expectTypeOf<Made>().toExtend<QueryResolvers>();
  expectTypeOf<keyof QueryResolvers>().toEqualTypeOf<GetField | KeyField | ListField>();
  expectTypeOf<keyof Parameters<GetResolver>[1]>().toEqualTypeOf<'_id'>();
});

it('every field of Mutation has a resolver for its arguments and its result', () => {
  type Made = Record<CreateField, CreateResolver> &
    Record<UpdateField, UpdateResolver> &
    Record<DeleteField, DeleteResolver>;
  expectTypeOf<Made>().toExtend<MutationResolvers>();
  expectTypeOf<keyof MutationResolvers>().toEqualTypeOf<CreateField | UpdateField | DeleteField>();
  expectTypeOf<keyof Parameters<UpdateResolver>[1]>().toEqualTypeOf<'_id' | 'input'>();
  expectTypeOf<Parameters<CreateResolver>[1]['input']>().toExtend<JsonObject>();
});

it('lists have exactly the arguments that the resolver reads', () => {
  expectTypeOf<keyof ListArguments>().toEqualTypeOf<
    'filter' | 'where' | 'values' | 'sortBy' | 'offset' | 'limit' | 'cursor'
  >();
  expectTypeOf<NonNullable<ListArguments['limit']>>().toEqualTypeOf<
    GraphqlEndpointDefinition['defaultLimit']
  >();
});

it('every list type has the fields of a page', () => {
  expectTypeOf<ListPageResolvers>().toExtend<Resolvers['TextList']>();
  expectTypeOf<keyof ListPage>().toEqualTypeOf<keyof Resolvers['TextList']>();
});

it('the fields of stored assets are JSON for every type', () => {
  expectTypeOf<ResolversParentTypes[ScalarName]>().toExtend<Json>();
  expectTypeOf<Parameters<FieldResolver>[0]>().toExtend<JsonObject>();
  expectTypeOf<FieldResolver>().parameter(2).toEqualTypeOf<RunContext>();
  expectTypeOf<ResolversParentTypes['Article' | 'Page' | 'Content']>().toEqualTypeOf<Asset>();
});

it('the fields without resolvers are members of their parents', () => {
  type Read<Name extends 'ListFacet' | 'ListFacetValue'> = keyof Resolvers[Name];
  expectTypeOf<Read<'ListFacet'>>().toEqualTypeOf<keyof CountedField>();
  expectTypeOf<Read<'ListFacetValue'>>().toEqualTypeOf<keyof FacetValue>();
});

it('a file has the arguments that its address reads', () => {
  expectTypeOf<keyof FileUrlArguments>().toEqualTypeOf<'width' | 'height' | 'fit' | 'format'>();
  expectTypeOf<NonNullable<FileUrlArguments['fit']>>().toEqualTypeOf<Uppercase<FileFit>>();
  expectTypeOf<NonNullable<FileUrlArguments['format']>>().toEqualTypeOf<Uppercase<FileFormat>>();
});
