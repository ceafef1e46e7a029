/**
 * Finds and deletes system records by one value, up to 100 at a time: those that expire (sessions, failed sign-in attempts, preview
 * links), and those that go with a user, a day or a webhook (saved views, usage, deliveries).
 */
import { unlessError } from '../base/errors.ts';
import type { ContentService } from '../content/content-service.ts';
import type { Asset } from '../model/content-type.ts';

/** The records of a type that match a predicate with one `?`, and its value. */
export interface RecordQuery {
  readonly from: string;
  readonly where: string;
  readonly value: string | number;
}

/** The number of records in a full page. */
const pageSize = 100;

/** Finds up to 100 of the records that match. */
export async function findRecords(
  system: ContentService,
  { from, where, value }: RecordQuery,
): Promise<readonly Asset[]> {
  const query = { from, where, values: [value], offset: 0, limit: pageSize, withCount: false };
  return (await system.find(query, {})).items.map(({ asset }) => asset);
}

/** Deletes up to 100 of the records that match, and returns whether there may be more. */
export async function deleteRecords(system: ContentService, query: RecordQuery): Promise<boolean> {
  const records = await findRecords(system, query);
  await Promise.all(records.map(({ _id }) => deleteRecord(system, _id)));
  return records.length === pageSize;
}

/** Deletes a record, which another process may have deleted already. */
export async function deleteRecord(system: ContentService, id: string): Promise<void> {
  await unlessError(system.delete({ id }, {}), 'not_found');
}

/** Deletes up to 100 expired records of a type. To be called before one is added, so that they do not pile up. */
export async function deleteExpired(system: ContentService, from: string, nowMs: number): Promise<void> {
  await deleteRecords(system, { from, where: 'expiresAt <= ?', value: nowMs });
}
