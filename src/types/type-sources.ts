/**
 * Reads the SDL files that content types are written in.
 *
 * A folder of types is its `*.graphql` files, at any depth. What every folder needs
 * comes from the files of `supplied-files.ts` and is marked `supplied`.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { badConfig } from '../base/errors.ts';
import { packageRoot } from '../base/package-root.ts';
import { systemReason } from '../base/system-error.ts';
import { readSuppliedFiles } from './supplied-files.ts';

/** One SDL file: its name as problems show it, and its text. */
export interface TypeSource {
  readonly file: string;
  readonly text: string;
  /** Whether it comes with Colophon; its definitions give way to equal ones of the folder. */
  readonly supplied?: boolean;
}

/** Colophon's own folder of types, the default of `COLOPHON_TYPES`. */
export const shippedTypesFolder = join(packageRoot, 'graphql');

/** Reads the SDL files that come with Colophon and belong to every catalog. */
export const readSuppliedSources = (): TypeSource[] => readSuppliedFiles(shippedTypesFolder);

/**
 * Reads all SDL files of a folder, in the order of their names, after the supplied ones.
 *
 * Errors: bad_config, when the folder cannot be read, or has no such files.
 */
export function readTypeSources(folder: string): TypeSource[] {
  const files = listFiles(folder);
  const own = files
    .filter((path) => path.endsWith('.graphql'))
    .map((path) => ({ file: relative(folder, path), text: readFileSync(path, 'utf8') }));
  if (own.length === 0) {
    const others = files.slice(0, 3).map((path) => relative(folder, path));
    const seen = others.length > 0 ? `: it has ${others.join(', ')}` : ', and is empty';
    throw badFolder(folder, `has no file whose name ends with .graphql${seen}`);
  }
  return [...readSuppliedSources(), ...own];
}

/** Lists all files of a folder, in the order of their names. */
function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  } catch (error) {
    const reason = systemReason(error);
    throw reason === undefined ? error : badFolder(folder, reason);
  }
}

const badFolder = (folder: string, message: string) =>
  badConfig([{ path: `The types folder ${folder}`, message }]);
