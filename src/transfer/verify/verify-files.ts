/**
 * Checks that the bytes of files are where their records say, and have the size, or also the hash, of the record.
 */
import type { FileRecord } from '../../content/files/file-record.ts';
import type { FileUses } from '../../content/files/unused-files.ts';
import { isIntact } from '../../files/recorded-bytes.ts';
import type { FilePlace } from '../../store/file-place.ts';

export interface FileCheck {
  readonly records: AsyncIterable<FileRecord>;
  /** Reads the record of a file again; `undefined` when it was deleted. */
  readonly find: (hash: string) => Promise<FileRecord | undefined>;
  readonly uses: Pick<FileUses, 'each'>;
  readonly place: FilePlace;
  /** Whether to read the bytes. */
  readonly isWhole: boolean;
}

/** What is wrong with a file. */
export interface FileFault {
  readonly file: FileRecord;
  readonly fault: 'are missing' | 'have another size' | 'are not those that were uploaded';
  /** The `_id`s of the first assets whose value or history may name it. */
  readonly assets: readonly string[];
}

/** How many assets a fault names. */
const maxAssets = 10;

/** Checks files; yields each, with its fault if it has one. Errors: those of the store and of the place. */
export async function* verifyFiles(
  check: FileCheck,
): AsyncGenerator<FileFault | { readonly file: FileRecord }> {
  for await (const file of check.records) {
    const fault = await findFault(file, check);
    const isCurrent = fault === undefined || (await check.find(file.hash))?.key === file.key;
    if (fault === undefined || !isCurrent) yield { file };
    else yield { file, fault, assets: await namesOf(file, check) };
  }
}

async function findFault(
  file: FileRecord,
  { place, isWhole }: FileCheck,
): Promise<FileFault['fault'] | undefined> {
  const found = await place.find(file.key);
  if (!found) return 'are missing';
  if (found.bytes !== file.bytes) return 'have another size';
  return !isWhole || (await isIntact(place, file)) ? undefined : 'are not those that were uploaded';
}

async function namesOf({ hash }: FileRecord, { uses }: FileCheck): Promise<string[]> {
  const assets: string[] = [];
  for await (const { asset } of uses.each(hash)) {
    if (assets.length === maxAssets) break;
    assets.push(asset);
  }
  return assets;
}
