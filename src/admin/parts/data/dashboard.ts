/**
 * Reads what needs attention, and the latest changes of endpoints, API clients and webhooks.
 */
import { queryOptions } from '@tanstack/react-query';
import { adminFor, answer } from '../../api.ts';

/** Both, for the pages that show one of them. */
export const dashboard = queryOptions({
  queryKey: ['dashboard'],
  queryFn: ({ meta }) => answer(adminFor(meta).getDashboard()),
});
