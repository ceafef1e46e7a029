/**
 * Writes everything under generated/, from openapi/ and graphql/: the one list of generators.
 *
 * `node codegen.ts` writes. `node codegen.ts --check` writes nothing and fails when a file differs, naming it. With `--types`
 * and `--out`, the same is made of another folder of content types, such as a typed client for them; what lies in such a
 * folder already is left there.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generateClient } from './src/codegen/client.ts';
import { findDrift, type Generator, runGenerators, writeFiles } from './src/codegen/generated-files.ts';
import { readInput } from './src/codegen/input.ts';
import { generateOpenApi } from './src/codegen/openapi-json.ts';
import { generateOperationTypes } from './src/codegen/operation-types.ts';
import { generateResolverTypes } from './src/codegen/resolver-types.ts';
import { generateSchema } from './src/codegen/schema-graphql.ts';

const generators: readonly Generator[] = [
  generateOpenApi,
  generateOperationTypes,
  generateSchema,
  generateResolverTypes,
  generateClient,
];

const { values: options } = parseArgs({
  options: { check: { type: 'boolean' }, types: { type: 'string' }, out: { type: 'string' } },
});
const folder = options.out ?? join(import.meta.dirname, 'generated');
const files = await runGenerators(generators, readInput(options.types));

if (options.check) {
  const drift = findDrift(files, folder);
  for (const { path, state } of drift) console.error(`${join(folder, path)} is ${state}`);
  if (drift.length > 0) console.error('Run npm run codegen and commit what it writes.');
  process.exitCode = drift.length > 0 ? 1 : 0;
} else {
  if (options.out === undefined) rmSync(folder, { recursive: true, force: true });
  writeFiles(files, folder);
}
