/**
 * Generates the types that the resolvers of the GraphQL schema must have, with GraphQL Code Generator.
 *
 * The resolvers in `graphql/resolvers/` are created at run time from any catalog; these types, of the shipped content types,
 * check their arguments, parents and results.
 */
import { generate } from '@graphql-codegen/cli';
import { createSchemaSdl } from '../graphql/schema/build-schema.ts';
import { listTypeName } from '../graphql/schema/root-names.ts';
import { findValueTypes } from '../graphql/schema/value-types.ts';
import { type Catalog, scalarNames } from '../model/content-type.ts';
import { scalars } from '../model/values/scalars.ts';
import { type Generator, generatedNotice } from './generated-files.ts';
import { keepReachableTypes } from './keep-reachable-types.ts';

/** Generates `server/resolvers.ts`. */
export const generateResolverTypes: Generator = async ({ catalog }) => {
  const [file] = await generate(
    {
      schema: createSchemaSdl(catalog),
      silent: true,
      generates: {
        'resolvers.ts': {
          plugins: [
            'typescript',
            // Only results are immutable: inputs are JSON, whose lists the model leaves mutable.
            { 'typescript-resolvers': { immutableTypes: true } },
          ],
          config: { ...pluginConfig, mappers: parentTypes(catalog) },
        },
      },
    },
    false,
  );
  const types = keepReachableTypes(file.content, 'Resolvers');
  return new Map([['server/resolvers.ts', `// ${generatedNotice}\n\n${types}`]]);
};

const source = (path: string, name: string) => `../../src/${path}#${name}`;

const pluginConfig = {
  contextType: source('graphql/resolvers/run-context.ts', 'RunContext'),
  rootValueType: 'undefined',
  makeResolverTypeCallable: true,
  avoidOptionals: { resolvers: true, query: true, mutation: true },
  enumsAsTypes: true,
  useTypeImports: true,
  strictScalars: true,
  scalars: {
    ...Object.fromEntries(scalarNames.map((name) => [name, scalars[name].typescript])),
    JSON: source('model/content-type.ts', 'Json'),
  },
};

/** The parent types of resolvers, by GraphQL type: stored assets, pages that are loaded on demand, embedded values as JSON. */
function parentTypes({ types, interfaces }: Catalog): Record<string, string> {
  const asset = source('model/content-type.ts', 'Asset');
  const page = source('graphql/resolvers/list-page.ts', 'ListPage');
  const embedded = source('model/content-type.ts', 'JsonObject');
  const contentTypes = [...types.values(), ...interfaces.values()];
  return Object.fromEntries([
    ['Content', asset],
    ['ListFacet', source('graphql/resolvers/list-page.ts', 'CountedField')],
    ['ListFacetValue', source('query/facets.ts', 'FacetValue')],
    ...contentTypes.flatMap((type) => [
      [type.name, asset],
      [listTypeName(type), page],
    ]),
    ...[...findValueTypes(contentTypes)].flatMap(([name, { kind }]) =>
      kind === 'embedded' ? [[name, embedded]] : kind === 'reference' ? [[name, asset]] : [],
    ),
  ]);
}
