/**
 * What a user's client is made from, and the hash by which it is known again.
 */
import { isAbsolute } from 'node:path';
import { findClientName } from './client-folder.ts';
import { hashOf } from './client-record.ts';
import type { Drift } from './generated-files.ts';
import { type CodegenInput, readInput } from './input.ts';

/** The documents that describe the client, and the name of its package. */
export interface ClientSource {
  readonly input: CodegenInput;
  readonly name: string;
  readonly hash: string;
}

/** The name of a package that nobody has named. */
export const defaultClientName = 'colophon-client';

/**
 * Reads what the client in a folder is to be made from.
 *
 * Shapes: without a `name` the package keeps the one it has. Errors: bad_types, cannot_generate.
 */
export function readClientSource({
  typesDir,
  folder,
  name = findClientName(folder) ?? defaultClientName,
}: {
  typesDir: string;
  folder: string;
  name?: string | undefined;
}): ClientSource {
  const input = readInput(typesDir);
  const { version, bundledCma, admin } = input;
  return { input, name, hash: hashOf(JSON.stringify([name, version, bundledCma, admin])) };
}

/** Says where a client is, what became of it, and how to use it. */
export function describeClient({
  name,
  folder,
  drift,
}: {
  name: string;
  folder: string;
  drift: readonly Drift[];
}): string {
  const removed = drift.filter(({ state }) => state === 'not generated').length;
  const counts = [`${drift.length - removed} files written`, ...(removed > 0 ? [`${removed} removed`] : [])];
  const became = drift.length > 0 ? counts.join(', ') : 'up to date';
  return `The client ${name} is in ${folder} (${became}); to use it: npm install ${toPathForNpm(folder)}`;
}

/** A folder as npm takes it; without a slash it would be read as the name of a package. */
function toPathForNpm(folder: string): string {
  return isAbsolute(folder) || /^\.{1,2}([/\\]|$)/.test(folder) ? folder : `./${folder}`;
}
