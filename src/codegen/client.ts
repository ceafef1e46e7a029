/**
 * Generates the typed client: a package as it is published, compiled and without dependencies.
 *
 * openapi-ts makes the calls and their types from the bundled document; the entry module around them stands here.
 */
import { documentedCmaPath } from '../http/openapi-document.ts';
import { clientPackageFiles } from './client-package.ts';
import { compileTypeScript } from './compile-typescript.ts';
import { type GeneratedFiles, type Generator, generatedNotice } from './generated-files.ts';
import { runOpenApiTs } from './run-openapi-ts.ts';

/** Makes `client/`. */
export const generateClient: Generator = async ({ version, bundledCma }) => {
  const cma = await runOpenApiTs(bundledCma, [
    '@hey-api/typescript',
    '@hey-api/client-fetch',
    { name: '@hey-api/sdk', operations: { strategy: 'single', containerName: 'CmaClient' } },
  ]);
  const sources = new Map([...inFolder('cma', cma), ['index.ts', entryModule]]);
  const compiled = [...compileTypeScript(sources)].map(([path, text]) => [path, withNotice(text)] as const);
  return new Map([
    ...inFolder('client/lib', new Map(compiled)),
    ...inFolder('client', clientPackageFiles(version)),
  ]);
};

function inFolder(folder: string, files: GeneratedFiles): [string, string][] {
  return [...files].map(([path, text]) => [`${folder}/${path}`, text]);
}

/** The compiler drops the notice of a module whose first statement it drops. */
function withNotice(text: string): string {
  const notice = `// ${generatedNotice}\n`;
  return text.startsWith(notice) ? text : notice + text;
}

const entryModule = `import { createClient as createHttpClient, createConfig } from './cma/client/index.js';
import { CmaClient } from './cma/sdk.gen.js';

export type { CmaClient } from './cma/sdk.gen.js';
export type * from './cma/types.gen.js';

/** How to reach a server, and as which API client. */
export interface ClientOptions {
  /** The server's address, such as \`https://cms.example.com\`. */
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  /** The base path of the content management API, if it is not \`${documentedCmaPath}\`. */
  cmaPath?: string;
  /** Called in place of the global \`fetch\`. */
  fetch?: typeof globalThis.fetch;
}

/** Makes a client of the content management API; it does nothing until one of its methods is called. */
export function createClient({ baseUrl, clientId, clientSecret, cmaPath, fetch }: ClientOptions): CmaClient {
  const headers = { 'X-Client-Id': clientId, 'X-Client-Secret': clientSecret };
  const client = createHttpClient(createConfig({ baseUrl, headers, ...(fetch ? { fetch } : {}) }));
  if (cmaPath !== undefined) {
    client.interceptors.request.use((request, options) => {
      const url = request.url.replace('${documentedCmaPath}', () => cmaPath);
      return new Request(url, { ...options, headers: request.headers, body: options.serializedBody });
    });
  }
  return new CmaClient({ client });
}
`;
