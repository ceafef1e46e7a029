/**
 * Keeps the contents of the releases that were used last.
 */
import { LRUCache } from 'lru-cache';
import { createTaskQueue, type TaskQueue } from '../../base/task-queue.ts';
import { createAssetValidators } from '../../model/values/validate-asset.ts';
import type { Caller } from '../reading/find-assets.ts';
import { createReleaseContent, type ReleaseContent, type ReleaseParts } from './release-content.ts';

/** Returns the content of a release for a caller with these sites. Errors: not_supported. */
export type FindRelease = (name: string, caller: Pick<Caller, 'sites'>) => ReleaseContent;

/** How many contents stay in memory, with the drafts that they have read. */
const maxKept = 16;

/** Creates the function. */
export function createReleases(parts: Omit<ReleaseParts, 'draftValidators'>): FindRelease {
  const contents = new LRUCache<string, ReleaseContent>({ max: maxKept });
  const queues = new LRUCache<string, TaskQueue>({ max: maxKept });
  let validators: ReleaseParts['draftValidators'] | undefined;

  function queueOf(release: string): TaskQueue {
    const queue = queues.get(release) ?? createTaskQueue(1);
    queues.set(release, queue);
    return queue;
  }

  return (release, { sites }) => {
    const key = JSON.stringify([release, sites?.toSorted()]);
    const known = contents.get(key);
    if (known) return known;
    validators ??= createAssetValidators(parts.catalog, { forDrafts: true });
    const scope = { release, sites, queue: queueOf(release) };
    const content = createReleaseContent({ ...parts, draftValidators: validators }, scope);
    contents.set(key, content);
    return content;
  };
}
