/**
 * Reads the deliveries of a webhook, and sends changes again.
 */
import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import { admin, answer, type WebhookDelivery } from '../../../api.ts';

/** Which deliveries to list; absent filters do not restrict. */
export interface DeliveryFilters {
  readonly state?: WebhookDelivery['state'];
  readonly asset?: string;
}

/** The states that deliveries can be in. */
export const deliveryStates = [
  'delivered',
  'waiting',
  'failed',
] as const satisfies readonly WebhookDelivery['state'][];

/** Reads the filters from an address; what is no state is left out. */
export function fromParameters(parameters: URLSearchParams): DeliveryFilters {
  const state = deliveryStates.find((deliveryState) => deliveryState === parameters.get('state'));
  const asset = parameters.get('asset');
  return { ...(state && { state }), ...(asset && { asset }) };
}

/** Writes the filters for an address. */
export function toParameters({ state, asset }: DeliveryFilters): URLSearchParams {
  return new URLSearchParams({ ...(state && { state }), ...(asset && { asset }) });
}

/** The deliveries of a webhook, latest first, in pages. */
export const deliveryList = (id: string, filters: DeliveryFilters) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', id, 'deliveries', filters],
    queryFn: ({ pageParam: cursor }) =>
      answer(
        admin.listWebhookDeliveries({
          path: { id },
          query: { ...filters, ...(cursor !== undefined && { cursor }) },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });

/** The latest deliveries, as many as one request returns. */
export const latestDeliveries = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', id, 'deliveries', 'latest'],
    queryFn: () => answer(admin.listWebhookDeliveries({ path: { id }, query: { limit: 100 } })),
  });

/** A delivery with its request. */
export const delivery = (id: string, seq: number) =>
  queryOptions({
    queryKey: ['webhooks', id, 'deliveries', seq],
    queryFn: () => answer(admin.getWebhookDelivery({ path: { id, seq } })),
  });

/** Sends a change again now. Errors: ApiProblem. */
export function useResend(): (at: { readonly id: string; readonly seq: number }) => Promise<void> {
  const client = useQueryClient();
  return async ({ id, seq }) => {
    const sent = await answer(admin.resendWebhookDelivery({ path: { id, seq } }));
    client.setQueryData(delivery(id, seq).queryKey, sent);
  };
}
