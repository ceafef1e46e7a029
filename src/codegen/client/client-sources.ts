/**
 * The hand-written half of the client, `src/client/`, as modules of the package.
 *
 * In the repository, a module there stands in for each generated one that the others import. So they import the same names here
 * and in the package, where the generated modules replace the stand-ins.
 */
import { join } from 'node:path';
import { packageRoot } from '../../base/package-root.ts';
import { type GeneratedFiles, readFiles } from '../generated-files.ts';

/** The package of the client in the repository: its manifest and its modules. */
export const clientRoom = join(packageRoot, 'src/client');

/** Reads the modules, stand-ins included. */
export function readClientSources(): GeneratedFiles {
  return new Map([...readFiles(clientRoom)].filter(([path]) => path.endsWith('.ts')));
}
