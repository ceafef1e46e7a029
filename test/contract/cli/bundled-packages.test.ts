/** What bundles say of the packages in them, compared with the sources that their maps name. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';
import { buildServer, serverInput } from '../../../build-server.ts';
import { packageRoot } from '../../../src/base/package-root.ts';
import { temporaryFolder } from '../../support/opened.ts';

const folder = temporaryFolder();

interface BillOfMaterials {
  readonly components: readonly { readonly purl: string; readonly licenses: readonly unknown[] }[];
}

const readBill = (bundle: string): BillOfMaterials =>
  JSON.parse(readFileSync(join(bundle, 'sbom.cdx.json'), 'utf8'));
const listed = (bundle: string) => readBill(bundle).components.map(({ purl }) => purl);

/** Finds the packages of sources, by their package.json, as the bill of materials names them. */
function packagesOf(sources: Iterable<string>): string[] {
  const found = new Set<string>();
  for (const source of sources) {
    const [within] = /^.*node_modules\/(@[^/]+\/)?[^/]+(?=\/)/.exec(source) ?? [];
    if (within === undefined || !existsSync(join(within, 'package.json'))) continue;
    const { name, version } = JSON.parse(readFileSync(join(within, 'package.json'), 'utf8'));
    found.add(`pkg:npm/${name.replace('@', '%40')}@${version}`);
  }
  return [...found].sort();
}

/** Reads the sources of the maps in a folder. */
function sourcesIn(bundle: string): Set<string> {
  const maps = readdirSync(bundle, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.map'),
  );
  const sources = maps.flatMap((name) => {
    const path = join(bundle, name);
    const { sources: named }: { sources: string[] } = JSON.parse(readFileSync(path, 'utf8'));
    return named.map((source) => resolve(path, '..', source));
  });
  return new Set(sources);
}

const bundlers = /^pkg:npm\/(rolldown|vite)@/;

it('those of the server are all that it was bundled from, with their licenses', async () => {
  const bundle = join(folder, 'server');
  await buildServer(bundle);
  const again = await rolldown(serverInput);
  await again.write({ dir: join(folder, 'mapped'), format: 'cjs', sourcemap: true });
  await again.close();
  const names = listed(bundle).filter((purl) => !bundlers.test(purl));
  expect(names.sort()).toEqual(packagesOf(sourcesIn(join(folder, 'mapped'))));
  expectLicenses(bundle);
});

it('those of the admin UI are all that it was bundled from, workers included, with their licenses', () => {
  const bundle = join(folder, 'admin');
  const words = ['build', 'src/admin', '--sourcemap', '--logLevel', 'error', '--outDir', bundle];
  execFileSync(process.execPath, [join(packageRoot, 'node_modules/vite/bin/vite.js'), ...words], {
    cwd: packageRoot,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: 'inherit',
  });
  const names = listed(bundle);
  const sources = sourcesIn(bundle);
  expect([...sources].filter((source) => relative(packageRoot, source).startsWith('src/admin/'))).not.toEqual(
    [],
  );
  const taken = packagesOf(sources);
  expect(taken.length).toBeGreaterThan(100);
  expect(taken.filter((purl) => !names.includes(purl))).toEqual([]);
  // Modules whose code is empty, and styles, have no place in the maps.
  const unmapped = names.filter((purl) => !taken.includes(purl) && !bundlers.test(purl));
  expect(unmapped.length).toBeLessThan(10);
  expectLicenses(bundle);
});

function expectLicenses(bundle: string): void {
  const texts = readFileSync(join(bundle, 'LICENSES.txt'), 'utf8');
  for (const { purl, licenses } of readBill(bundle).components) {
    const named = decodeURIComponent(purl.replace('pkg:npm/', '')).replace(/@(?=[^@]*$)/, ' ');
    expect(texts).toContain(`${named}, license: `);
    expect(licenses).toEqual([{ expression: expect.stringMatching(/^[\w.() -]+$/) }]);
  }
}
