/**
 * Reads all records of one type, page by page.
 */
import type { ContentService } from '../content/content-service.ts';
import type { Asset } from '../model/content-type.ts';

const pageSize = 1000;

/** Finds all records of a class, ordered by `_id`. */
export async function findAll(system: ContentService, className: string): Promise<readonly Asset[]> {
  const records: Asset[] = [];
  for (let offset = 0; ; offset += pageSize) {
    const { items } = await system.find({ from: className, offset, limit: pageSize, withCount: false }, {});
    records.push(...items);
    if (items.length < pageSize) return records;
  }
}
