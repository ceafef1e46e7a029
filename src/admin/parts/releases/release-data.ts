/**
 * Reads releases and their drafts. Their queries are cached under the key `releases`.
 */
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import {
  ApiProblem,
  type Asset,
  admin,
  answer,
  answerWithTag,
  type DraftAction,
  type PublishedDraft,
  type Release,
} from '../../api.ts';
import { isSameValue } from '../difference/same-value.ts';

/** The first releases, `drafts` first. */
export const releaseList = queryOptions({
  queryKey: ['releases', 'first'],
  queryFn: () => answer(admin.listReleases({ query: { limit: 100 } })),
});

/** All releases, in pages. */
export const releasePages = infiniteQueryOptions({
  queryKey: ['releases', 'pages'],
  queryFn: ({ pageParam: cursor }) =>
    answer(admin.listReleases({ query: { ...(cursor !== undefined && { cursor }) } })),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next,
});

/** A release that goes live at a time. */
export type ScheduledRelease = Release & { readonly publishAt: number };

/** How many pages of scheduled releases are read. */
const maxPages = 10;

/** The scheduled releases, in the order of their times. `isWhole` says whether all were read. */
export const scheduledReleases = queryOptions({
  queryKey: ['releases', 'scheduled'],
  queryFn: async () => {
    const found: Release[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < maxPages; page++) {
      const query = { scheduled: true, limit: 100, ...(cursor !== undefined && { cursor }) };
      const { items, next } = await answer(admin.listReleases({ query }));
      found.push(...items);
      cursor = next;
      if (cursor === undefined) break;
    }
    const scheduled = found.map(({ publishAt = 0, ...release }) => ({ ...release, publishAt }));
    return { items: scheduled.sort((a, b) => a.publishAt - b.publishAt), isWhole: cursor === undefined };
  },
});

/** One release. While it is scheduled, it is read again every 15 seconds. */
export const releaseByName = (release: string) =>
  queryOptions({
    queryKey: ['releases', 'one', release],
    queryFn: () => answer(admin.getRelease({ path: { release } })),
    refetchInterval: ({ state: { data } }) =>
      data?.publishAt === undefined || data.stopped ? false : 15_000,
  });

/** The drafts of a release, in pages. */
export const draftPages = (release: string) =>
  infiniteQueryOptions({
    queryKey: ['releases', 'drafts', release],
    queryFn: ({ pageParam: cursor }) =>
      answer(
        admin.listReleaseDrafts({ path: { release }, query: { ...(cursor !== undefined && { cursor }) } }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });

/** How many drafts one request names. */
const maxNamed = 100;

/** Finds those of some assets whose drafts in a release keep them because they were withdrawn. */
export async function findWithdrawn(release: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (let start = 0; start < ids.length; start += maxNamed) {
    const asset = ids.slice(start, start + maxNamed);
    const { items } = await answer(admin.listReleaseDrafts({ path: { release }, query: { asset } }));
    for (const draft of items) if (draft.withdrawn) found.add(draft.asset);
  }
  return found;
}

/** What a publication would do, and all that keeps drafts from it; `only` has the IDs of chosen assets, absent for all drafts. */
export const publicationPlan = (release: string, only?: readonly string[]) =>
  queryOptions({
    queryKey: ['releases', 'plan', release, only],
    queryFn: () =>
      answer(
        admin.publishRelease({
          path: { release },
          body: { dryRun: true, ...(only !== undefined && { only: [...only] }) },
        }),
      ),
    gcTime: 0,
  });

/** An asset with its entity tag. */
interface TaggedAsset {
  readonly data: Asset;
  readonly tag: string | undefined;
}

/** An asset as it is live and as it is in a release; null where it does not exist. */
export interface AssetStates {
  readonly live: TaggedAsset | null;
  readonly drafted: TaggedAsset | null;
  /** Whether the draft keeps an asset that was withdrawn. */
  readonly isWithdrawn: boolean;
}

/** Both states of an asset. Without a release they are the same. */
export const assetStates = (id: string, release: string | null | undefined) =>
  queryOptions({
    queryKey: ['contents', id, 'states', release ?? null],
    queryFn: async (): Promise<AssetStates> => {
      const [live, drafted] = await Promise.all([
        readAsset(id),
        typeof release === 'string' ? readAsset(id, release) : undefined,
      ]);
      if (typeof release !== 'string' || drafted === undefined)
        return { live, drafted: live, isWithdrawn: false };
      const isWithdrawn = !live && drafted !== null && (await findWithdrawn(release, [id])).has(id);
      return { live, drafted, isWithdrawn };
    },
    enabled: release !== undefined,
  });

async function readAsset(id: string, release?: string): Promise<TaggedAsset | null> {
  try {
    return await answerWithTag(admin.getContent({ path: { id }, query: { ...(release && { release }) } }));
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return null;
    throw error;
  }
}

/** Reads again what a change of drafts concerns. Forms keep what is typed. */
export async function refreshDrafts(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: ['releases'] }),
    client.invalidateQueries({ queryKey: ['contents'] }),
    client.invalidateQueries({ queryKey: ['types'], exact: true }),
  ]);
}

/** The name of a release for people. */
export const nameOfRelease = ({ name, title }: Pick<Release, 'name' | 'title'>) =>
  title ?? (name === 'drafts' ? 'Drafts' : name);

/** The address of the page of a release. */
export const pathOfRelease = (release: string) => `/admin/releases/${encodeURIComponent(release)}`;

/** How the asset of a release differs from the live one. */
export type DraftState = 'live' | 'changed' | 'new' | 'withdrawn' | 'deleted';

/** The words and the colour of each state. */
export const stateWords: Readonly<Record<DraftState, { readonly label: string; readonly color: string }>> = {
  live: { label: 'Live', color: 'green' },
  changed: { label: 'Changed', color: 'orange' },
  new: { label: 'New', color: 'blue' },
  withdrawn: { label: 'Withdrawn', color: 'grape' },
  deleted: { label: 'To be deleted', color: 'red' },
};

/** The state that a draft gives an asset. */
export const stateOfDraft = ({
  action,
  withdrawn,
}: Pick<PublishedDraft, 'action' | 'withdrawn'>): DraftState =>
  withdrawn ? 'withdrawn' : stateOfAction[action];

const stateOfAction: Readonly<Record<DraftAction, DraftState>> = {
  create: 'new',
  change: 'changed',
  delete: 'deleted',
};

/** The names of the fields that differ; the date of the last change does not count. */
export function changedFields(live: Asset, drafted: Asset): string[] {
  const names = new Set([...Object.keys(live), ...Object.keys(drafted)]);
  names.delete('cms.content.updateDate');
  return [...names].filter((name) => !isSameValue(live[name], drafted[name]));
}

/** Compares both states of an asset, of which at least one exists. `isWithdrawn` says what only its draft knows. */
export function stateOf(
  live: Asset | undefined,
  drafted: Asset | undefined,
  isWithdrawn = false,
): DraftState {
  if (!live) return isWithdrawn ? 'withdrawn' : 'new';
  if (!drafted) return 'deleted';
  return changedFields(live, drafted).length > 0 ? 'changed' : 'live';
}
