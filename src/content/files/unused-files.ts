/**
 * Deletes files that nothing uses. A file is marked as unused first, and deleted at a later look, if it is still unused and marked.
 *
 * A write records its use, and then removes the mark of a file. So what has a mark and no recorded use can be deleted at once: a write that
 * records its use later finds no file. A recorded use may be that of a write whose asset is not written yet, which the later look finds.
 * So a file that an asset names stays, without locks. The record goes first: afterwards the file does not exist, and what is left of its
 * uses and bytes hurts nobody.
 */
import { isDomainError } from '../../base/errors.ts';
import type { Clock } from '../../base/runtime.ts';
import type { FilePlace } from '../../store/file-place.ts';
import type { ContentService, StoredAsset } from '../content-service.ts';
import { fileClass, fileRecordId, toFileRecord } from './file-record.ts';
import type { FileUses } from './file-uses.ts';

/** What a look at a file has done. `waiting`: it is unused, and marked. */
export type Look = 'used' | 'waiting' | 'deleted';

/** Finds and deletes unused files. */
export interface UnusedFiles {
  /** Yields the records of files: those uploaded last at a time or before, and with `isMarked` marked ones alone. */
  each(options?: { readonly uploadedTo?: number; readonly isMarked?: boolean }): AsyncGenerator<StoredAsset>;
  /** Marks a file that is unused, and deletes one that was marked at a time or before. */
  look(file: StoredAsset, options: { readonly markedTo: number }): Promise<Look>;
  /** Deletes a file at once that no asset has used; marks one that is unused otherwise. */
  deleteNow(file: StoredAsset): Promise<Look>;
  /** Does so with the files of an asset that was erased. */
  deleteOf(asset: string): Promise<void>;
  /** Yields the keys of bytes that have no record, and were written at a time or before. */
  eachOrphan(writtenTo: number): AsyncGenerator<string>;
}

const filesAtOnce = 100;

/** The last time that a record can have. */
const latestMs = 8_640_000_000_000_000;

/** Creates it. */
export function createUnusedFiles({
  system,
  uses,
  place,
  clock,
  onDeleted,
}: {
  system: Pick<ContentService, 'get' | 'find' | 'update' | 'delete'>;
  uses: FileUses;
  place: FilePlace;
  clock: Clock;
  /** Removes what this process keeps of a file. */
  onDeleted?: (hash: string) => Promise<void>;
}): UnusedFiles {
  const setMark = ({ asset: { _id: id }, version }: StoredAsset, unusedSince: number | null) =>
    unlessOvertaken(system.update({ id, body: { unusedSince }, ifVersions: [version] }, {}));

  /** Deletes a file unless an asset has used it, other than one that was erased. */
  async function deleteUnless(file: StoredAsset, erased?: string): Promise<Look> {
    const marked = await setMark(file, toFileRecord(file.asset).unusedSince ?? clock.nowMs());
    if (!marked) return 'used';
    const { hash } = toFileRecord(file.asset);
    for await (const { asset } of uses.each(hash)) {
      if (asset === erased) continue;
      if ((await uses.findUser(hash)) === undefined) return 'waiting';
      await setMark(marked, null);
      return 'used';
    }
    // An asset may have been created again after it was erased.
    if (erased !== undefined && (await uses.findUser(hash)) !== undefined) {
      await setMark(marked, null);
      return 'used';
    }
    return remove(marked);
  }

  async function remove({ asset, version }: StoredAsset): Promise<Look> {
    const { hash, key } = toFileRecord(asset);
    const deleted = await unlessOvertaken(system.delete({ id: asset._id, ifVersions: [version] }, {}));
    if (!deleted) return 'used';
    for await (const { _id: id } of uses.each(hash)) await unlessOvertaken(system.delete({ id }, {}));
    await place.delete(key);
    await onDeleted?.(hash);
    return 'deleted';
  }

  async function hasRecord(key: string): Promise<boolean> {
    const query = { from: fileClass, where: 'key = ?', values: [key], offset: 0, limit: 1, withCount: false };
    return (await system.find(query, {})).items.length > 0;
  }

  return {
    async *each({ uploadedTo = latestMs, isMarked = false } = {}) {
      const where = isMarked ? 'uploadedAt <= ? and unusedSince != null' : 'uploadedAt <= ?';
      const query = { from: fileClass, where, values: [uploadedTo], offset: 0, withCount: false };
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const page: Awaited<ReturnType<ContentService['find']>> = await system.find(
          { ...query, cursor, limit: filesAtOnce },
          {},
        );
        yield* page.items;
        cursor = page.next;
      }
    },
    async look(file, { markedTo }) {
      const { hash, unusedSince } = toFileRecord(file.asset);
      if ((await uses.findUser(hash)) !== undefined) {
        if (unusedSince !== undefined) await setMark(file, null);
        return 'used';
      }
      if (unusedSince === undefined) await setMark(file, clock.nowMs());
      else if (unusedSince <= markedTo) return remove(file);
      return 'waiting';
    },
    deleteNow: (file) => deleteUnless(file),
    async deleteOf(erased) {
      for await (const hash of uses.eachOf(erased)) {
        const file = await unlessOvertaken(system.get(fileRecordId(hash), {}));
        if (file) await deleteUnless(file, erased);
      }
    },
    async *eachOrphan(writtenTo) {
      for await (const { key, writtenAt } of place.list())
        if (writtenAt <= writtenTo && !(await hasRecord(key))) yield key;
    },
  };
}

/** Returns `undefined` when the record was written or deleted meanwhile. */
async function unlessOvertaken<Result>(call: Promise<Result>): Promise<Result | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isDomainError(error, 'precondition_failed') || isDomainError(error, 'not_found')) return undefined;
    throw error;
  }
}
