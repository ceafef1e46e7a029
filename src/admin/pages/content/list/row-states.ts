/**
 * Finds how the assets of a list differ from the live content in the release, or from their drafts in a list of live content.
 */
import { useQuery } from '@tanstack/react-query';
import type { Asset, ContentType } from '../../../api.ts';
import { type DraftState, stateOf } from '../../../parts/releases/draft-state.ts';
import { findWithdrawn, releaseByName } from '../../../parts/releases/release-data.ts';
import { draftsRelease, useWorkRelease } from '../../../parts/releases/work-release.ts';
import { findSelected } from './bulk/find-selected.ts';

/** The states by the IDs of the assets; undefined while there is nothing to tell, as without drafts. */
export function useRowStates(
  type: ContentType,
  assets: readonly Asset[],
): ReadonlyMap<string, DraftState> | undefined {
  const work = useWorkRelease();
  const release = work ?? draftsRelease;
  const count = useQuery({ ...releaseByName(release), staleTime: 10_000 }).data?.drafts ?? 0;
  const ids = assets.map(({ _id }) => _id);
  const states = useQuery({
    queryKey: ['contents', 'query', 'states', release, ids],
    queryFn: async () => {
      const items = assets.map((asset) => ({ asset, name: '' }));
      const [live, drafted] = await Promise.all([
        findSelected(type, items, undefined, {}),
        findSelected(type, items, undefined, { release }),
      ]);
      const created = ids.filter((id) => !live.has(id) && drafted.has(id));
      const withdrawn = await findWithdrawn(release, created);
      return ids
        .filter((id) => live.has(id) || drafted.has(id))
        .map((id) => [id, stateOf(live.get(id), drafted.get(id), withdrawn.has(id))] as const);
    },
    enabled: count > 0 && ids.length > 0,
  });
  return states.data && count > 0 ? new Map(states.data) : undefined;
}
