/**
 * Generates the GraphQL schema of all content types, and with GraphQL Code Generator the types that its resolvers must have.
 *
 * The resolvers in `graphql/resolvers/` are created at run time from any catalog; these types, of the shipped content types,
 * check their arguments, parents and results.
 */
import { generate } from '@graphql-codegen/cli';
import ts from 'typescript';
import { createSchemaSdl } from '../graphql/schema/build-schema.ts';
import { listTypeName } from '../graphql/schema/root-names.ts';
import { findValueTypes } from '../graphql/schema/value-types.ts';
import { type Catalog, scalarNames } from '../model/content-type.ts';
import { scalars } from '../model/values/scalars.ts';
import { parseModule } from './compile-typescript.ts';
import { type Generator, generatedNotice } from './generated-files.ts';

/** Generates `server/schema.graphql` and `server/resolvers.ts`. */
export const generateGraphql: Generator = async ({ catalog }) => {
  const schema = createSchemaSdl(catalog);
  const [file] = await generate(
    {
      schema,
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
  return new Map([
    ['server/schema.graphql', `# ${generatedNotice}\n\n${schema}`],
    ['server/resolvers.ts', `// ${generatedNotice}\n\n${types}`],
  ]);
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

/**
 * Keeps the types that `root` uses, directly or through others, and the imports that they need. GraphQL Code Generator always writes some
 * types, such as those of subscriptions, and no option turns them off.
 */
function keepReachableTypes(module: string, root: string): string {
  const { statements } = parseModule(module);
  const declarations = new Map(statements.filter(isDeclaration).map((one) => [one.name.text, one]));
  const kept = new Set([root]);
  // Iterating a set also visits members that are added meanwhile.
  for (const name of kept) for (const used of typesIn(declarations.get(name))) kept.add(used);
  const texts = statements.flatMap((statement) => {
    if (ts.isImportDeclaration(statement)) return importOf(statement, kept);
    return isDeclaration(statement) && !kept.has(statement.name.text) ? [] : statement.getFullText().trim();
  });
  return `${texts.join('\n\n')}\n`;
}

const isDeclaration = (node: ts.Node) => ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node);

/** Lists the names of types that a part of a module refers to. */
function typesIn(node: ts.Node | undefined): string[] {
  if (!node) return [];
  const name = ts.isTypeReferenceNode(node) ? node.typeName : undefined;
  return [...(name ? [name.getText()] : []), ...node.getChildren().flatMap(typesIn)];
}

/** Writes an import of the names that are kept; nothing without one. */
function importOf({ importClause, moduleSpecifier }: ts.ImportDeclaration, kept: ReadonlySet<string>) {
  const bindings = importClause?.namedBindings;
  const elements = bindings && ts.isNamedImports(bindings) ? [...bindings.elements] : [];
  const names = elements.map(({ name }) => name.text).filter((name) => kept.has(name));
  return names.length > 0 ? `import type { ${names.join(', ')} } from ${moduleSpecifier.getText()};` : [];
}
