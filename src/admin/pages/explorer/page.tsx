/**
 * The explorer: GraphiQL on any GraphQL endpoint, which the address names as `?endpoint=<id>`. Without one it is the endpoint that was
 * last open in this browser.
 */
import { Anchor, Kbd, NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { GraphqlEndpoint } from '../../api.ts';
import { graphqlEndpointList } from '../../parts/data/lists.ts';
import { EmptyState, Page } from '../../parts/layout/page.tsx';
import { Loading } from '../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';
import { findLastEndpoint, keepLastEndpoint } from './endpoint-storage.ts';
import { Explorer } from './explorer.tsx';

/** @public Data that is read ahead, while the mouse rests on a link to the page. */
export const readAhead = () => [graphqlEndpointList];

export default function ExplorerPage() {
  const { data, error, refetch } = useQuery(graphqlEndpointList);
  if (data) return <EndpointExplorer endpoints={data.items} />;
  return (
    <Frame>
      <ProblemAlert error={error} title="The GraphQL endpoints could not be loaded" onRetry={refetch} />
      {!error && <Loading />}
    </Frame>
  );
}

function Frame({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  return (
    <Page title="GraphQL" actions={actions} isFull>
      {children}
    </Page>
  );
}

function EndpointExplorer({ endpoints }: { endpoints: readonly GraphqlEndpoint[] }) {
  const [parameters, setParameters] = useSearchParams();
  const find = (wanted: string | null | undefined) => endpoints.find(({ id }) => id === wanted);
  const named = parameters.get('endpoint');
  const endpoint = named === null ? (find(findLastEndpoint()) ?? endpoints[0]) : find(named);
  useEffect(() => keepLastEndpoint(endpoint?.id), [endpoint?.id]);
  if (endpoints.length === 0) return <NoEndpoints />;
  return (
    <Frame
      actions={
        <NativeSelect
          aria-label="GraphQL endpoint"
          w={320}
          maw="100%"
          value={endpoint?.id ?? ''}
          onChange={(event) => setParameters({ endpoint: event.currentTarget.value })}
          data={[
            ...(endpoint ? [] : [{ value: '', label: 'None', disabled: true }]),
            ...endpoints.map(({ id, name, path }) => ({ value: id, label: `${name} (/graphql/${path})` })),
          ]}
        />
      }
    >
      {!endpoint && (
        <ProblemAlert error="Choose another." title="The GraphQL endpoint in the URL does not exist" />
      )}
      <Text size="sm">
        Operations run as an administrator, held to no site. In the editors <Kbd>Tab</Kbd> indents;{' '}
        <Kbd>Ctrl</Kbd> + <Kbd>M</Kbd> makes it lead out of them, and again undoes that.
      </Text>
      {endpoint && <Explorer key={endpoint.id} endpointId={endpoint.id} />}
    </Frame>
  );
}

function NoEndpoints() {
  return (
    <Frame>
      <EmptyState title="No GraphQL endpoints yet">
        An endpoint is what operations run on.{' '}
        <Anchor component={Link} to="/admin/graphql-endpoints/new" underline="always" size="sm">
          Create a GraphQL endpoint
        </Anchor>
      </EmptyState>
    </Frame>
  );
}
