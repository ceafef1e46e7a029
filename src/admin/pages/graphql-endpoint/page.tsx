/**
 * The page of a GraphQL endpoint: its definition, its schema, the REST endpoints that use it, and deleting it. `new` in place of
 * an ID creates one.
 */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link, Navigate, useParams } from 'react-router';
import type { GraphqlEndpoint } from '../../api.ts';
import { Page, Section } from '../../parts/layout/page.tsx';
import { Loaded } from '../../parts/loading/loaded.tsx';
import { Delete } from './delete.tsx';
import {
  blankEndpoint,
  type EndpointFields,
  useEndpointChanges,
  useGraphqlEndpoint,
} from './endpoint-data.ts';
import { EndpointForm } from './endpoint-form.tsx';
import { MappedEndpoints } from './mapped-endpoints.tsx';
import { Schema } from './schema.tsx';

const back = { to: '/admin', label: 'APIs' };

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
      <EndpointForm
        stored={blankEndpoint}
        action="Create GraphQL endpoint"
        tryOut={(fields) => tryOut(undefined, fields)}
        save={save}
      />
    </Page>
  );
}

function StoredEndpoint({ id }: { id: string }) {
  const query = useGraphqlEndpoint(id);
  const { replace, tryOut } = useEndpointChanges();
  const [isGone, setGone] = useState(false);
  if (isGone) return <Navigate to="/admin" replace />;
  const explorer = (
    <Button component={Link} to={`/admin/explorer?endpoint=${id}`} variant="default">
      Open in explorer
    </Button>
  );
  return (
    <Page title={query.data?.data.name ?? 'GraphQL endpoint'} back={back} actions={query.data && explorer}>
      <Loaded query={query} what="GraphQL endpoint">
        {(seen) => (
          <>
            <EndpointForm
              stored={seen.data}
              action="Save"
              warnings={seen.data.warnings}
              tryOut={(fields) => tryOut(seen, fields)}
              save={(fields) => replace(seen, fields)}
              reload={query.refetch}
            />
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
