/**
 * The first page: what editors look for, and for developers the endpoints and the API clients, what is broken, and what has changed.
 */
import { Button } from '@mantine/core';
import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { Page } from '../../parts/layout/page.tsx';
import { useMay } from '../../roles.ts';
import { ApiClients } from './api-clients.tsx';
import { Attention } from './attention.tsx';
import { GraphqlEndpoints } from './graphql-endpoints.tsx';
import { Home } from './home.tsx';
import { RestEndpoints } from './rest-endpoints.tsx';

/** The first page of the admin UI. */
export default function Dashboard() {
  const mayOperate = useMay('developer');
  return (
    <Page title="Home" actions={<Refresh />}>
      <Home />
      {mayOperate && (
        <>
          <RestEndpoints />
          <Attention />
          <GraphqlEndpoints />
          <ApiClients />
        </>
      )}
    </Page>
  );
}

/** Reads everything again. It does not happen by itself, since that would keep the session of a forgotten tab alive. */
function Refresh() {
  const client = useQueryClient();
  // Not while the page is opened.
  const isFetching = useIsFetching({ predicate: ({ state }) => state.data !== undefined }) > 0;
  return (
    <Button variant="default" size="xs" loading={isFetching} onClick={() => client.invalidateQueries()}>
      Refresh
    </Button>
  );
}
