/**
 * The page of what serves content to programs: the REST endpoints, the GraphQL endpoints and the API clients, and their latest changes.
 */
import { Page } from '../../parts/layout/page.tsx';
import { Refresh } from '../../parts/loading/refresh.tsx';
import { Together } from '../../parts/loading/together.tsx';
import { ApiClients } from './api-clients.tsx';
import { apiClientPage, graphqlEndpointPage, restEndpointPage } from './endpoint-lists.ts';
import { GraphqlEndpoints } from './graphql-endpoints.tsx';
import { LatestChanges } from './latest-changes.tsx';
import { RestEndpoints } from './rest-endpoints.tsx';

const first = { search: '', offset: 0 };

/** @public Data that is read ahead, while the mouse rests on a link to the page. */
export const readAhead = () => [
  restEndpointPage({ ...first, state: undefined, sort: 'errors' }),
  graphqlEndpointPage(first),
  apiClientPage(first, false),
];

/** The page at `/admin/endpoints`. */
export default function EndpointsPage() {
  return (
    <Page title="Endpoints and clients" actions={<Refresh />}>
      <Together>
        <RestEndpoints />
        <GraphqlEndpoints />
        <ApiClients />
        <LatestChanges />
      </Together>
    </Page>
  );
}
