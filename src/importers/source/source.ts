/**
 * The files of a source: a folder, a file with what lies beside it, or an archive, which is unpacked to a temporary folder.
 *
 * An export is written by others, so no path in it is trusted: every file that is read is found here, and none lies outside of the
 * source, also where `..` or a link leads out. What is refused is noted for the report.
 */
import { createReadStream, readdirSync, realpathSync, statSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { SourceError } from '../source-error.ts';
import { maxCharacters } from './read-lines.ts';
import { unpack } from './unpack.ts';

declare const inSource: unique symbol;

/** The path of a regular file of the source. Only a source makes them. */
export type SourceFile = string & { readonly [inSource]: true };

/** A folder or a file in a folder; a link is neither. */
export interface SourceEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** The files. Paths are below the folder of the source, with slashes. */
export interface Source {
  /** As the user has named it. */
  readonly path: string;
  /** The file that the user has named; absent of a folder and of an archive. */
  readonly file: SourceFile | undefined;
  /** Finds a file; `undefined` where there is none, or it lies outside of the source. */
  find(path: string): SourceFile | undefined;
  /** Finds a file that has bytes, such as a picture. */
  findBytes(path: string): SourceFile | undefined;
  /** Lists a folder, by name; empty where there is none. Links among the names that are wanted are not followed, but noted. */
  list(folder?: string, isWanted?: (name: string) => boolean): readonly SourceEntry[];
  /** Lists the paths of all files in the folder and in those below it, by path; of those whose name `isWanted`. */
  listAll(isWanted?: (folder: string) => boolean): readonly string[];
  /** What was refused: why, by path. */
  readonly refused: ReadonlyMap<string, string>;
  /** Removes what was unpacked. */
  close(): Promise<void>;
}

/** Why a path is refused. */
const outside = 'path that leads out of the source, and is not followed';
const link = 'link, which is not followed';

/** How many of them are noted, and how many characters of each. */
const maxRefused = 10_000;
const maxNoted = 300;

/** Opens a source; an archive may unpack to `maxBytes`. Errors: SourceError. */
export async function openSource(path: string, { maxBytes }: { maxBytes: number }): Promise<Source> {
  const refused = new Map<string, string>();
  const note = (given: string, why: string) => {
    if (refused.size < maxRefused) refused.set(given.slice(0, maxNoted), why);
    else refused.set('', 'further paths and links, which are not followed');
  };
  const isFolder = statSync(path).isDirectory();
  const isArchive = !isFolder && /\.(tar|tgz|tar\.gz)$/i.test(path);
  const unpacked = isArchive
    ? await unpack(path, { maxBytes, onLink: (name) => note(name, link) })
    : undefined;
  const root = realpathSync(unpacked ?? (isFolder ? path : dirname(path)));

  /** The place of a path, if it is there and within the source. */
  function locate(given: string): string | undefined {
    const place = join(root, given);
    if (!isWithin(root, place)) note(given, outside);
    const real = isWithin(root, place) ? toRealPath(place) : undefined;
    if (real !== undefined && !isWithin(root, real)) {
      note(given, outside);
      return undefined;
    }
    // A list passes over a link, but a path that leads to it within the source is followed.
    if (real !== undefined) refused.delete(given.slice(0, maxNoted));
    return real && place;
  }
  function find(given: string, isFitting: (bytes: number) => boolean): SourceFile | undefined {
    const place = locate(given);
    const found = place === undefined ? undefined : statSync(place, { throwIfNoEntry: false });
    // It was located within the source.
    return found?.isFile() && isFitting(found.size) ? (place as SourceFile) : undefined;
  }
  function list(folder = '', isWanted = (_name: string) => true): SourceEntry[] {
    const place = locate(folder);
    if (place === undefined || !statSync(place).isDirectory()) return [];
    const entries = readdirSync(place, { withFileTypes: true }).filter(({ name }) => isWanted(name));
    for (const entry of entries)
      if (!entry.isFile() && !entry.isDirectory()) note(join(folder, entry.name), link);
    return entries
      .filter((entry) => entry.isFile() || entry.isDirectory())
      .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
      .sort((one, other) => (one.name < other.name ? -1 : 1));
  }
  const listBelow = (folder: string, isWanted: (name: string) => boolean): string[] =>
    list(folder).flatMap(({ name, isFolder: isBelow }) => {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (!isBelow) return [path];
      return isWanted(name) ? listBelow(path, isWanted) : [];
    });
  return {
    path,
    // The user has named it.
    file: isFolder || isArchive ? undefined : (path as SourceFile),
    find: (given) => find(given, () => true),
    findBytes: (given) => find(given, (bytes) => bytes > 0),
    list,
    listAll: (isWanted = () => true) => listBelow('', isWanted).sort(),
    refused,
    close: async () => {
      if (unpacked !== undefined) await rm(unpacked, { recursive: true, force: true });
    },
  };
}

/** The file of a source that must be one. Errors: SourceError. */
export function fileOf({ file }: Source): SourceFile {
  if (file === undefined) throw new SourceError('is no file');
  return file;
}

/** Opens a file as a stream of texts. */
export const openText = (file: SourceFile): Readable => createReadStream(file, { encoding: 'utf8' });

/** Reads a whole file as text. Errors: SourceError for one that is too long. */
export async function readWhole(file: SourceFile): Promise<string> {
  if (statSync(file).size > maxCharacters)
    throw new SourceError(`has a file of more than ${maxCharacters} bytes, ${file}`);
  return readFile(file, 'utf8');
}

function isWithin(root: string, place: string): boolean {
  const way = relative(root, place);
  return way.split(sep)[0] !== '..' && !isAbsolute(way);
}

/** Follows links; `undefined` where nothing is, or the path is no path. */
function toRealPath(place: string): string | undefined {
  try {
    return realpathSync(place);
  } catch {
    return undefined;
  }
}
