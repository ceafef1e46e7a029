/**
 * Generates the typed client: a package as it is published, compiled and without dependencies.
 *
 * openapi-ts makes the calls and their types from the documents; the entry modules around them are in `client-entries.ts`.
 */
import type { OpenApiDocument } from '../http/openapi-document.ts';
import { adminEntry, cmaEntry } from './client-entries.ts';
import { clientPackageFiles } from './client-package.ts';
import { compileTypeScript } from './compile-typescript.ts';
import { type GeneratedFiles, type Generator, generatedNotice } from './generated-files.ts';
import { runOpenApiTs } from './run-openapi-ts.ts';

/** Makes `client/`. */
export const generateClient: Generator = async ({ version, bundledCma, admin }) => {
  const sources = new Map([
    ...(await generateCalls(bundledCma, { folder: 'cma', className: 'CmaClient' })),
    ...(await generateCalls(admin, { folder: 'admin', className: 'AdminClient' })),
    ['index.ts', cmaEntry],
    ['admin.ts', adminEntry],
  ]);
  const compiled = [...compileTypeScript(sources)].map(([path, text]) => [path, withNotice(text)] as const);
  return new Map([
    ...inFolder('client/lib', new Map(compiled)),
    ...inFolder('client', clientPackageFiles(version)),
  ]);
};

/** A document's calls in a folder of their own; what they are built on is the same for every document, and goes to `http/`. */
async function generateCalls(
  document: OpenApiDocument,
  { folder, className }: { folder: string; className: string },
): Promise<[string, string][]> {
  const files = await runOpenApiTs(document, [
    '@hey-api/typescript',
    '@hey-api/client-fetch',
    { name: '@hey-api/sdk', operations: { strategy: 'single', containerName: className } },
  ]);
  return [...files].map(([path, text]) =>
    /^(client|core)\//.test(path)
      ? [`http/${path}`, text]
      : [`${folder}/${path}`, text.replaceAll(/from '\.\/(client|core)\//g, "from '../http/$1/")],
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
