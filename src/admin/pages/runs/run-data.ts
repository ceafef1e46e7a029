/**
 * Reads runs, plans their reverts and starts them.
 */
import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import { admin, answer, type PlannedRevert, type Run } from '../../api.ts';
import { formatNumber } from '../../parts/data/number-words.ts';

/** All runs, the latest first, in pages. */
export const runList = infiniteQueryOptions({
  queryKey: ['runs'],
  queryFn: ({ pageParam: cursor }) =>
    answer(admin.listRuns({ query: { ...(cursor !== undefined && { cursor }) } })),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next,
});

/** How often a run is read while it is being reverted. */
const pollMs = 1000;

/** One run, read again while it is being reverted or its writes are being counted. */
export const runByName = (run: string) =>
  queryOptions({
    queryKey: ['runs', run],
    queryFn: () => answer(admin.getRun({ path: { run } })),
    refetchInterval: ({ state: { data } }) => (data && isMoving(data) ? pollMs : false),
  });

const isMoving = ({ revert, isCounted }: Run) => revert?.state === 'running' || !isCounted;

/** What the revert of a run would do, in pages. It is planned again whenever it is shown. */
export const revertPlan = (run: string) =>
  infiniteQueryOptions({
    queryKey: ['runs', run, 'plan'],
    queryFn: async ({ pageParam: cursor }) => {
      const body = { dryRun: true, ...(cursor !== undefined && { cursor }) };
      const page = await answer(admin.revertRun({ path: { run }, body }));
      // A dry run is answered with a plan, anything else with the run.
      return 'items' in page ? page : { items: [] };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: { readonly next?: string }) => next,
    gcTime: 0,
  });

/** Starts the revert of a run, or continues it. Errors: ApiProblem. */
export function useRevert(): (run: string) => Promise<void> {
  const client = useQueryClient();
  return async (run) => {
    const reverting = await answer(admin.revertRun({ path: { run }, body: {} }));
    if ('name' in reverting) client.setQueryData(runByName(run).queryKey, reverting);
    void client.invalidateQueries({ queryKey: runList.queryKey, exact: true });
  };
}

/** The state of a run in a word or two, with a colour. */
export function describeState({ state, revert, isIrreversible }: Run): { label: string; color: string } {
  const lasting = isIrreversible ? ', irreversible' : '';
  if (state === 'open') return { label: `Open${lasting}`, color: 'blue' };
  if (state === 'closed') return { label: `Closed${lasting}`, color: 'gray' };
  if (revert?.state === 'running') return { label: 'Reverting', color: 'blue' };
  if (revert?.state === 'interrupted') return { label: 'Revert interrupted', color: 'red' };
  return { label: 'Reverted', color: 'orange' };
}

/** The names that Colophon gives to runs begin with what they are. */
const kinds = [
  [/^import-/, 'Import'],
  [/^edit-[\da-f]{12}$/, 'Change of many assets'],
  [/^revert-/, 'Revert'],
] as const;

/** What kind of run has this name; undefined if a program has chosen it. */
export const kindOfRun = (name: string): string | undefined =>
  kinds.find(([pattern]) => pattern.test(name))?.[1];

/** How many writes a run has made, such as `1,200 created, 14 changed`. */
export function describeWrites({ writes, isCounted }: Run): string {
  const parts = [
    [writes.create, 'created'],
    [writes.update, 'changed'],
    [writes.delete, 'deleted'],
  ] as const;
  const counted = parts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${formatNumber(count)} ${word}`);
  if (counted.length === 0) return isCounted ? 'None' : 'Counting…';
  return isCounted ? counted.join(', ') : `${counted.join(', ')} so far`;
}

/** The number of all writes of a run, as far as they are counted. */
export const countWrites = ({ writes }: Run) => writes.create + writes.update + writes.delete;

/** What a revert does to an asset. */
export const revertWords: Readonly<Record<PlannedRevert['action'], string>> = {
  create: 'Create again',
  update: 'Change back',
  delete: 'Delete',
};
