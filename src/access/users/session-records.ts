/**
 * The content types of the records that recognize a signed-in user. A change of password deletes all of them.
 */
import type { ContentService } from '../../content/content-service.ts';

export const sessionType = 'com.colophon.system.Session';
export const deviceType = 'com.colophon.system.KnownDevice';

/** Counts the sessions that have not ended. */
export async function countSessions(system: ContentService, nowMs: number): Promise<number> {
  const query = { from: sessionType, where: 'expiresAt > ?', values: [nowMs], offset: 0, limit: 0 };
  return (await system.find({ ...query, withCount: true }, {})).count ?? 0;
}
