/**
 * Generates the types that resolvers of the GraphQL schema have, by GraphQL Code Generator.
 */
import { generate } from '@graphql-codegen/cli';
import { createSchemaSdl } from '../graphql/schema/build-schema.ts';
import { scalarNames } from '../model/content-type.ts';
import { scalars } from '../model/scalars.ts';
import { type Generator, generatedNotice } from './generated-files.ts';

/** Makes `server/resolvers.ts`. */
export const generateResolverTypes: Generator = async ({ catalog }) => {
  const [file] = await generate(
    {
      schema: createSchemaSdl(catalog),
      silent: true,
      generates: {
        'resolvers.ts': { plugins: ['typescript', 'typescript-resolvers'], config: pluginConfig },
      },
    },
    false,
  );
  return new Map([['server/resolvers.ts', `// ${generatedNotice}\n\n${file.content}`]]);
};

const pluginConfig = {
  contextType: 'unknown',
  enumsAsTypes: true,
  useTypeImports: true,
  strictScalars: true,
  scalars: {
    ...Object.fromEntries(scalarNames.map((name) => [name, scalars[name].typescript])),
    JSON: '../../src/model/content-type.ts#Json',
  },
};
