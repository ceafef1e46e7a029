/**
 * Reads the SDL files that content types are written in.
 *
 * A folder of types is its `*.graphql` files, at any depth. What every folder needs (the directives, the scalars, `Content`
 * and `Site`) comes from Colophon's own files and is marked `supplied`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { packageRoot } from '../../base/package-root.ts';

/** One SDL file: its name as problems show it, and its text. */
export interface TypeSource {
  readonly file: string;
  readonly text: string;
  /** Whether it comes with Colophon; its definitions give way to equal ones of the folder. */
  readonly supplied?: boolean;
}

/** Colophon's own folder of types, the default of `COLOPHON_TYPES`. */
export const shippedTypesFolder = join(packageRoot, 'graphql');

const suppliedFiles = ['directives.graphql', 'content/site.graphql'];

/** The SDL files that come with Colophon and belong to every catalog. */
export function readSuppliedSources(): TypeSource[] {
  return suppliedFiles.map((file) => ({
    file,
    text: readFileSync(join(shippedTypesFolder, file), 'utf8'),
    supplied: true,
  }));
}

/**
 * Reads all SDL files of a folder, in the order of their names, after the supplied ones.
 *
 * Errors: the file system's own, when the folder cannot be read.
 */
export function readTypeSources(folder: string): TypeSource[] {
  const own = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.graphql'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({ file: relative(folder, path), text: readFileSync(path, 'utf8') }));
  return [...readSuppliedSources(), ...own];
}
