/**
 * The dashboard: the endpoints and the API clients of an installation, what is broken, and what has changed.
 */
import { Button } from '@mantine/core';
import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { Page } from '../../parts/layout/page.tsx';
import { ApiClients } from './api-clients.tsx';
import { Attention } from './attention.tsx';
import { GraphqlEndpoints } from './graphql-endpoints.tsx';
import { RestEndpoints } from './rest-endpoints.tsx';

/** The first page of the admin UI. */
export default function Dashboard() {
  return (
    <Page title="APIs" actions={<Refresh />}>
      <RestEndpoints />
      <Attention />
      <GraphqlEndpoints />
      <ApiClients />
    </Page>
  );
}

/** Reads everything again. It does not happen by itself, since that would keep the session of a forgotten tab alive. */
function Refresh() {
  const client = useQueryClient();
  const isFetching = useIsFetching() > 0;
  return (
    <Button variant="default" size="xs" loading={isFetching} onClick={() => client.invalidateQueries()}>
      Refresh
    </Button>
  );
}
