/**
 * Generates the typed client: a package as it is published, compiled and without dependencies.
 *
 * openapi-ts makes the types and the calls of both APIs from their documents; `src/client/` is what is written by hand.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../base/package-root.ts';
import { followReference, listOperations, mapDocument } from '../../documents/document-parts.ts';
import { documentedCmaPath, type OpenApiDocument } from '../../documents/openapi-document.ts';
import type { Catalog, Json, JsonObject } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import { compileTypeScript } from '../compile-typescript.ts';
import { type GeneratedFiles, type Generator, generatedNotice, readFiles } from '../generated-files.ts';
import { type ClientSource, defaultClientName, manifestName } from './client-folder.ts';
import { clientReadme } from './client-readme.ts';
import { generateQueryableTypes } from './queryable-types.ts';
import { generateRouteModules } from './route-modules.ts';
import { runOpenApiTs } from './run-openapi-ts.ts';

/** Makes `client/`. */
export const generateClient: Generator = async ({ version, catalog, bundledCma, admin, endpoints }) => {
  const sources = new Map([
    // First, so that the generated modules replace their stand-ins.
    ...[...readFiles(clientRoom)].filter(([path]) => path.endsWith('.ts')),
    ...withQueryableTypes(catalog, await generateCmaCalls(uniteBodies(splitReferences(bundledCma)))),
    ['cma/operations.gen.ts', operationsModule(bundledCma)],
    ...(await generateCalls(admin, { folder: 'admin', containerName: 'AdminClient' })),
    ...(endpoints ? await generateRouteModules(endpoints) : []),
  ]);
  const compiled = [...compileTypeScript(sources)].map(([path, text]) => [path, withNotice(text)] as const);
  return new Map([
    ...inFolder('client/lib', new Map(compiled)),
    ...inFolder('client', clientPackageFiles({ version, catalog, hasRoutes: endpoints !== undefined })),
  ]);
};

/** The hand-written half of the client and its manifest. A module stands in there for each generated one that others import. */
const clientRoom = join(packageRoot, 'src/client');

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

/** Generates the files of the package, by path below its folder. */
export async function makeOwnClient({ input, name }: ClientSource): Promise<GeneratedFiles> {
  const files = await generateClient(input);
  return new Map(
    [...files].map(([path, text]) => {
      const below = path.replace(/^client\//, '');
      return [below, namingFiles.includes(below) ? text.replaceAll(defaultClientName, () => name) : text];
    }),
  );
}

/** The files that contain the package's name. */
const namingFiles = [manifestName, 'README.md'];

/** Returns a document in which each reference with `_by` is one of two objects: the compiler demands exactly one then. */
const splitReferences = (document: OpenApiDocument) => mapDocument(document, splitSchema);

function splitSchema(schema: JsonObject): JsonObject {
  if (!isJsonObject(schema.properties)) return schema;
  const { _ref: ref, _by: by, _type: type } = schema.properties;
  if (ref === undefined || by === undefined || type === undefined) return schema;
  const { description = '' } = schema;
  const alternative = (name: string, member: Json) => ({
    type: 'object',
    required: [name, '_type'],
    properties: { [name]: member, _type: type },
    additionalProperties: false,
  });
  return { description, oneOf: [alternative('_ref', ref), alternative('_by', by)] };
}

/** Returns a document in which a body of several JSON types has one of their schemas: openapi-ts reads the first type alone. */
const uniteBodies = (document: OpenApiDocument) => mapDocument(document, uniteBody);

function uniteBody(operation: JsonObject): JsonObject {
  const { requestBody: body } = operation;
  if (!isJsonObject(body) || !isJsonObject(body.content)) return operation;
  const types = Object.entries(body.content).filter(([type]) => /[/+]json$/.test(type));
  const [first] = types;
  if (first === undefined || types.length === 1) return operation;
  const oneOf = types.map(([, media]) => (isJsonObject(media) ? (media.schema ?? {}) : {}));
  return { ...operation, requestBody: { ...body, content: { [first[0]]: { schema: { oneOf } } } } };
}

/** Makes `cma/operations.gen.ts`: what a sender has to know of each operation. */
function operationsModule(cma: OpenApiDocument): string {
  const operations = listOperations(cma).map(({ operationId, method, path, parameters, responses }) => {
    const isKeyed = [parameters ?? []].flat().some(isKey);
    const request = {
      method: String(method).toUpperCase(),
      path,
      mediaTypes: successTypes(cma, responses),
      isKeyed,
    };
    return `    ${operationId}: ${JSON.stringify(request)},`;
  });
  return `// ${generatedNotice}

/** The base path of the content management API, unless an installation has another. */
export const basePath = '${documentedCmaPath}';

/** The operations: their methods and paths, the media types of their successes, and whether they document an \`Idempotency-Key\`. */
export const operations = {
${operations.join('\n')}
} as const;
`;
}

const isKey = (parameter: Json) =>
  Object(parameter).in === 'header' && String(Object(parameter).name).toLowerCase() === 'idempotency-key';

/** Lists the media types of the successes of an operation, without parameters. */
function successTypes(document: OpenApiDocument, responses: Json | undefined): string[] {
  const contents = Object.entries<Json>(Object(responses))
    .filter(([status]) => /^(2|default)/.test(status))
    .flatMap(([, response]) => Object.keys(Object(followReference(document, response).content)));
  return [...new Set(contents.map((type) => type.replace(/\s*;.*/, '').toLowerCase()))];
}

/** The properties in which packages differ; `hasRoutes` tells whether it has the routes of REST endpoints. */
interface ClientPackage {
  readonly version: string;
  readonly catalog: Catalog;
  readonly hasRoutes: boolean;
}

/** Generates the files beside `lib/`, which holds the client's modules. */
function clientPackageFiles(client: ClientPackage): GeneratedFiles {
  return new Map([
    ['package.json', `${JSON.stringify(manifest(client), null, 2)}\n`],
    ['README.md', clientReadme(client)],
    ['LICENSE', readFileSync(join(packageRoot, 'LICENSE'), 'utf8')],
  ]);
}

/** The manifest of the package: what `src/client/package.json` says of it, with the compiled modules as entry points. */
function manifest({ version, hasRoutes }: ClientPackage) {
  const { name, private: _, ...source } = JSON.parse(readFileSync(join(clientRoom, 'package.json'), 'utf8'));
  const entries = ['index', 'admin', 'operations', ...(hasRoutes ? ['routes'] : [])].map((name) => [
    name === 'index' ? '.' : `./${name}`,
    { types: `./lib/${name}.d.ts`, default: `./lib/${name}.js` },
  ]);
  return { name, version, ...source, exports: Object.fromEntries(entries), files: ['lib'] };
}
