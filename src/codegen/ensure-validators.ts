/**
 * Makes the validators of requests where they are absent or of other documents: they are not committed, because nobody reads them.
 *
 * Committed is their hash, which `codegen.ts --check` compares with what it generates. A validator file with that hash is current, so that
 * a repeated call reads and hashes the files alone. Several processes may call at the same time.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkFailed } from '../base/errors.ts';
import { packageRoot } from '../base/package-root.ts';
import { hashFiles, validatorPaths, validatorsHash } from './generated-files.ts';

/** Generates the validators from the committed documents unless they are current. Errors: check_failed when their hash is another one. */
export async function ensureValidators(folder = join(packageRoot, 'generated')): Promise<void> {
  const committed = readFileSync(join(folder, validatorsHash), 'utf8');
  if (hashPresent(folder) === committed) return;
  // Loaded when needed, because a compiler and a bundler come with it.
  const { readAdminDocument, readCmaDocument } = await import('../documents/openapi-document.ts');
  const { generateRequestValidators } = await import('./request-validators.ts');
  const files = await generateRequestValidators({ cma: readCmaDocument(), admin: readAdminDocument() });
  if (files.get(validatorsHash) !== committed)
    throw checkFailed(
      `${join(folder, validatorsHash)} is changed: run npm run codegen and commit what it writes`,
    );
  for (const path of validatorPaths) replaceFile(join(folder, path), files.get(path) ?? '');
}

function hashPresent(folder: string): string | undefined {
  const paths = validatorPaths.map((path) => join(folder, path));
  return paths.every((path) => existsSync(path))
    ? hashFiles(paths.map((path) => readFileSync(path, 'utf8')))
    : undefined;
}

/** Writes a file that no other process sees in part. */
function replaceFile(path: string, text: string): void {
  const partial = `${path}.${process.pid}.new`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(partial, text);
  renameSync(partial, path);
}
