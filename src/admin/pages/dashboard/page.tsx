/**
 * What an installation opens to the outside: who may come in, and by which endpoints.
 */
import { Page } from '../../parts/page.tsx';
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
