/**
 * Reads the state of the backfill of renamed fields, often while it runs.
 */
import { queryOptions } from '@tanstack/react-query';
import { admin, answer, type TypesBackfill } from '../../../api.ts';

/** How often the state is read while a backfill runs, and while it may begin or go on. */
const runningMs = 1000;
const waitingMs = 5000;

/** The state of the backfill. */
export const typesBackfill = queryOptions({
  queryKey: ['types-backfill'],
  queryFn: () => answer(admin.getTypesBackfill()),
  refetchInterval: ({ state: { data } }) => (data ? intervalOf(data) : false),
});

/** A backfill begins on the command line, so the state of one that can begin is read again, too. */
function intervalOf({ isRunning, fields }: TypesBackfill): number | false {
  if (isRunning) return runningMs;
  return fields.length > 0 ? waitingMs : false;
}
