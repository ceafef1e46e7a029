/**
 * Reads runs, plans their reverts and starts them.
 */
import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import { admin, answer, type Run } from '../../api.ts';

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
