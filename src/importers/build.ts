/**
 * Bundles the program into `dist/main.js`, beside which npm installs the packages that it reads sources with, and those of the server's checks,
 * which are in the bundle. The SDL files of every catalog are beside it.
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { writePackages } from '../../bundled-packages.ts';
import { suppliedFiles } from '../types/supplied-files.ts';

const folder = import.meta.dirname;

const bundle = await rolldown({
  input: join(folder, 'main.ts'),
  platform: 'node',
  external: (id) => !/^[./]/.test(id),
});
const { output } = await bundle.write({
  dir: join(folder, 'dist'),
  format: 'esm',
  chunkFileNames: '[name]-[hash].js',
});
await bundle.close();
const chunks = output.filter((file) => file.type === 'chunk');
const imports = chunks.flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports]);
const names = imports.flatMap((id) => /^(?!node:)(?:@[^/]+\/)?[\w-]+(?=\/|$)/.exec(id)?.[0] ?? []);
writePackages(join(folder, 'dist'), {
  owner: folder,
  modules: chunks.flatMap(({ moduleIds }) => moduleIds),
  installed: [...new Set(names)].sort(),
});
for (const file of suppliedFiles)
  cpSync(join(folder, '../../graphql', file), join(folder, 'dist/graphql', file));
