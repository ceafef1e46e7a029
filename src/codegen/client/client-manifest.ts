/**
 * The `package.json` of a client in a user's folder: made once, then shared with its owner, who publishes the package.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { cannotGenerate } from '../../base/errors.ts';
import type { JsonObject } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/validate-asset.ts';

/** Its name below the folder. */
export const manifestName = 'package.json';

/** What follows from how the client is made; all else is the owner's. */
const madeMembers = ['name', 'type', 'sideEffects', 'exports', 'engines'];

/** The name of the package in a folder. Errors: cannot_generate. */
export function readPackageName(folder: string): string | undefined {
  const { name } = parseManifest(join(folder, manifestName));
  return typeof name === 'string' ? name : undefined;
}

/** The text of the manifest in a folder with what is made of it brought up to date, in the owner's order. */
export function mergeManifest(folder: string, made: string): string {
  const path = join(folder, manifestName);
  const present = parseManifest(path);
  const fresh = Object.entries<JsonObject>(JSON.parse(made)).filter(([name]) => madeMembers.includes(name));
  const merged = { ...present, ...Object.fromEntries(fresh) };
  // How it is written is the owner's as well, as long as it says the same.
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
