/**
 * Writes everything under generated/, from openapi/ and graphql/: the one list of generators. All of it is committed, but of
 * validators/ only a hash.
 *
 * `node codegen.ts` writes. `node codegen.ts --check` writes nothing and fails when a file differs, naming it. With `--types`
 * and `--out`, the same is made of another folder of content types, such as a typed client for them; what lies in such a
 * folder already is left there. With `--endpoints`, a server's address or a file, the client has the routes of REST endpoints.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isDomainError } from './src/base/errors.ts';
import { generateClient } from './src/codegen/client/client.ts';
import { readEndpoints } from './src/codegen/client/read-endpoints.ts';
import { ClientSourceError } from './src/codegen/compile-typescript.ts';
import { findDrift, type Generator, runGenerators, writeFiles } from './src/codegen/generated-files.ts';
import { generateGraphql } from './src/codegen/graphql-types.ts';
import { readInput } from './src/codegen/input.ts';
import { generateOperationTypes } from './src/codegen/operation-types.ts';
import { generateRequestValidators } from './src/codegen/request-validators.ts';
import { generateOpenApi, readSpecifications } from './src/codegen/specifications.ts';
import { loadTypes } from './src/types/load-types.ts';
import { readTypeSources, shippedTypesFolder } from './src/types/type-sources.ts';

/** The compiler names the handlers that are missing in the server by these files, so they are written before the client is compiled. */
const serverGenerators: readonly Generator[] = [
  generateOpenApi,
  generateOperationTypes,
  generateGraphql,
  generateRequestValidators,
];

try {
  await generate(readOptions());
} catch (error) {
  // Expected failures speak for themselves: Colophon's own, and those of Node over words and files.
  const isExpected = isDomainError(error) || error instanceof ClientSourceError;
  if (!isExpected && !(error instanceof Error && 'code' in error)) throw error;
  console.error(`codegen: ${error.message}`);
  process.exitCode = 1;
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      check: { type: 'boolean' },
      types: { type: 'string' },
      out: { type: 'string' },
      endpoints: { type: 'string' },
      'client-id': { type: 'string', default: process.env.COLOPHON_CLIENT_ID ?? '' },
      'client-secret': { type: 'string', default: process.env.COLOPHON_CLIENT_SECRET ?? '' },
    },
  });
  return values;
}

async function generate(options: ReturnType<typeof readOptions>): Promise<void> {
  const folder = options.out ?? join(import.meta.dirname, 'generated');
  const endpoints =
    options.endpoints === undefined
      ? undefined
      : await readEndpoints({
          from: options.endpoints,
          clientId: options['client-id'],
          clientSecret: options['client-secret'],
        });
  const catalog = loadTypes(readTypeSources(options.types ?? shippedTypesFolder));
  const input = { ...readInput(catalog, readSpecifications()), ...(endpoints ? { endpoints } : {}) };
  if (options.check) {
    const files = await runGenerators([...serverGenerators, generateClient], input);
    const drift = findDrift(files, folder);
    for (const { path, state } of drift) console.error(`${join(folder, path)} is ${state}`);
    if (drift.length > 0) console.error('Run npm run codegen and commit what it writes.');
    process.exitCode = drift.length > 0 ? 1 : 0;
  } else {
    const write = async (generators: readonly Generator[], parts: readonly string[]) => {
      const files = await runGenerators(generators, input);
      if (options.out === undefined)
        for (const part of parts) rmSync(join(folder, part), { recursive: true, force: true });
      writeFiles(files, folder);
    };
    await write(serverGenerators, ['openapi', 'server']);
    await write([generateClient], ['client']);
  }
}
