/** Package manifests: each lists the packages that its sources import, and the published one those needed at run time. */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { externalPackages, serverEntries } from '../../build-server.ts';
import { packageRoot } from '../../src/base/package-root.ts';
import { readSourceFiles } from './source-files.ts';

interface Manifest {
  readonly name: string;
  readonly workspaces: readonly string[];
  readonly dependencies?: Versions;
  readonly devDependencies?: Versions;
  readonly peerDependencies?: Versions;
}
type Versions = Readonly<Record<string, string>>;

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(packageRoot, folder, 'package.json'), 'utf8'));
const root = readManifest('.');
const workspaces = root.workspaces.map((folder) => ({ folder, ...readManifest(folder) }));

const sources = readSourceFiles();
const isIn = (path: string, folder: string) => `src/${path}`.startsWith(`${folder}/`);
const importedBy = (paths: (path: string) => boolean) =>
  new Set(
    sources
      .filter(({ path }) => paths(path))
      .flatMap(({ packages }) => packages)
      .filter((name) => !name.startsWith('node:')),
  );

describe.each(workspaces)('$folder', ({ folder, dependencies, devDependencies }) => {
  const listed = { ...dependencies, ...devDependencies };

  it('lists every package that its sources import', () => {
    const missing = [...importedBy((path) => isIn(path, folder))].filter((name) => !(name in listed));
    expect(missing).toEqual([]);
  });

  it('uses the same versions as the other manifests', () => {
    const others = [root, ...workspaces].map((other) => ({
      ...other.dependencies,
      ...other.devDependencies,
    }));
    const different = Object.entries(listed).filter(([name, version]) =>
      others.some((other) => name in other && other[name] !== version),
    );
    expect(different).toEqual([]);
  });
});

describe('the published package', () => {
  const bundled = new Set<string>();
  const addImports = (path: string): void => {
    if (bundled.has(path)) return;
    bundled.add(path);
    for (const file of sources.find((source) => source.path === path)?.loadedFiles ?? []) addImports(file);
  };
  for (const entry of Object.values(serverEntries)) addImports(relative('src', entry));

  it('depends on the packages that its bundle lacks; those of some commands are optional, those in the bundle development tools', () => {
    const imported = [...importedBy((path) => bundled.has(path))].filter((name) => name !== root.name);
    const isExternal = (name: string) => externalPackages.includes(name);
    const installed = { ...root.dependencies, ...root.peerDependencies };
    expect(imported.filter((name) => isExternal(name) !== name in installed)).toEqual([]);
    expect(imported.filter((name) => !isExternal(name) && !(name in { ...root.devDependencies }))).toEqual(
      [],
    );
    expect(Object.keys(root.dependencies ?? {}).filter((name) => !imported.includes(name))).toEqual([]);
  });
});
