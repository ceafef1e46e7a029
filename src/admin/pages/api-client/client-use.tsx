/**
 * When an API client was created, and how much it has been used.
 */
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ApiClient } from '../../api.ts';
import { clientUsage } from '../../parts/data/usage.ts';
import { LastUse, RequestCount } from '../../parts/data/usage-cells.tsx';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';
import { Moment } from '../../parts/time/moment.tsx';

/** One line of text, or why the usage could not be read. */
export function ClientUse({ client: { clientId, createdAt } }: { client: ApiClient }) {
  const usage = useQuery(clientUsage([clientId]));
  return (
    <>
      <Text size="sm">
        Created <Moment ms={createdAt} />. Last used: <LastUse usage={usage.data} id={clientId} />. Requests
        in 30 days: <RequestCount usage={usage.data} id={clientId} />.
      </Text>
      <ProblemAlert error={usage.error} title="Could not load the usage" onRetry={usage.refetch} />
    </>
  );
}
