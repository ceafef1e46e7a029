/**
 * Reads how much API clients and their keys have been used in the last 30 days.
 */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { admin, answer, type UsageReport } from '../../api.ts';

/** The requests of an API client or a key, and the day of the last one. */
export type Use = Pick<UsageReport['items'][number], 'requests' | 'lastDay'>;

/** The use by the ID of a client or a key; who was not used is missing. */
export type UsageOf = ReadonlyMap<string, Use>;

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
