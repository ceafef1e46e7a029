/**
 * Deletes files that nothing uses. A file is marked as unused first, and deleted at a later look, if it is still unused and marked.
 *
 * A write that names a marked file removes the mark. A write that read the record before it was marked ends long before the later look,
 * which then finds it. So a file that an asset names stays, without locks, whoever writes and looks. The record goes first: afterwards
 * the file does not exist, and what is left of its uses and bytes hurts nobody.
 */
import { isDomainError } from '../../base/errors.ts';
import type { Clock } from '../../base/runtime.ts';
import type { FilePlace } from '../../store/file-place.ts';
import type { ContentService, StoredAsset } from '../content-service.ts';
import { fileClass, toFileRecord } from './file-record.ts';
import type { FileUses } from './file-uses.ts';

/** What a look at a file has done. `waiting`: it is unused, and marked. */
export type Look = 'used' | 'waiting' | 'deleted';

/** Finds and deletes unused files. */
export interface UnusedFiles {
  /** Yields the records of files: those uploaded last at a time or before, and with `isMarked` marked ones alone. */
  each(options?: { readonly uploadedTo?: number; readonly isMarked?: boolean }): AsyncGenerator<StoredAsset>;
  /** Marks a file that is unused, and deletes one that was marked at a time or before. */
  look(file: StoredAsset, options: { readonly markedTo: number }): Promise<Look>;
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
}: {
  system: Pick<ContentService, 'find' | 'update' | 'delete'>;
  uses: FileUses;
  place: FilePlace;
  clock: Clock;
}): UnusedFiles {
  async function setMark({ asset: { _id: id }, version }: StoredAsset, unusedSince: number | null) {
    await unlessOvertaken(system.update({ id, body: { unusedSince }, ifVersions: [version] }, {}));
  }

  async function remove({ asset, version }: StoredAsset): Promise<Look> {
    const { hash, key } = toFileRecord(asset);
    const isDeleted = await unlessOvertaken(system.delete({ id: asset._id, ifVersions: [version] }, {}));
    if (!isDeleted) return 'used';
    for await (const { _id: id } of uses.each(hash)) await unlessOvertaken(system.delete({ id }, {}));
    await place.delete(key);
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
    async *eachOrphan(writtenTo) {
      for await (const { key, writtenAt } of place.list())
        if (writtenAt <= writtenTo && !(await hasRecord(key))) yield key;
    },
  };
}

/** Returns whether the write was made: not when the record was written or deleted meanwhile. */
async function unlessOvertaken(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (isDomainError(error, 'precondition_failed') || isDomainError(error, 'not_found')) return false;
    throw error;
  }
}
