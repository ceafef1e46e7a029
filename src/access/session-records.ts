/**
 * The records of sessions, for the two who end them: the sessions themselves, and a change of password.
 */
import { isDomainError } from '../base/errors.ts';
import type { ContentService } from '../content/content-service.ts';
import type { Asset } from '../model/content-type.ts';

export const sessionType = 'com.colophon.system.Session';

/** How many sessions are looked at in one go. */
const pageSize = 100;

/** Which sessions: a predicate with one `?`, and its value. */
export interface SessionQuery {
  readonly where: string;
  readonly value: string | number;
}

/** Up to a hundred of the sessions that match. */
export async function findSessions(
  system: ContentService,
  { where, value }: SessionQuery,
): Promise<readonly Asset[]> {
  const query = { from: sessionType, where, values: [value], offset: 0, limit: pageSize, withCount: false };
  return (await system.find(query, {})).items;
}

/** Deletes up to a hundred of the sessions that match, and says whether there may be more. */
export async function deleteSessions(system: ContentService, query: SessionQuery): Promise<boolean> {
  const records = await findSessions(system, query);
  await Promise.all(records.map(({ _id }) => deleteSession(system, _id)));
  return records.length === pageSize;
}

async function deleteSession(system: ContentService, id: string): Promise<void> {
  try {
    await system.delete({ id }, {});
  } catch (error) {
    // Ended by somebody else meanwhile.
    if (!isDomainError(error, 'not_found')) throw error;
  }
}
