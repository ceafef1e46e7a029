/**
 * The files that are stored: found by their hash, listed for people with their uses, opened and deleted.
 */

import type { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { inUse, isDamagedFile, isDomainError, notFound, unlessError } from '../base/errors.ts';
import { type Metric, toNumberMetric } from '../base/metrics/metric.ts';
import type { Clock, Logger } from '../base/runtime.ts';
import type { ContentService, StoredAsset } from '../content/content-service.ts';
import {
  type FileRecord,
  fileClass,
  fileRecordId,
  fileUseClass,
  toFileRecord,
} from '../content/files/file-record.ts';
import type { Asset } from '../model/content-type.ts';
import type { ByteRange, FilePlace } from '../store/file-place.ts';
import { mediaTypeOf } from '../text/media-types.ts';
import { openRecorded } from './recorded-bytes.ts';

/** A file as a list shows it: without the key of its bytes, and with the number of assets whose values or history may name it. */
export type ListedFile = Omit<FileRecord, 'key'> & { readonly uses: number };

/** Which files to list. `cursor` is the `next` of the page before. */
export interface FileQuery {
  /** Words, or beginnings of words, that the name has; or the hash. */
  readonly search?: string | undefined;
  /** Whether to list only files without uses. */
  readonly unused?: boolean;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** A page of a list; `next` is absent when nothing follows. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly next?: string;
}

export type StoredFiles = ReturnType<typeof createStoredFiles>;

/** How many records are kept in memory, and for how long. */
const kept = { max: 10_000, ttl: 1000 };

/** How many damaged files are remembered. */
const maxDamaged = 10_000;

/** How many assets an error names. */
const maxNamedUses = 10;

/** How many files a list of unused ones looks at. */
const maxExamined = 500;

/** Creates the files of a system's content service. */
export function createStoredFiles({
  system,
  place,
  clock,
  logger,
}: {
  system: ContentService;
  place: FilePlace;
  clock: Clock;
  logger: Logger;
}) {
  const known = new LRUCache<string, FileRecord>(kept);
  /** Files whose bytes were lost or damaged when they were last opened, by hash. */
  const damaged = new LRUCache<string, true>({ max: maxDamaged });

  /**
   * Opens the bytes of a file, or a part of them; `undefined` when they are lost. Errors: that of `damagedFile` when there are fewer or
   * more than were uploaded; those of the place. The log names each file that is lost or damaged once.
   */
  async function open(file: FileRecord, range?: ByteRange): Promise<Readable | undefined> {
    const { hash, name, key } = file;
    const [bytes, error] = await openRecorded(place, file, range).then(
      (opened) => [opened, undefined] as const,
      (failure: unknown) => [undefined, failure] as const,
    );
    if (error !== undefined && !isDamagedFile(error)) throw error;
    if (bytes) {
      damaged.delete(hash);
      return bytes.once('error', (failure) => isDamagedFile(failure) && report(file));
    }
    known.delete(hash);
    const current = await find(hash);
    if (current && current.key !== key) return open(current, range);
    if (current) report({ hash, name });
    if (error !== undefined) throw error;
    return undefined;
  }

  function report({ hash, name }: Pick<FileRecord, 'hash' | 'name'>): void {
    if (!damaged.has(hash)) logger.error({ hash, name }, 'the bytes of a file are lost or damaged');
    damaged.set(hash, true);
  }

  /** Finds the record of a file, as it was at most a second ago. */
  async function find(hash: string): Promise<FileRecord | undefined> {
    const recent = known.get(hash);
    if (recent) return recent;
    const stored = await findRecord(hash);
    const file = stored && toFileRecord(stored.asset);
    if (file) known.set(hash, file);
    return file;
  }

  const findRecord = (hash: string) => unlessError(system.get(fileRecordId(hash), {}), 'not_found');

  async function getRecord(hash: string): Promise<StoredAsset> {
    const stored = await findRecord(hash);
    if (!stored) throw notFound(hash, 'file');
    return stored;
  }

  async function countUses(hash: string): Promise<number> {
    const query = { from: fileUseClass, where: 'hash = ?', values: [hash], offset: 0, limit: 0 };
    return (await system.find({ ...query, withCount: true }, {})).count ?? 0;
  }

  async function listPage({ search, cursor = '', limit }: FileQuery): Promise<ListPage<ListedFile>> {
    const page = { cursor, offset: 0, limit, withCount: false };
    const sort = [{ field: 'uploadedAt', descending: true }];
    const { items, next } = await system.find({ from: fileClass, ...toSearch(search), sort, ...page }, {});
    const files = items.map(async ({ asset }): Promise<ListedFile> => {
      const { key: _key, ...file } = toFileRecord(asset);
      const mediaType = mediaTypeOf(file.mediaType, file.name);
      return { ...file, mediaType, uses: await countUses(file.hash) };
    });
    return { items: await Promise.all(files), ...(next !== undefined && { next }) };
  }

  async function listUnused(query: FileQuery): Promise<ListPage<ListedFile>> {
    const found: ListedFile[] = [];
    let { cursor } = query;
    for (let examined = 0; examined < maxExamined; ) {
      // A page that ends where the list ends, so that its `next` is that of the list.
      const { items, next } = await listPage({ ...query, cursor, limit: query.limit - found.length });
      examined += items.length;
      found.push(...items.filter(({ uses }) => uses === 0));
      cursor = next;
      if (cursor === undefined || found.length === query.limit) break;
    }
    return { items: found, ...(cursor !== undefined && { next: cursor }) };
  }

  async function findUses(hash: string, { cursor = '', limit }: Pick<FileQuery, 'cursor' | 'limit'>) {
    const query = { from: fileUseClass, where: 'hash = ?', values: [hash], offset: 0, cursor, limit };
    const { items, next } = await system.find({ ...query, withCount: false }, {});
    return { items: items.map(({ asset }) => String(asset.asset)), ...(next !== undefined && { next }) };
  }

  async function assertUnused(hash: string): Promise<void> {
    const { items: users } = await findUses(hash, { limit: maxNamedUses });
    if (users.length > 0) throw inUse('The file', { id: hash, users });
  }

  /**
   * Deletes the record of a file that is marked as unused: a write that names a marked file changes its record first, and so is not
   * overtaken. A write that has read the record before the mark is found by a second look, after which the file is there again.
   */
  async function deleteUnused(hash: string): Promise<void> {
    const { asset } = await getRecord(hash);
    await assertUnused(hash);
    const { _id: id } = asset;
    const unusedSince = asset.unusedSince ?? clock.nowMs();
    const { version } = await system.update({ id, body: { unusedSince } }, {});
    await system.delete({ id, ifVersions: [version] }, {});
    known.delete(hash);
    try {
      await assertUnused(hash);
    } catch (error) {
      await restore(asset);
      throw error;
    }
    damaged.delete(hash);
    await place.delete(toFileRecord(asset).key);
  }

  async function restore(asset: Asset): Promise<void> {
    try {
      await system.create(asset, {});
    } catch (error) {
      // It was uploaded again.
      if (!isDomainError(error, 'id_in_use')) throw error;
    }
  }

  /** Deletes a file, again when an upload or a write comes between. */
  async function deleteFile(hash: string): Promise<void> {
    try {
      await deleteUnused(hash);
    } catch (error) {
      if (isDomainError(error, 'precondition_failed')) return deleteFile(hash);
      throw error;
    }
  }

  return {
    find,
    open,
    /** Lists files, the one that was uploaded last first. A page of unused files may be short although more follow. */
    list: (query: FileQuery): Promise<ListPage<ListedFile>> =>
      query.unused ? listUnused(query) : listPage(query),
    /** Lists the `_id`s of the assets whose values or history may name a file. Errors: not_found. */
    async listUses(hash: string, page: Pick<FileQuery, 'cursor' | 'limit'>): Promise<ListPage<string>> {
      await getRecord(hash);
      return findUses(hash, page);
    },
    /** Deletes a file that no asset uses. Errors: not_found; in_use with the first assets. */
    delete: deleteFile,
    collect: (): Metric[] => [
      toNumberMetric({
        name: 'colophon_damaged_files',
        help: 'Files whose bytes were lost or damaged when they were last requested; the log names them.',
        type: 'gauge',
        // The processes may have met the same ones.
        combine: 'max',
        value: damaged.size,
      }),
    ],
  };
}

/** The words of a search, of which each may be the beginning of a word, or a hash. */
function toSearch(search: string | undefined) {
  const words = (search ?? '').match(/[\p{L}\p{M}\p{N}]+/gu);
  if (!words) return {};
  return {
    where: 'name matchesAll ? or hash = ?',
    values: [words.map((word) => `${word}*`).join(' '), words.join('').toLowerCase()],
  };
}
