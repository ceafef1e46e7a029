/**
 * Bundles the program into `dist/main.js`, beside which npm installs the packages that it reads sources with.
 */
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const bundle = await rolldown({
  input: join(import.meta.dirname, 'main.ts'),
  platform: 'node',
  external: (id) => !/^[./]/.test(id),
});
await bundle.write({
  dir: join(import.meta.dirname, 'dist'),
  format: 'esm',
  chunkFileNames: '[name]-[hash].js',
});
await bundle.close();
