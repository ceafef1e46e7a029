/**
 * Reads all records of one type, page by page.
 */
import type { ContentService, StoredAsset } from '../content/content-service.ts';

const pageSize = 1000;

/** Finds all records of a class with their versions, ordered by `_id`. */
export async function findAll(system: ContentService, className: string): Promise<readonly StoredAsset[]> {
  const records: StoredAsset[] = [];
  for (let offset = 0; ; offset += pageSize) {
    const { items } = await system.find({ from: className, offset, limit: pageSize, withCount: false }, {});
    records.push(...items);
    if (items.length < pageSize) return records;
  }
}
