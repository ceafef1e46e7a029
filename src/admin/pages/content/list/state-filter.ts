/**
 * Finds the assets whose drafts have a state, from the drafts of the release that the user works in, otherwise of Drafts, and from
 * scheduled releases.
 */
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { admin, answer, type ReleaseDraft } from '../../../api.ts';
import {
  releaseByName,
  releaseList,
  scheduledReleases,
  stateOfDraft,
} from '../../../parts/releases/release-data.ts';
import { draftsRelease, useWorkRelease } from '../../../parts/releases/work-release.ts';

/** The states that a list can be filtered by. */
export const draftFilters = ['changed', 'new', 'withdrawn', 'scheduled'] as const;
export type DraftFilter = (typeof draftFilters)[number];

/** How many pages of 100 drafts are read, and of how many scheduled releases. */
const [maxPages, maxReleases] = [10, 10];

/** Whether there is something to filter by: a draft, or another release. */
export function useHasDrafts(): boolean {
  const release = useWorkRelease() ?? draftsRelease;
  const own = useQuery({ ...releaseByName(release), staleTime: 10_000 }).data?.drafts ?? 0;
  const releases = useQuery({ ...releaseList, staleTime: 60_000 }).data?.items ?? [];
  return own > 0 || releases.some(({ publishAt }) => publishAt !== undefined);
}

/**
 * The IDs of these assets; undefined until they are known. `release` is where new and withdrawn assets are, which are not live. `isWhole` says
 * whether all drafts were read.
 */
export function useFoundByState(filter: DraftFilter | undefined) {
  const client = useQueryClient();
  const work = useWorkRelease();
  const release = work ?? draftsRelease;
  const found = useQuery({
    queryKey: ['releases', 'by-state', release, filter],
    queryFn: () => (filter === 'scheduled' ? findScheduled(client) : findDrafted(release, filter)),
    enabled: filter !== undefined,
  });
  const isHidden = work === undefined && (filter === 'new' || filter === 'withdrawn');
  return { ...found, release: isHidden ? release : undefined };
}

async function findDrafted(release: string, filter: DraftFilter | undefined) {
  const { items, isWhole } = await readDrafts(release);
  return { ids: items.filter((draft) => stateOfDraft(draft) === filter).map(({ asset }) => asset), isWhole };
}

async function findScheduled(client: QueryClient) {
  const { items, isWhole } = await client.fetchQuery(scheduledReleases);
  const read = await Promise.all(items.slice(0, maxReleases).map(({ name }) => readDrafts(name)));
  const ids = new Set(read.flatMap((drafts) => drafts.items.map(({ asset }) => asset)));
  return {
    ids: [...ids],
    isWhole: isWhole && items.length <= maxReleases && read.every((drafts) => drafts.isWhole),
  };
}

async function readDrafts(release: string) {
  const items: ReleaseDraft[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const query = { limit: 100, ...(cursor !== undefined && { cursor }) };
    const { items: found, next } = await answer(admin.listReleaseDrafts({ path: { release }, query }));
    items.push(...found);
    cursor = next;
    if (cursor === undefined) break;
  }
  return { items, isWhole: cursor === undefined };
}
