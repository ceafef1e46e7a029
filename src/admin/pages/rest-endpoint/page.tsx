/**
 * The page of a REST endpoint, or of a new one: loads what it works on.
 */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Navigate, useParams } from 'react-router';
import { graphqlEndpointList } from '../../parts/data/lists.ts';
import { Page } from '../../parts/layout/page.tsx';
import { Loading } from '../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';
import { EndpointEditor } from './editor/endpoint-editor.tsx';
import { back, isGone, useRestEndpoint } from './rest-endpoint-data.ts';

export default function RestEndpointPage() {
  const { id = 'new' } = useParams();
  return <OneEndpoint key={id} id={id} />;
}

function OneEndpoint({ id }: { id: string }) {
  const { data: stored, error, isFetchedAfterMount, refetch } = useRestEndpoint(id);
  const sources = useQuery(graphqlEndpointList);
  const [next, setNext] = useState<NextPage>();
  const [isOpen, setIsOpen] = useState(false);
  // The form is unmounted first, so that it does not ask whether to leave the page.
  if (next) return <Navigate {...next} replace />;
  const isReady = id === 'new' || (stored && isFetchedAfterMount && !isGone(error));
  // Once the form is there, no later failure takes it away with what was typed.
  if (isReady && sources.data && !isOpen) setIsOpen(true);
  if ((isReady || isOpen) && sources.data) {
    return (
      <EndpointEditor
        stored={stored}
        sources={sources.data.items}
        onLeave={(to, state) => setNext({ to, state })}
      />
    );
  }
  return (
    <Page title="REST endpoint" back={back}>
      {error || sources.error ? (
        <ProblemAlert
          error={error ?? sources.error}
          title="The endpoint could not be loaded"
          onRetry={() => Promise.all([refetch(), sources.refetch()])}
        />
      ) : (
        <Loading />
      )}
    </Page>
  );
}

/** The page to open instead of the form, and what it is told. */
interface NextPage {
  readonly to: string;
  readonly state?: unknown;
}
