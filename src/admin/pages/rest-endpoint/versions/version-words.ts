/**
 * The words for versions and their events.
 */
import type { VersionAction } from '../../../api.ts';

/** What was done, to stand within a sentence. */
export const actionWords: Readonly<Record<VersionAction, string>> = {
  SAVED: 'saved',
  PUBLISHED: 'published',
  UNPUBLISHED: 'unpublished',
  RESTORED: 'restored',
};
