/**
 * Generates the typed client: a package as it is published, compiled and without dependencies.
 *
 * openapi-ts makes the types from the documents, and the calls of the admin API; `src/client/` is what is written by hand.
 */
import type { OpenApiDocument } from '../../documents/openapi-document.ts';
import type { Catalog } from '../../model/content-type.ts';
import { ClientSourceError, compileTypeScript, listMembers } from '../compile-typescript.ts';
import { type GeneratedFiles, type Generator, generatedNotice } from '../generated-files.ts';
import { listOperations } from '../request-schemas.ts';
import { clientPackageFiles } from './client-package.ts';
import { readClientSources } from './client-sources.ts';
import { generateCmaModules } from './cma-modules.ts';
import { generateQueryableTypes } from './queryable-types.ts';
import { splitReferences } from './reference-alternatives.ts';
import { generateRouteModules } from './route-modules.ts';
import { runOpenApiTs } from './run-openapi-ts.ts';

/** Makes `client/`. */
export const generateClient: Generator = async ({ version, catalog, bundledCma, admin, endpoints }) => {
  const written = readClientSources();
  assertFunctions(bundledCma, written);
  const sources = new Map([
    // First, so that the generated modules replace their stand-ins.
    ...written,
    ...withQueryableTypes(catalog, await generateCmaTypes(splitReferences(bundledCma))),
    ...generateCmaModules({ cma: bundledCma, catalog }),
    ...(await generateAdminCalls(admin)),
    ...(endpoints ? await generateRouteModules(endpoints) : []),
  ]);
  const compiled = [...compileTypeScript(sources)].map(([path, text]) => [path, withNotice(text)] as const);
  return new Map([
    ...inFolder('client/lib', new Map(compiled)),
    ...inFolder('client', clientPackageFiles({ version, catalog, hasRoutes: endpoints !== undefined })),
  ]);
};

/** Checks that the client declares a function for each operation. Errors: ClientSourceError, with the files to add it to. */
function assertFunctions(cma: OpenApiDocument, sources: GeneratedFiles): void {
  const source = sources.get('cma-client.ts') ?? '';
  const declared = new Set(
    ['CmaClient', 'ContentFunctions'].flatMap((name) => [...listMembers(source, name)]),
  );
  const missing = listOperations(cma)
    .map(({ operationId }) => String(operationId))
    // `queryAssets` sends the query in a body if it is too long for a URL.
    .filter((id) => !declared.has(id) && id !== 'postAssetQuery');
  if (missing.length === 0) return;
  throw new ClientSourceError(
    `The client has no function for ${missing.join(', ')}: add it to src/client/create-client.ts, and its type to src/client/cma-client.ts`,
  );
}

async function generateCmaTypes(document: OpenApiDocument): Promise<[string, string][]> {
  const files = await runOpenApiTs(document, ['@hey-api/typescript']);
  return [...files].filter(([path]) => path === 'types.gen.ts').map(([path, text]) => [`cma/${path}`, text]);
}

/** The types, with what predicates can ask of them. */
function withQueryableTypes(catalog: Catalog, modules: [string, string][]): [string, string][] {
  const path = 'cma/types.gen.ts';
  const types = modules.find(([name]) => name === path)?.[1] ?? '';
  const { fields, constants } = generateQueryableTypes(catalog, types);
  return [...modules, [path, types + constants], ['cma/fields.gen.ts', fields]];
}

/** The calls of the admin API, and the fetch client of openapi-ts beneath them. */
async function generateAdminCalls(document: OpenApiDocument): Promise<[string, string][]> {
  const files = await runOpenApiTs(document, [
    '@hey-api/typescript',
    '@hey-api/client-fetch',
    { name: '@hey-api/sdk', operations: { strategy: 'single', containerName: 'AdminClient' } },
  ]);
  return [...files].map(([path, text]) => [`admin/${path}`, text]);
}

function inFolder(folder: string, files: GeneratedFiles): [string, string][] {
  return [...files].map(([path, text]) => [`${folder}/${path}`, text]);
}

/** The compiler drops the notice of a module whose first statement it drops. */
function withNotice(text: string): string {
  const notice = `// ${generatedNotice}\n`;
  return text.startsWith(notice) ? text : notice + text;
}
