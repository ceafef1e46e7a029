/**
 * Reads what editors see first: their own changes and those of others. The keys begin like those of content, so that a change of an
 * asset reaches them.
 */
import { queryOptions } from '@tanstack/react-query';
import { type Activity, admin, answer } from '../../api.ts';

/** How many changes are read, among which are several of the same asset. */
const limit = 30;
/** How many lines a list has. */
const maxListed = 6;

/** The latest changes of content by the signed-in user, or by others. */
export const activity = (user: 'me' | 'others') =>
  queryOptions({
    queryKey: ['contents', 'activity', user],
    queryFn: () => answer(admin.listActivity({ query: { user, limit } })),
  });

/** The latest runs. */
export const latestRuns = queryOptions({
  queryKey: ['latest-runs'],
  queryFn: async () => (await answer(admin.listRuns())).items,
});

/** The latest change of each asset. */
export const latestOfEach = (items: readonly Activity[]) => firstOfEach(items, ({ _id }) => _id);

/** The latest write of each draft that exists. */
export const draftsIn = (items: readonly Activity[]) =>
  firstOfEach(
    items.filter(({ action }) => action === 'drafted'),
    ({ _id, release }) => `${_id} ${release}`,
  );

function firstOfEach(items: readonly Activity[], keyOf: (item: Activity) => string): readonly Activity[] {
  const found = new Map<string, Activity>();
  for (const item of items) if (!found.has(keyOf(item))) found.set(keyOf(item), item);
  return [...found.values()].slice(0, maxListed);
}
