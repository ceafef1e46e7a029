/**
 * Bundles the program into `dist/main.js`, beside which npm installs the packages that it reads sources with, and those of the server's checks,
 * which are in the bundle. The SDL files of every catalog are beside it.
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { suppliedFiles } from '../model/types/supplied-files.ts';

const folder = import.meta.dirname;

const bundle = await rolldown({
  input: join(folder, 'main.ts'),
  platform: 'node',
  external: (id) => !/^[./]/.test(id),
});
await bundle.write({
  dir: join(folder, 'dist'),
  format: 'esm',
  chunkFileNames: '[name]-[hash].js',
});
await bundle.close();
for (const file of suppliedFiles)
  cpSync(join(folder, '../../graphql', file), join(folder, 'dist/graphql', file));
