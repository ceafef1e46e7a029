/**
 * The page of what serves content to programs: the REST endpoints, the GraphQL endpoints and the API clients, and their latest changes.
 */
import { Anchor, Code, Group, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Dashboard, DashboardGraphqlEndpoint } from '../../api.ts';
import { nameOfActor } from '../../parts/changes/actor-name.tsx';
import { pathOfChange } from '../../parts/changes/change-table.tsx';
import { dashboard } from '../../parts/data/lists.ts';
import { accessNames } from '../../parts/endpoints/endpoint-state.tsx';
import { PublicWritesMark } from '../../parts/layout/mark.tsx';
import { Page, Section } from '../../parts/layout/page.tsx';
import { type ListColumn, ResourceList } from '../../parts/list/resource-list.tsx';
import { Loaded, Refresh, Together } from '../../parts/loading/loading.tsx';
import { Ago } from '../../parts/time/ago.tsx';
import { useMay } from '../../roles.ts';
import { ApiClients } from './api-clients.tsx';
import { apiClientPage, graphqlEndpointPage, restEndpointPage } from './endpoint-lists.ts';
import { ListSection, trafficColumns, useListState } from './list-section.tsx';
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

/** The section, or why it could not be read. */
function LatestChanges() {
  return (
    <Section title="Latest changes">
      <Loaded query={useQuery(dashboard)} what="the latest changes">
        {({ changes }) =>
          changes ? <Changes changes={changes} /> : <Text size="sm">This store keeps no change log.</Text>
        }
      </Loaded>
    </Section>
  );
}

function Changes({ changes }: { changes: NonNullable<Dashboard['changes']> }) {
  const mayAudit = useMay('admin');
  if (changes.length === 0) return <Text size="sm">Nothing has changed lately.</Text>;
  return (
    <>
      <List size="sm" listStyleType="none" spacing={4} aria-label="Latest changes">
        {changes.map((change) => (
          <List.Item key={change.id} style={{ overflowWrap: 'anywhere' }}>
            <ChangeLink change={change} />
            <Text size="xs" c="dimmed">
              <Ago ms={change.at} /> by {nameOfActor(change.by)}
            </Text>
          </List.Item>
        ))}
      </List>
      {mayAudit && (
        <Anchor component={Link} dir="auto" to="/admin/audit" size="sm" underline="always">
          All changes
        </Anchor>
      )}
    </>
  );
}

/** What was done, as a link to the page of what it was done to, if it has one. */
function ChangeLink({ change }: { change: NonNullable<Dashboard['changes']>[number] }) {
  const path = pathOfChange(change);
  if (path === undefined) return change.description;
  return (
    <Anchor component={Link} dir="auto" to={path} size="sm" underline="always">
      {change.description}
    </Anchor>
  );
}

/** Their list. */
function GraphqlEndpoints() {
  const list = useListState('graphql');
  const { search, offset } = list;
  return (
    <ListSection
      title="GraphQL endpoints"
      query={useQuery(graphqlEndpointPage({ search, offset }))}
      list={list}
      create={{ to: '/admin/graphql-endpoints/new', label: 'New GraphQL endpoint' }}
      empty={{
        title: 'No GraphQL endpoints yet',
        advice: 'An endpoint serves the content types you choose. Create one, then try it in the explorer.',
      }}
      search="Name or path"
    >
      {(items) => (
        <ResourceList
          label="GraphQL endpoints"
          columns={columns}
          rows={items}
          isWhole={false}
          idOf={({ id }) => id}
          nameOf={({ name }) => name}
          hrefOf={({ id }) => `/admin/graphql-endpoints/${id}`}
          menuOf={({ id }) => [
            { label: 'Edit', to: `/admin/graphql-endpoints/${id}` },
            { label: 'Query it', to: `/admin/explorer?endpoint=${id}` },
          ]}
        />
      )}
    </ListSection>
  );
}

const columns: readonly ListColumn<DashboardGraphqlEndpoint>[] = [
  { id: 'name', head: 'Name', cell: ({ name }) => name },
  { id: 'path', head: 'Path', cell: ({ path }) => <Code>/graphql/{path}</Code> },
  {
    id: 'access',
    head: 'Access',
    cell: ({ access, hasPublicWrites }) => (
      <Group gap="xs">
        <span>{accessNames[access]}</span>
        {hasPublicWrites && <PublicWritesMark />}
      </Group>
    ),
  },
  ...trafficColumns(),
  { id: 'reads', head: 'Types read', isFigure: true, cell: ({ readTypes }) => toNumber(readTypes) },
  { id: 'writes', head: 'Types written', isFigure: true, cell: ({ writeTypes }) => toNumber(writeTypes) },
];

function toNumber(types: number | undefined): string {
  if (types === undefined) return 'All';
  return types === 0 ? 'None' : String(types);
}
