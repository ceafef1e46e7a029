/**
 * Finds the fields of a stored asset that do not fit its type.
 */
import { useQuery } from '@tanstack/react-query';
import type { Place } from '../../../api.ts';
import { unfitFields } from '../../../parts/data/unfit.ts';
import type { StoredAsset } from './use-asset-draft.ts';

/** The fields; absent while they are not known, and of a new asset. */
export interface UnfitFieldsState {
  readonly items: readonly Place[] | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

/** Checks the stored state of an asset. After a save it checks the new one, and shows the former result until then. */
export function useUnfitFields(stored: StoredAsset | undefined, release: string | null): UnfitFieldsState {
  const { data, error, refetch } = useQuery({
    ...unfitFields({ id: stored?.data._id ?? '', tag: stored?.tag, release }),
    enabled: stored !== undefined,
    placeholderData: (former) => former,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
  });
  return { items: data?.items, error, refetch };
}
