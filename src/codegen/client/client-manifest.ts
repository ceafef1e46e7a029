/**
 * The `package.json` of a client in a user's folder: generated once, then merged with the owner's changes.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { cannotGenerate } from '../../base/errors.ts';
import type { JsonObject } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';

/** Its name below the folder. */
export const manifestName = 'package.json';

/** The generated members; all others are the owner's. */
const madeMembers = ['name', 'type', 'sideEffects', 'exports', 'engines'];

/** The name of the package in a folder. Errors: cannot_generate. */
export function readPackageName(folder: string): string | undefined {
  const { name } = parseManifest(join(folder, manifestName));
  return typeof name === 'string' ? name : undefined;
}

/** Prints the manifest in a folder with its generated members updated, in the owner's order. */
export function mergeManifest(folder: string, made: string): string {
  const path = join(folder, manifestName);
  const present = parseManifest(path);
  const fresh = Object.entries<JsonObject>(JSON.parse(made)).filter(([name]) => madeMembers.includes(name));
  const merged = { ...present, ...Object.fromEntries(fresh) };
  // The owner's formatting is kept while the content is the same.
  return isDeepStrictEqual(merged, present)
    ? readFileSync(path, 'utf8')
    : `${JSON.stringify(merged, null, 2)}\n`;
}

function parseManifest(path: string): JsonObject {
  try {
    const manifest = JSON.parse(readFileSync(path, 'utf8'));
    if (isJsonObject(manifest)) return manifest;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw cannotGenerate(`${path} is not valid JSON`);
}
