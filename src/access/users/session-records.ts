/**
 * The content types of the records that recognize a signed-in user. A change of password deletes all of them.
 */
import type { ContentService } from '../../content/content-service.ts';
import { deleteRecord, deleteRecords, findRecords } from '../expiring-records.ts';

export const sessionType = 'com.colophon.system.Session';
export const deviceType = 'com.colophon.system.KnownDevice';

/** Counts the sessions that have not ended. */
export async function countSessions(system: ContentService, nowMs: number): Promise<number> {
  const query = { from: sessionType, where: 'expiresAt > ?', values: [nowMs], offset: 0, limit: 0 };
  return (await system.find({ ...query, withCount: true }, {})).count ?? 0;
}

/** Ends the sessions of a user, except that of the token with the given hash, and forgets the user's devices. */
export async function endSessions(
  system: ContentService,
  userId: string,
  keptTokenHash?: string,
): Promise<void> {
  const of = (from: string) => ({ from, where: 'user = ?', value: userId });
  while (await deleteRecords(system, of(deviceType)));
  for (;;) {
    const found = await findRecords(system, of(sessionType));
    const ending = found.filter(({ tokenHash }) => tokenHash !== keptTokenHash);
    if (ending.length === 0) return;
    await Promise.all(ending.map(({ _id }) => deleteRecord(system, _id)));
  }
}
