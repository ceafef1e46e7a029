/**
 * Shows a spinner while data loads, and the error when it fails.
 */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ProblemAlert } from '../problems/problem-alert.tsx';
import { Loading } from './loading.tsx';

/** Shows `children` of the data of `query` once there is any; `what` names it in the failure, such as `API clients`. */
export function Loaded<Data>({
  query,
  what,
  children,
}: {
  query: UseQueryResult<Data>;
  what: string;
  children: (data: Data) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.isFetching || query.isPending) return <Loading />;
  return <ProblemAlert error={query.error} title={`Could not load: ${what}`} onRetry={query.refetch} />;
}
