/**
 * The packages that make the client. They are optional peers of Colophon, since a server runs without them. A project that has another
 * TypeScript keeps them in a separate folder.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cannotGenerate } from '../../base/errors.ts';
import { packageRoot } from '../../base/package-root.ts';

const tools = ['@hey-api/openapi-ts', 'typescript'];

/**
 * Lets the generators load the packages, from the folder given or else from where Colophon is installed. Errors: cannot_generate, with the
 * commands that install what is missing.
 */
export function useClientTools(folder: string | undefined): void {
  const { devDependencies: tested } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
  const installed = tools.map((name) => ({ name, version: findInstalledVersion(name, folder) }));
  const missing = installed.filter(({ name, version }) => !isCompatible(version, tested[name]));
  if (missing.length > 0) throw cannotGenerate(adviceFor(missing, { tested, folder }));
  if (folder !== undefined) loadFrom(folder);
}

interface InstalledTool {
  readonly name: string;
  readonly version: string | undefined;
}

function adviceFor(
  missing: readonly InstalledTool[],
  {
    tested,
    folder,
  }: { readonly tested: Readonly<Record<string, string>>; readonly folder: string | undefined },
): string {
  const wanted = (names: readonly string[]) => names.map((name) => `${name}@${tested[name]}`).join(' ');
  const found = missing.flatMap(({ name, version }) => (version === undefined ? [] : `${name} ${version}`));
  if (folder === undefined && found.length === 0)
    return `it needs packages that are not installed here; run npm install --save-dev ${wanted(missing.map(({ name }) => name))}`;
  const place = folder ?? 'codegen-tools';
  const reason =
    found.length > 0 ? `it does not run on ${found.join(' and ')}` : `${place} lacks packages that it needs`;
  const option = folder === undefined ? `, and codegen with --tools ${place}` : '';
  return `${reason}; run npm install --prefix ${place} ${wanted(tools)}${option}`;
}

/** Finds the package's folder, since not every package lets its manifest be resolved. */
function findInstalledVersion(name: string, folder: string | undefined): string | undefined {
  const folders =
    folder === undefined
      ? (createRequire(import.meta.url).resolve.paths(name) ?? [])
      : [join(folder, 'node_modules')];
  const manifest = folders.map((folder) => join(folder, name, 'package.json')).find(existsSync);
  return manifest === undefined ? undefined : JSON.parse(readFileSync(manifest, 'utf8')).version;
}

/** Makes the packages resolve from a folder, also for each other. */
function loadFrom(folder: string): void {
  const from = resolve(folder, 'package.json');
  const [parentURL, typescript] = [from, createRequire(from).resolve('typescript')].map(
    (path) => pathToFileURL(path).href,
  );
  registerHooks({
    resolve(specifier, context, next) {
      // `require` looks beside the module that calls it, whatever the context says.
      if (specifier === 'typescript') return { url: String(typescript), shortCircuit: true };
      return next(specifier, specifier === '@hey-api/openapi-ts' ? { ...context, parentURL } : context);
    },
  });
}

/** Whether a version keeps what the tested one promises: the same major version, or before 1.0 the same minor version. */
function isCompatible(version: string | undefined, tested: string | undefined): boolean {
  const promise = (text = '') => /^(0\.\d+|\d+)\./.exec(text)?.[1];
  return version !== undefined && promise(version) === promise(tested);
}
