/**
 * The hand-written half of the client, `src/client/`, as modules of the package.
 *
 * In the repository these modules import the generated half where it is committed, so that they are checked and tested as any
 * others; in the package both halves lie in one folder.
 */
import { join } from 'node:path';
import { packageRoot } from '../../base/package-root.ts';
import { type GeneratedFiles, readFiles } from '../generated-files.ts';

/** Reads the modules, their imports as they are in the package. */
export function readClientSources(): GeneratedFiles {
  const files = readFiles(join(packageRoot, 'src/client'));
  return new Map([...files].map(([path, text]) => [path, toPackageImports(text)]));
}

function toPackageImports(text: string): string {
  return text
    .replaceAll(`from '../../generated/client/lib/`, `from './`)
    .replaceAll(/from '(\.\/[^']+)\.ts'/g, `from '$1.js'`);
}
