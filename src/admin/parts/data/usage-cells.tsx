/**
 * The use of API clients and of their keys: how it is read, and how lists show it.
 */

import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { admin, answer, type UsageReport } from '../../api.ts';
import { dateLanguage } from '../time/local-time.ts';
import { formatNumber } from './number-words.ts';

/** The requests of an API client or a key, and the day of the last one. */
type Use = Pick<UsageReport['items'][number], 'requests' | 'lastDay'>;

/** The use by the ID of a client or a key; who was not used is missing. */
type UsageOf = ReadonlyMap<string, Use>;

const days = 30;
/** More than the keys of a client, and more than clients are asked about at once. */
const limit = 100;

/** The use of some API clients. */
export const clientUsage = (clientIds: readonly string[]) =>
  queryOptions({
    queryKey: ['usage', 'clients', clientIds],
    queryFn: async (): Promise<UsageOf> => {
      const query = { days, groupBy: ['client' as const], clientIds: [...clientIds], limit };
      const { items } = await answer(admin.listUsage({ query }));
      return new Map(items.map(({ clientId = '', ...use }) => [clientId, use]));
    },
    enabled: clientIds.length > 0,
    placeholderData: keepPreviousData,
  });

/** The use of the keys of an API client; under the empty text, that of its secret. */
export const keyUsage = (clientId: string) =>
  queryOptions({
    queryKey: ['usage', 'keys', clientId],
    queryFn: async (): Promise<UsageOf> => {
      const query = { days, groupBy: ['key' as const], clientId, limit };
      const { items } = await answer(admin.listUsage({ query }));
      return new Map(items.map(({ keyId = '', ...use }) => [keyId, use]));
    },
  });

/** When something was last used, to the day; three dots while that is not known. */
export function LastUse({ usage, id }: { usage: UsageOf | undefined; id: string }) {
  if (!usage) return <NotKnown />;
  const day = usage.get(id)?.lastDay;
  return day === undefined ? 'Not in 30 days' : <time dateTime={day}>{describeDay(day)}</time>;
}

/** The number of requests. */
export function RequestCount({ usage, id }: { usage: UsageOf | undefined; id: string }) {
  return usage ? formatNumber(usage.get(id)?.requests ?? 0) : <NotKnown />;
}

function NotKnown() {
  return (
    <span aria-label="Not known yet" role="img">
      …
    </span>
  );
}

/** A day in UTC, which servers count by. */
function describeDay(day: string): string {
  const shown = { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(dateLanguage(), shown).format(new Date(day));
}
