/**
 * The page of an API client: its scopes, secret and keys, and revoking it. `new` in place of an ID creates one.
 */
import { Alert } from '@mantine/core';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import type { ApiClient, IssuedClient } from '../../api.ts';
import { Page, Section } from '../../parts/layout/page.tsx';
import { Loaded } from '../../parts/loading/loaded.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import { useMay } from '../../roles.ts';
import { blankClient, toFields, useApiClient, useClientChanges } from './client-data.ts';
import { ClientForm } from './client-form.tsx';
import { ClientUse } from './client-use.tsx';
import { Keys } from './keys.tsx';
import { Revoke } from './revoke.tsx';
import { Secret } from './secret.tsx';
import { ShownCredentials } from './shown-credentials.tsx';

const back = { to: '/admin', label: 'APIs' };

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
        <ClientForm stored={blankClient} isNew save={async (fields) => setIssued(await create(fields))} />
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
            <ClientUse client={client} />
            <ClientForm
              stored={toFields(client)}
              isReadOnly={!mayChange(client)}
              save={async (fields) => void (await save(fields, tag))}
              reload={query.refetch}
            />
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
