/**
 * What a bundle says of the packages in it: `LICENSES.txt` with their licenses, which ask for this, and `sbom.cdx.json`, a bill of materials
 * in CycloneDX. Both lie in the folder of the bundle, and follow from the modules that the bundler has put into it.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = import.meta.dirname;

const packageFolder = (name: string) => join(root, 'node_modules', name);

/** A package, as its package.json describes it. */
interface BundledPackage {
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

/** The members of a bundle's output that name its modules, as Rolldown and Rollup have them. */
type BundleOutput = Readonly<
  Record<string, { readonly type: string; readonly moduleIds?: readonly string[] }>
>;

/**
 * Creates the plugins of Vite that describe a bundle: `collect` for the bundles of workers, and `describe` for the pages, which writes the
 * files once all are there. `vite` is the folder of the Vite that builds it, which adds functions of its own under the name `\0vite/…`.
 */
export function describeBundle(vite = packageFolder('vite')) {
  const modules = new Set<string>();
  const generateBundle = (_options: object, output: BundleOutput) => {
    for (const { moduleIds = [] } of Object.values(output))
      for (const id of moduleIds) modules.add(id.replace(/^\0vite(?=\/)/, vite));
  };
  return {
    collect: { name: 'collect-packages', generateBundle },
    describe: {
      name: 'describe-packages',
      // The guide is rendered by a second bundle, which nobody gets.
      apply: (_config: object, { isSsrBuild }: { readonly isSsrBuild?: boolean }) => !isSsrBuild,
      generateBundle,
      writeBundle: ({ dir = '' }: { readonly dir?: string }) => writePackages(dir, { modules }),
    },
  };
}

/** Writes both files into the folder of a bundle, which belongs to the package in `owner`. `installed` are packages that npm installs beside it. */
export function writePackages(
  folder: string,
  {
    modules,
    installed = [],
    owner = root,
  }: { modules: Iterable<string>; installed?: readonly string[]; owner?: string },
): void {
  const bundled = findPackages(modules);
  const beside = installed.map((name) => readPackage(packageFolder(name)));
  if (bundled.length > 0) writeFileSync(join(folder, 'LICENSES.txt'), describeLicenses(bundled));
  writeFileSync(
    join(folder, 'sbom.cdx.json'),
    `${JSON.stringify(toBillOfMaterials(readPackage(owner), [...bundled, ...beside]), null, 1)}\n`,
  );
}

/** Finds the packages that modules belong to, in the order of their names. */
function findPackages(modules: Iterable<string>): BundledPackage[] {
  const folders = new Set([...modules].flatMap((id) => packageOf(id) ?? []));
  const found = new Map([...folders].map(readPackage).map((one) => [`${one.name}@${one.version}`, one]));
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each);
}

/** Returns the folder of the package that has a module; `undefined` for our own. */
function packageOf(id: string): string | undefined {
  const path = id.replace(/^\0rolldown(?=\/)/, packageFolder('rolldown')).replace(/^\0|\?.*$/g, '');
  return /^.*[\\/]node_modules[\\/](@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/.exec(path)?.[0];
}

function readPackage(folder: string): BundledPackage {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return { folder, name, version, license };
}

/** Lists packages with their licenses; those whose texts are the same stand together. */
function describeLicenses(packages: readonly BundledPackage[]): string {
  const byTexts = Map.groupBy(packages, readLicenses);
  const parts = [...byTexts].map(([texts, each]) => {
    const names = each.map(({ name, version, license }) => `${name} ${version}, license: ${license}\n`);
    return names.join('') + texts;
  });
  return parts.join(`\n${'-'.repeat(80)}\n\n`);
}

function readLicenses({ folder, name }: BundledPackage): string {
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|third-?party)/i.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8'));
  // Of Vite, only a few functions of its own are in a bundle.
  const own = name === 'vite' ? texts.map((text) => text.replace(/^# Licenses of bundled.*/ms, '')) : texts;
  return own.map((text) => `\n${text.trim()}\n`).join('');
}

/** Makes the bill of materials. It has neither a time nor a random number, so that equal bundles have equal ones. */
function toBillOfMaterials(owner: BundledPackage, packages: readonly BundledPackage[]) {
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', ...toComponent(owner) } },
    components: packages.map((one) => ({ type: 'library', ...toComponent(one) })),
  };
}

function toComponent({ name, version, license }: BundledPackage) {
  const [, group, own = name] = /^(@[^/]+)\/(.+)$/.exec(name) ?? [];
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return {
    'bom-ref': purl,
    ...(group && { group }),
    name: own,
    version,
    licenses: [{ expression: license }],
    purl,
  };
}
