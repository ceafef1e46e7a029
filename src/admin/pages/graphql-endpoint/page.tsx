/**
 * The page of a GraphQL endpoint: its definition, its schema, the REST endpoints that use it, and deleting it. `new` in place of
 * an ID creates one.
 */
import { Anchor, Button, Group, List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, Navigate, useParams } from 'react-router';
import { admin, answer, type GraphqlEndpoint, type RestEndpoint } from '../../api.ts';
import { ConfirmByName } from '../../parts/confirm/confirm-by-name.tsx';
import { DryRunReport } from '../../parts/confirm/consequences.tsx';
import { restEndpointList } from '../../parts/data/lists.ts';
import { EndpointState } from '../../parts/endpoints/endpoint-state.tsx';
import { CopyField } from '../../parts/layout/copy-field.tsx';
import { Page, Section } from '../../parts/layout/page.tsx';
import { Loaded } from '../../parts/loading/loaded.tsx';
import {
  type EndpointFields,
  type TaggedEndpoint,
  useEndpointChanges,
  useGraphqlEndpoint,
} from './endpoint-data.ts';
import { EndpointForm } from './endpoint-form.tsx';
import { TrustedDocuments } from './trusted-documents.tsx';

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
  const save = async (fields: EndpointFields) => setMade(await create(fields));
  return (
    <Page title="New GraphQL endpoint" back={back}>
      <EndpointForm tryOut={(fields) => tryOut(undefined, fields)} save={save} />
    </Page>
  );
}

function StoredEndpoint({ id }: { id: string }) {
  const query = useGraphqlEndpoint(id);
  const { replace, tryOut } = useEndpointChanges();
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
              seen={seen.data}
              tryOut={(fields) => tryOut(seen, fields)}
              save={(fields) => replace(seen, fields)}
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
              <Delete seen={seen} onDeleted={() => setGone(true)} />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** The button and its confirmation dialog. */
function Delete({ seen, onDeleted }: { seen: TaggedEndpoint; onDeleted: () => void }) {
  const { remove, tryRemove } = useEndpointChanges();
  const [isAsking, setAsking] = useState(false);
  const report = useQuery({
    queryKey: ['graphql-endpoints', seen.data.id, 'dry-run'],
    queryFn: () => tryRemove(seen),
    enabled: isAsking,
    gcTime: 0,
  });
  const { name, path } = seen.data;
  const confirm = async () => {
    await remove(seen);
    onDeleted();
  };
  return (
    <Stack gap="xs">
      <Text size="sm">It can be deleted when no REST endpoint uses it. This cannot be undone.</Text>
      <Group>
        <Button variant="outline" color="red" onClick={() => setAsking(true)}>
          Delete GraphQL endpoint
        </Button>
      </Group>
      <ConfirmByName
        name={name}
        title="Delete this GraphQL endpoint?"
        consequence={`/graphql/${path} stops working immediately. Content stays as it is.`}
        action="Delete"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={confirm}
        isReady={report.isSuccess && !report.isFetching}
      >
        <DryRunReport query={report} nothing="No published route runs on it." />
      </ConfirmByName>
    </Stack>
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
