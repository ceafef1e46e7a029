/**
 * The files that make the client's modules a package: package.json, README and licence.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../base/package-root.ts';
import type { Catalog } from '../../model/content-type.ts';
import type { GeneratedFiles } from '../generated-files.ts';
import { clientReadme } from './client-readme.ts';
import { clientRoom } from './client-sources.ts';

/** The properties in which packages differ. */
export interface ClientPackage {
  readonly version: string;
  readonly catalog: Catalog;
  /** Whether it has the routes of REST endpoints. */
  readonly hasRoutes: boolean;
}

/** Generates the files beside `lib/`, which holds the client's modules. */
export function clientPackageFiles(client: ClientPackage): GeneratedFiles {
  return new Map([
    ['package.json', `${JSON.stringify(manifest(client), null, 2)}\n`],
    ['README.md', clientReadme(client)],
    ['LICENSE', readFileSync(join(packageRoot, 'LICENSE'), 'utf8')],
  ]);
}

/** The manifest of the package: what `src/client/package.json` says of it, with the compiled modules as entry points. */
function manifest({ version, hasRoutes }: ClientPackage) {
  const source = JSON.parse(readFileSync(join(clientRoom, 'package.json'), 'utf8'));
  const { name, description, license, type, sideEffects, engines } = source;
  return {
    name,
    version,
    description,
    license,
    type,
    sideEffects,
    engines,
    exports: {
      '.': { types: './lib/index.d.ts', default: './lib/index.js' },
      './admin': { types: './lib/admin.d.ts', default: './lib/admin.js' },
      './operations': { types: './lib/operations.d.ts', default: './lib/operations.js' },
      ...(hasRoutes ? { './routes': { types: './lib/routes.d.ts', default: './lib/routes.js' } } : {}),
    },
    files: ['lib'],
  };
}
