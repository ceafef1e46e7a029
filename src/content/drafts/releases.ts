/**
 * Keeps the contents of the releases that were used last.
 */
import { LRUCache } from 'lru-cache';
import type { TaskQueue } from '../../base/task-queue.ts';
import { createAssetValidators } from '../../model/values/validate-asset.ts';
import type { Caller } from '../reading/find-assets.ts';
import { createSharedRelease, type SharedRelease } from './draft-store.ts';
import { createReleaseContent, type ReleaseContent, type ReleaseParts } from './release-content.ts';

/** Who works in a release. */
export interface Drafter extends Pick<Caller, 'sites'> {
  /** Whether the caller discards only drafts, and changes in drafts, that nobody else has written. */
  readonly ownDraftsOnly?: boolean;
}

/** Returns the content of a release for a caller. Errors: not_supported. */
export type FindRelease = (name: string, caller: Drafter) => ReleaseContent;

/** How many releases stay in memory, with the drafts that were read of them, and for how many groups of callers one is read. */
const maxKept = 8;

/** Creates the function, and one that returns where the writes to a release wait for each other. */
export function createReleases(parts: Omit<ReleaseParts, 'draftValidators'>): {
  readonly inRelease: FindRelease;
  queueOf(release: string): TaskQueue;
} {
  const contents = new LRUCache<string, ReleaseContent>({ max: maxKept });
  const releases = new LRUCache<string, SharedRelease>({ max: maxKept });
  let validators: ReleaseParts['draftValidators'] | undefined;

  function shareOf(release: string): SharedRelease {
    const shared = releases.get(release) ?? createSharedRelease({ ...parts, release });
    releases.set(release, shared);
    return shared;
  }

  const inRelease: FindRelease = (release, { sites, ownDraftsOnly: ownOnly = false }) => {
    const key = JSON.stringify([release, ownOnly, sites?.toSorted()]);
    const known = contents.get(key);
    if (known) return known;
    validators ??= createAssetValidators(parts.catalog, { forDrafts: true });
    const scope = { release, sites, ownOnly, shared: shareOf(release) };
    const content = createReleaseContent({ ...parts, draftValidators: validators }, scope);
    contents.set(key, content);
    return content;
  };

  return { inRelease, queueOf: (release) => shareOf(release).queue };
}
