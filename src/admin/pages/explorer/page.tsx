/**
 * The explorer: GraphiQL on any GraphQL endpoint, which the address names as `?endpoint=<id>`.
 */
import { Anchor, Kbd, NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import type { GraphqlEndpoint } from '../../api.ts';
import { graphqlEndpointList } from '../../parts/data/lists.ts';
import { EmptyState, Page } from '../../parts/layout/page.tsx';
import { Loading } from '../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';
import { Explorer } from './explorer.tsx';

/** @public Data that is read ahead, while the mouse rests on a link to the page. */
export const readAhead = () => [graphqlEndpointList];

export default function ExplorerPage() {
  const { data, error, refetch } = useQuery(graphqlEndpointList);
  return (
    <Page title="Explorer">
      <ProblemAlert error={error} title="The GraphQL endpoints could not be loaded" onRetry={refetch} />
      {data && <EndpointExplorer endpoints={data.items} />}
      {!data && !error && <Loading />}
    </Page>
  );
}

function EndpointExplorer({ endpoints }: { endpoints: readonly GraphqlEndpoint[] }) {
  const [parameters, setParameters] = useSearchParams();
  const wanted = parameters.get('endpoint') ?? endpoints[0]?.id;
  const endpoint = endpoints.find(({ id }) => id === wanted);
  if (wanted === undefined) return <NoEndpoints />;
  return (
    <>
      <NativeSelect
        label="GraphQL endpoint"
        maw={420}
        value={endpoint?.id ?? ''}
        onChange={(event) => setParameters({ endpoint: event.currentTarget.value })}
        data={[
          ...(endpoint ? [] : [{ value: '', label: 'None', disabled: true }]),
          ...endpoints.map(({ id, name, path }) => ({ value: id, label: `${name} (/graphql/${path})` })),
        ]}
      />
      {!endpoint && (
        <ProblemAlert error="Choose another." title="The GraphQL endpoint in the URL does not exist" />
      )}
      <Text size="sm">
        Operations run as an administrator, held to no site. In the editors <Kbd>Tab</Kbd> indents;{' '}
        <Kbd>Ctrl</Kbd> + <Kbd>M</Kbd> makes it lead out of them, and again undoes that.
      </Text>
      {endpoint && <Explorer key={endpoint.id} endpointId={endpoint.id} />}
    </>
  );
}

function NoEndpoints() {
  return (
    <EmptyState title="No GraphQL endpoints yet">
      An endpoint is what operations run on.{' '}
      <Anchor component={Link} to="/admin/graphql-endpoints/new" underline="always" size="sm">
        Create a GraphQL endpoint
      </Anchor>
    </EmptyState>
  );
}
