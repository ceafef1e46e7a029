/**
 * A folder of a user's that holds a client: what is made there is kept up to date, and all else is left alone.
 *
 * The record beside the files says what was made. So a file of somebody else is never overwritten, one that is no longer made goes,
 * and whether anything is to be done is known without making it again.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cannotGenerate } from '../../base/errors.ts';
import { type Drift, type GeneratedFiles, writeFiles } from '../generated-files.ts';
import { manifestName, mergeManifest, readPackageName } from './client-manifest.ts';
import { type ClientRecord, hashOf, printRecord, readRecord, recordName } from './client-record.ts';

/** What brings a folder up to date. */
export interface FolderUpdate {
  /** How the folder differs from what is made. */
  readonly drift: readonly Drift[];
  apply(): void;
}

/** The name of the package that was made in a folder, if one was. Errors: cannot_generate. */
export function findClientName(folder: string): string | undefined {
  if (!readRecord(folder) || !existsSync(join(folder, manifestName))) return undefined;
  return readPackageName(folder);
}

/** Whether a folder holds, unchanged, what was made from a source. Errors: cannot_generate. */
export function isUpToDate(folder: string, source: string): boolean {
  const record = readRecord(folder);
  if (record?.source !== source) return false;
  return [...record.files].every(([path, hash]) => isFile(folder, { path, hash }));
}

/**
 * Finds what brings a folder up to date.
 *
 * Shapes: `made` are the client's files, `from` is what the record says that they were made from.
 * Errors: cannot_generate, when a file that was not made here stands where one is to be written.
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
      // Recorded first, so that what an interrupted run has written is known to be made here.
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
