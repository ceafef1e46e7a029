/**
 * The page of an API client: its scopes, secret and keys, and revoking it. `new` in place of an ID creates one.
 */
import { Alert, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import type { ApiClient, ApiKey, IssuedClient, IssuedKey } from '../../api.ts';
import { AskedAction } from '../../parts/confirm/asked-action.tsx';
import { Confirm } from '../../parts/confirm/confirm.tsx';
import { clientUsage, LastUse, RequestCount } from '../../parts/data/usage-cells.tsx';
import { Page, Section } from '../../parts/layout/page.tsx';
import { Loaded } from '../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';
import { Moment } from '../../parts/time/ago.tsx';
import { useMay } from '../../roles.ts';
import { useApiClient, useClientChanges } from './client-data.ts';
import { ClientForm } from './client-form.tsx';
import { AddKey, KeyTable } from './key-table.tsx';
import { ShownCredentials, ShownKey } from './shown-credentials.tsx';

const back = { to: '/admin/endpoints', label: 'Endpoints' };

/** The page at `/admin/api-clients/:id`. */
export default function ApiClientPage() {
  const { id = 'new' } = useParams();
  return id === 'new' ? <NewClient /> : <StoredClient key={id} id={id} />;
}

function NewClient() {
  const navigate = useNavigate();
  const { create } = useClientChanges();
  const [issued, setIssued] = useState<IssuedClient>();
  const leave = (client: ApiClient) =>
    navigate(`/admin/api-clients/${encodeURIComponent(client.clientId)}`, { replace: true });
  return (
    <Page title="New API client" back={back}>
      {issued ? (
        <ShownCredentials issued={issued} onClose={() => leave(issued.client)} />
      ) : (
        <ClientForm save={async (fields) => setIssued(await create(fields))} />
      )}
    </Page>
  );
}

function StoredClient({ id }: { id: string }) {
  const query = useApiClient(id);
  const { save } = useClientChanges();
  const isAdmin = useMay('admin');
  const mayChange = ({ scopes, revokedAt }: ApiClient) =>
    revokedAt === undefined && (isAdmin || !scopes.includes('admin'));
  return (
    <Page title={query.data?.data.name ?? 'API client'} back={back}>
      <Loaded query={query} what="API client">
        {(seen) => {
          const client = seen.data;
          return (
            <>
              {client.revokedAt !== undefined && <Revoked atMs={client.revokedAt} />}
              <ClientForm
                seen={seen}
                isReadOnly={!mayChange(client)}
                save={(fields, on = seen) => save(fields, on)}
                reload={query.refetch}
              >
                <ClientUse client={client} />
              </ClientForm>
              {client.revokedAt === undefined && !mayChange(client) && <AdminsOnly />}
              {mayChange(client) && <LiveParts client={client} />}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

function Revoked({ atMs }: { atMs: number }) {
  return (
    <Alert color="gray" title="Revoked">
      This client ended on <Moment ms={atMs} />. Its record is kept so that its ID cannot be used again.
    </Alert>
  );
}

function AdminsOnly() {
  return (
    <Alert color="gray" title="Only administrators can change this client">
      It has the scope admin, with which a program can do everything.
    </Alert>
  );
}

function LiveParts({ client }: { client: ApiClient }) {
  const { revoke } = useClientChanges();
  return (
    <>
      <Section title="Secret">
        <Secret client={client} />
      </Section>
      <Section title="API keys">
        <Keys client={client} />
      </Section>
      <Section title="Revoke">
        <AskedAction
          name={client.name}
          button="Revoke API client"
          title="Revoke this API client?"
          consequence={`${client.name} and its keys stop working immediately. This cannot be undone.`}
          action="Revoke"
          onConfirm={() => revoke(client.clientId)}
        >
          The client and its keys stop working immediately. This cannot be undone.
        </AskedAction>
      </Section>
    </>
  );
}

/** One line of text, or why the usage could not be read. */
function ClientUse({ client: { clientId, createdAt } }: { client: ApiClient }) {
  const usage = useQuery(clientUsage([clientId]));
  return (
    <>
      <Text size="sm">
        Created <Moment ms={createdAt} />. Last used: <LastUse usage={usage.data} id={clientId} />. Requests
        in 30 days: <RequestCount usage={usage.data} id={clientId} />.
      </Text>
      <ProblemAlert error={usage.error} title="Could not load the usage" onRetry={usage.refetch} />
    </>
  );
}

/** The list of keys with their actions. */
function Keys({ client }: { client: ApiClient }) {
  const { addKey, removeKey } = useClientChanges();
  const [issued, setIssued] = useState<IssuedKey>();
  const [leaving, setLeaving] = useState<ApiKey>();
  const remove = async () => {
    if (leaving) await removeKey(client.clientId, leaving.id);
    setLeaving(undefined);
  };
  return (
    <Stack gap="xs">
      <Text size="sm">
        A key gives access to the GraphQL and REST endpoints whose access is API key. Send it in the header
        X-API-Key.
      </Text>
      <MissingScope client={client} />
      {client.keys.length > 0 && <KeyTable client={client} onRemove={setLeaving} />}
      <AddKey add={async (key) => setIssued(await addKey(client.clientId, key))} />
      <Confirm
        title="Remove this key?"
        consequence={`${leaving?.name ?? 'The key'} stops working immediately. Programs that use it are refused.`}
        action="Remove key"
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        onConfirm={remove}
      />
      <ShownKey client={client} issued={issued} onClose={() => setIssued(undefined)}>
        <MissingScope client={client} />
      </ShownKey>
    </Stack>
  );
}

/** Says that endpoints refuse the keys of a client; nothing if they do not. */
function MissingScope({ client: { scopes } }: { client: ApiClient }) {
  if (scopes.includes('graphql')) return null;
  return (
    <Alert color="orange" variant="light" title="Endpoints refuse the keys of this client">
      It lacks the scope graphql. Its keys work as soon as it has that scope.
    </Alert>
  );
}

/** It can be replaced, but not shown again. */
function Secret({ client }: { client: ApiClient }) {
  const { rotate } = useClientChanges();
  const [issued, setIssued] = useState<IssuedClient>();
  return (
    <>
      <AskedAction
        button="New secret"
        title="Create a new secret?"
        consequence="The current secret stops working immediately. Programs that use it are refused until they have the new one."
        action="Create a new secret"
        onConfirm={async () => setIssued(await rotate(client.clientId))}
      >
        Colophon keeps only a hash of the secret. If the secret is lost or has leaked, create a new one.
      </AskedAction>
      <ShownCredentials issued={issued} onClose={() => setIssued(undefined)} />
    </>
  );
}
