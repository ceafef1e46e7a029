/**
 * Shows that the code of a page could not be loaded, and a way to try again.
 */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Page } from '../layout/page.tsx';
import { ProblemAlert } from '../problems/problem-alert.tsx';
import { hasReloaded, isServerThere, type PageLoadError, reload } from './page-load.ts';

/** How long to wait before the server is asked again. */
const pauseMs = 2000;

/** Reloads the UI as soon as the server answers, once for each time the page is opened. After that, only a button reloads it. */
export function LoadFailure({ error }: { error: PageLoadError }) {
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
