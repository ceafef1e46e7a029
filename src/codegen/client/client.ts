/**
 * Generates the typed client: a package as it is published, compiled and without dependencies.
 *
 * openapi-ts makes the types and the calls of both APIs from their documents; `src/client/` is what is written by hand.
 */
import type { OpenApiDocument } from '../../documents/openapi-document.ts';
import type { Catalog } from '../../model/content-type.ts';
import { compileTypeScript } from '../compile-typescript.ts';
import { type GeneratedFiles, type Generator, generatedNotice } from '../generated-files.ts';
import { clientPackageFiles } from './client-package.ts';
import { readClientSources } from './client-sources.ts';
import { generateCmaModules } from './cma-modules.ts';
import { generateQueryableTypes } from './queryable-types.ts';
import { splitReferences } from './reference-alternatives.ts';
import { generateRouteModules } from './route-modules.ts';
import { runOpenApiTs } from './run-openapi-ts.ts';

/** Makes `client/`. */
export const generateClient: Generator = async ({ version, catalog, bundledCma, admin, endpoints }) => {
  const sources = new Map([
    // First, so that the generated modules replace their stand-ins.
    ...readClientSources(),
    ...withQueryableTypes(catalog, await generateCmaCalls(splitReferences(bundledCma))),
    ...generateCmaModules({ cma: bundledCma, catalog }),
    ...(await generateCalls(admin, { folder: 'admin', containerName: 'AdminClient' })),
    ...(endpoints ? await generateRouteModules(endpoints) : []),
  ]);
  const compiled = [...compileTypeScript(sources)].map(([path, text]) => [path, withNotice(text)] as const);
  return new Map([
    ...inFolder('client/lib', new Map(compiled)),
    ...inFolder('client', clientPackageFiles({ version, catalog, hasRoutes: endpoints !== undefined })),
  ]);
};

/** The calls of the content management API. They always throw, since the types of openapi-ts do not know the client's error classes. */
async function generateCmaCalls(document: OpenApiDocument): Promise<[string, string][]> {
  const files = await generateCalls(document, { folder: 'cma', containerName: 'Operations' });
  const throwing = (text: string) =>
    text.replaceAll('ThrowOnError extends boolean = false', 'ThrowOnError extends true = true');
  return files.map(([path, text]) => [path, path === 'cma/sdk.gen.ts' ? throwing(text) : text]);
}

/** The types, with what predicates can ask of them. */
function withQueryableTypes(catalog: Catalog, modules: [string, string][]): [string, string][] {
  const path = 'cma/types.gen.ts';
  const types = modules.find(([name]) => name === path)?.[1] ?? '';
  const { fields, constants } = generateQueryableTypes(catalog, types);
  return [...modules, [path, types + constants], ['cma/fields.gen.ts', fields]];
}

/** The calls of an API as the methods of a class; all APIs share the fetch client of openapi-ts, in `http/`. */
async function generateCalls(
  document: OpenApiDocument,
  { folder, containerName }: { readonly folder: string; readonly containerName: string },
): Promise<[string, string][]> {
  const files = await runOpenApiTs(document, [
    '@hey-api/typescript',
    '@hey-api/client-fetch',
    {
      name: '@hey-api/sdk',
      // Our clients send credentials with every request.
      auth: false,
      operations: { strategy: 'single', containerName, methodName: { casing: 'preserve' } },
    },
  ]);
  return [...files]
    .filter(([path]) => path !== 'index.ts')
    .map(([path, text]) =>
      /^(client|core)\//.test(path)
        ? [`http/${path}`, text]
        : [`${folder}/${path}`, text.replace(/(?<=from '\.)(?=\/(client|core)\/)/g, './http')],
    );
}

function inFolder(folder: string, files: GeneratedFiles): [string, string][] {
  return [...files].map(([path, text]) => [`${folder}/${path}`, text]);
}

/** The compiler drops the notice of a module whose first statement it drops. */
function withNotice(text: string): string {
  const notice = `// ${generatedNotice}\n`;
  return text.startsWith(notice) ? text : notice + text;
}
