/**
 * The error boundary of a page: it replaces a page that failed, so that the rest of the UI stays.
 */
import { Button, Center, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Component, type ReactNode, useEffect, useState } from 'react';
import { useRouteError } from 'react-router';
import { Page } from '../layout/page.tsx';
import { ProblemAlert } from '../problems/problem-alert.tsx';
import { hasReloaded, isServerThere, PageLoadError, reload } from './page-load.ts';

/** Shows its children, or why they failed; another `place` is another chance. */
export class PageBoundary extends Component<{ place: string; children: ReactNode }, Caught> {
  override state: Caught = { caught: undefined, place: this.props.place };

  static getDerivedStateFromError(error: unknown): Partial<Caught> {
    return { caught: { error } };
  }

  static getDerivedStateFromProps({ place }: { place: string }, state: Caught): Partial<Caught> | null {
    return place === state.place ? null : { place, caught: undefined };
  }

  override render(): ReactNode {
    const { caught, place } = this.state;
    if (!caught) return this.props.children;
    if (caught.error instanceof PageLoadError) return <LoadFailure key={place} error={caught.error} />;
    return <PageFailure error={caught.error} onRetry={() => this.setState({ caught: undefined })} />;
  }
}

interface Caught {
  readonly caught: { readonly error: unknown } | undefined;
  readonly place: string;
}

/** How long to wait before the server is asked again. */
const pauseMs = 2000;

/** Reloads the UI as soon as the server answers, once for each time the page is opened. After that, only a button reloads it. */
function LoadFailure({ error }: { error: PageLoadError }) {
  const [isByItself] = useState(() => !hasReloaded());
  const [isAway, setIsAway] = useState(false);
  const tryAgain = async () => {
    if (await isServerThere()) reload();
    else setIsAway(true);
  };
  useEffect(() => {
    if (!isByItself) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const attempt = async () => {
      const isThere = await isServerThere();
      if (isOver) return;
      if (isThere) return reload();
      setIsAway(true);
      timer = setTimeout(attempt, pauseMs);
    };
    void attempt();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isByItself]);
  return (
    <Page title="This page could not be loaded">
      <Stack gap="sm" role="status">
        <Text>{isAway ? awayText : hereText}</Text>
        {isByItself && <Text>The page reloads automatically as soon as the server answers.</Text>}
        {!isByItself && <ProblemAlert error={error} title="Reloading did not help" />}
      </Stack>
      <Group>
        <Button onClick={tryAgain}>Try again</Button>
      </Group>
    </Page>
  );
}

const awayText = 'The server does not answer. It may be restarting.';
const hereText =
  'The server did not send the code of this page. It may have been upgraded since you opened Colophon.';

/** The failure; `onRetry` renders the page again, which then loads its data again. */
function PageFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const client = useQueryClient();
  const tryAgain = () => {
    client.removeQueries({ type: 'inactive' });
    onRetry();
  };
  return (
    <Page title="This page failed">
      <ProblemAlert error={error} title="Something in this page went wrong" />
      <Text size="sm">What you saved is safe. If trying again does not help, reload Colophon.</Text>
      <Group>
        <Button onClick={tryAgain}>Try again</Button>
        <Button variant="default" onClick={reload}>
          Reload
        </Button>
      </Group>
    </Page>
  );
}

/** The failure, without the frame. */
export function UnexpectedFailure() {
  const error = useRouteError();
  return (
    <Center mih="100vh" p="md" component="main">
      <PageFailure error={error} onRetry={() => window.location.reload()} />
    </Center>
  );
}
