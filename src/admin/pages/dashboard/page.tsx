/**
 * The dashboard: the API clients and the endpoints of an installation.
 */
import { Page } from '../../parts/layout/page.tsx';
import { ApiClients } from './api-clients.tsx';
import { GraphqlEndpoints } from './graphql-endpoints.tsx';
import { RestEndpoints } from './rest-endpoints.tsx';

/** The first page of the admin UI. */
export default function Dashboard() {
  return (
    <Page title="APIs">
      <ApiClients />
      <GraphqlEndpoints />
      <RestEndpoints />
    </Page>
  );
}
