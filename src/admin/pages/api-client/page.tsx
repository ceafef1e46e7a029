/**
 * The page of an API client: its scopes, secret and keys, and revoking it. `new` in place of an ID creates one.
 */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import type { ApiClient, ApiKey, IssuedClient, IssuedKey } from '../../api.ts';
import { Confirm } from '../../parts/confirm/confirm.tsx';
import { ConfirmByName } from '../../parts/confirm/confirm-by-name.tsx';
import { clientUsage } from '../../parts/data/usage.ts';
import { LastUse, RequestCount } from '../../parts/data/usage-cells.tsx';
import { Page, Section } from '../../parts/layout/page.tsx';
import { Loaded } from '../../parts/loading/loaded.tsx';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import { useMay } from '../../roles.ts';
import { AddKey } from './add-key.tsx';
import { blankClient, toFields, useApiClient, useClientChanges } from './client-data.ts';
import { ClientForm } from './client-form.tsx';
import { KeyTable } from './key-table.tsx';
import { Secret } from './secret.tsx';
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
        <ClientForm stored={blankClient} save={async (fields) => setIssued(await create(fields))} />
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
        {({ data: client, tag }) => (
          <>
            {client.revokedAt !== undefined && <Revoked atMs={client.revokedAt} />}
            <ClientForm
              stored={toFields(client)}
              savedAt={client.updatedAt}
              isReadOnly={!mayChange(client)}
              save={async (fields) => void (await save(fields, tag))}
              reload={query.refetch}
            >
              <ClientUse client={client} />
            </ClientForm>
            {client.revokedAt === undefined && !mayChange(client) && <AdminsOnly />}
            {mayChange(client) && <LiveParts client={client} />}
          </>
        )}
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
  return (
    <>
      <Section title="Secret">
        <Secret client={client} />
      </Section>
      <Section title="API keys">
        <Keys client={client} />
      </Section>
      <Section title="Revoke">
        <Revoke client={client} />
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

/** The button and its confirmation dialog. */
function Revoke({ client }: { client: ApiClient }) {
  const { revoke } = useClientChanges();
  const [isAsking, setAsking] = useState(false);
  return (
    <Stack gap="xs">
      <Text size="sm">The client and its keys stop working immediately. This cannot be undone.</Text>
      <Group>
        <Button variant="outline" color="red" onClick={() => setAsking(true)}>
          Revoke API client
        </Button>
      </Group>
      <ConfirmByName
        name={client.name}
        title="Revoke this API client?"
        consequence={`${client.name} and its keys stop working immediately. This cannot be undone.`}
        action="Revoke"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={async () => void (await revoke(client.clientId))}
      />
    </Stack>
  );
}
