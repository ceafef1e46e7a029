/**
 * Updates the folder that holds a user's client, and leaves other files in it alone.
 *
 * A record beside the files lists what was generated. With it, foreign files are never overwritten, obsolete ones are removed,
 * and an up-to-date client is recognized without generating it again.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cannotGenerate } from '../../base/errors.ts';
import { type Drift, type GeneratedFiles, writeFiles } from '../generated-files.ts';
import { manifestName, mergeManifest, readPackageName } from './client-manifest.ts';
import { type ClientRecord, hashOf, printRecord, readRecord, recordName } from './client-record.ts';

/** The changes that bring a folder up to date. */
export interface FolderUpdate {
  /** The differences between the folder and the generated files. */
  readonly drift: readonly Drift[];
  apply(): void;
}

/** Finds the name of the client package in a folder, if there is one. Errors: cannot_generate. */
export function findClientName(folder: string): string | undefined {
  if (!readRecord(folder) || !existsSync(join(folder, manifestName))) return undefined;
  return readPackageName(folder);
}

/** Whether a folder holds, unchanged, the client of a source. Errors: cannot_generate. */
export function isUpToDate(folder: string, source: string): boolean {
  const record = readRecord(folder);
  if (record?.source !== source) return false;
  return [...record.files].every(([path, hash]) => isFile(folder, { path, hash }));
}

/**
 * Plans the update of a folder.
 *
 * Shapes: `made` are the client's files, `from` is their source for the record.
 * Errors: cannot_generate, when a foreign file is in the way.
 */
export function planUpdate(
  folder: string,
  { made, from }: { made: GeneratedFiles; from: Omit<ClientRecord, 'files'> },
): FolderUpdate {
  const recorded: ClientRecord['files'] = readRecord(folder)?.files ?? new Map();
  const files = recorded.has(manifestName) ? withOwnersManifest(made, folder) : made;
  const different = findDifferent(files, folder);
  const strangers = different.filter(({ path, state }) => state === 'changed' && !recorded.has(path));
  if (strangers.length > 0) throw cannotGenerate(standsInTheWay(folder, strangers));
  const outdated = [...recorded].filter(([path, hash]) => !files.has(path) && isFile(folder, { path, hash }));
  return {
    drift: [...different, ...outdated.map(([path]) => ({ path, state: 'not generated' as const }))],
    apply() {
      for (const [path] of outdated) rmSync(join(folder, path));
      // Recorded first, so that files of an interrupted run are recognized.
      const hashes = new Map([...files].map(([path, text]) => [path, hashOf(text)]));
      const record: GeneratedFiles = new Map([[recordName, printRecord({ ...from, files: hashes })]]);
      if (findDifferent(record, folder).length > 0) writeFiles(record, folder);
      writeFiles(new Map(different.map(({ path }) => [path, files.get(path) ?? ''])), folder);
    },
  };
}

function withOwnersManifest(files: GeneratedFiles, folder: string): GeneratedFiles {
  const made = files.get(manifestName);
  if (made === undefined || !existsSync(join(folder, manifestName))) return files;
  return new Map([...files, [manifestName, mergeManifest(folder, made)]]);
}

function findDifferent(files: GeneratedFiles, folder: string): Drift[] {
  return [...files].flatMap(([path, text]): Drift[] => {
    if (!existsSync(join(folder, path))) return [{ path, state: 'missing' }];
    return readFileSync(join(folder, path), 'utf8') === text ? [] : [{ path, state: 'changed' }];
  });
}

function isFile(folder: string, { path, hash }: { path: string; hash: string }): boolean {
  const file = join(folder, path);
  return existsSync(file) && hashOf(readFileSync(file, 'utf8')) === hash;
}

function standsInTheWay(folder: string, [first, ...others]: readonly Drift[]): string {
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  return `${join(folder, first?.path ?? '')}${more} is there and was not made by colophon codegen; remove it, or choose another folder`;
}
