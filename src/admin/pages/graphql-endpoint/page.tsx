/**
 * The page of a GraphQL endpoint: its definition, its schema, the REST endpoints that use it, and deleting it. `new` in place of
 * an ID creates one.
 */
import { Anchor, Button, Code, Group, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, Navigate, useParams } from 'react-router';
import { admin, answer, type GraphqlEndpoint, type RestEndpoint, type TrustedDocument } from '../../api.ts';
import { AskedAction } from '../../parts/confirm/asked-action.tsx';
import { restEndpointList } from '../../parts/data/lists.ts';
import { EndpointState } from '../../parts/endpoints/endpoint-state.tsx';
import { CopyField } from '../../parts/layout/copy-field.tsx';
import { Page, Section } from '../../parts/layout/page.tsx';
import { type ListColumn, ResourceList } from '../../parts/list/resource-list.tsx';
import { Loaded } from '../../parts/loading/loading.tsx';
import { useEndpointChanges, useGraphqlEndpoint } from './endpoint-data.ts';
import { EndpointForm } from './endpoint-form.tsx';

const back = { to: '/admin/endpoints', label: 'Endpoints' };

/** The page at `/admin/graphql-endpoints/:id`. */
export default function GraphqlEndpointPage() {
  const { id = 'new' } = useParams();
  return id === 'new' ? <NewEndpoint /> : <StoredEndpoint key={id} id={id} />;
}

function NewEndpoint() {
  const { create, tryOut } = useEndpointChanges();
  const [made, setMade] = useState<GraphqlEndpoint>();
  if (made) return <Navigate to={`/admin/graphql-endpoints/${made.id}`} replace />;
  return (
    <Page title="New GraphQL endpoint" back={back}>
      <EndpointForm tryOut={tryOut} save={async ({ fields }) => setMade(await create(fields))} />
    </Page>
  );
}

function StoredEndpoint({ id }: { id: string }) {
  const query = useGraphqlEndpoint(id);
  const { replace, tryOut, remove, tryRemove } = useEndpointChanges();
  const [isGone, setGone] = useState(false);
  if (isGone) return <Navigate to={back.to} replace />;
  const explorer = (
    <Button component={Link} to={`/admin/explorer?endpoint=${id}`} variant="default" size="xs">
      Open in explorer
    </Button>
  );
  return (
    <Page title={query.data?.data.name ?? 'GraphQL endpoint'} back={back} actions={query.data && explorer}>
      <Loaded query={query} what="GraphQL endpoint">
        {(seen) => (
          <>
            <EndpointForm
              seen={seen}
              tryOut={tryOut}
              save={({ fields, seen: on = seen }) => replace(on, fields)}
              reload={query.refetch}
            />
            <Section title="Trusted documents">
              <TrustedDocuments id={id} />
            </Section>
            <Section title="Schema">
              <Schema id={id} />
            </Section>
            <Section title="REST endpoints that use it">
              <MappedEndpoints id={id} />
            </Section>
            <Section title="Delete">
              <AskedAction
                name={seen.data.name}
                button="Delete GraphQL endpoint"
                title="Delete this GraphQL endpoint?"
                consequence={`/graphql/${seen.data.path} stops working immediately. Content stays as it is.`}
                action="Delete"
                dryRun={{
                  queryKey: ['graphql-endpoints', id, 'dry-run'],
                  queryFn: () => tryRemove(seen),
                  nothing: 'No published route runs on it.',
                }}
                onConfirm={async () => {
                  await remove(seen);
                  setGone(true);
                }}
              >
                It can be deleted when no REST endpoint uses it. This cannot be undone.
              </AskedAction>
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** Their names as links. */
function MappedEndpoints({ id }: { id: string }) {
  return (
    <Loaded query={useQuery(restEndpointList)} what="REST endpoints">
      {({ items }) => <Names endpoints={items.filter((endpoint) => runsOn(endpoint, id))} />}
    </Loaded>
  );
}

function Names({ endpoints }: { endpoints: readonly RestEndpoint[] }) {
  if (endpoints.length === 0) return <Text size="sm">None.</Text>;
  return (
    <List size="sm">
      {endpoints.map((endpoint) => (
        <List.Item key={endpoint.id}>
          <Group gap="xs">
            <Anchor component={Link} to={`/admin/rest-endpoints/${endpoint.id}`} inherit underline="always">
              {endpoint.draft.name}
            </Anchor>
            <EndpointState endpoint={endpoint} />
          </Group>
        </List.Item>
      ))}
    </List>
  );
}

function runsOn({ draft, published }: RestEndpoint, id: string): boolean {
  return draft.source === id || published?.definition.source === id;
}

/** The text, to be read and copied. */
function Schema({ id }: { id: string }) {
  const query = useQuery({
    queryKey: ['graphql-endpoints', id, 'schema'],
    queryFn: () => answer(admin.getGraphqlSchema({ path: { id } })),
  });
  return (
    <Loaded query={query} what="schema">
      {({ sdl }) => <CopyField label="SDL" text={sdl} maxHeight={400} />}
    </Loaded>
  );
}

/** The documents of an endpoint, in the order in which they were added. */
function TrustedDocuments({ id }: { id: string }) {
  const query = useQuery({
    queryKey: ['graphql-endpoints', id, 'documents'],
    queryFn: () => answer(admin.listTrustedDocuments({ path: { id } })),
  });
  return (
    <Loaded query={query} what="trusted documents">
      {({ items }) => <DocumentTable documents={items} />}
    </Loaded>
  );
}

function DocumentTable({ documents }: { documents: readonly TrustedDocument[] }) {
  if (documents.length === 0)
    return (
      <Text size="sm">
        None. <Code>colophon documents push</Code> stores those of a client.
      </Text>
    );
  return (
    <ResourceList
      label="Trusted documents"
      columns={columns}
      rows={documents}
      idOf={({ documentId }) => documentId}
      nameOf={nameOf}
    />
  );
}

const nameOf = ({ name, documentId }: TrustedDocument) => name ?? documentId;

const columns: readonly ListColumn<TrustedDocument>[] = [
  { id: 'name', head: 'Name', value: ({ name }) => name, cell: ({ name = 'Without a name' }) => name },
  {
    id: 'document',
    head: 'Document ID',
    value: ({ documentId }) => documentId,
    cell: ({ documentId }) => <Code>{documentId}</Code>,
  },
  {
    id: 'stored',
    head: 'Stored',
    isTime: true,
    value: ({ storedAt }) => storedAt,
  },
];
