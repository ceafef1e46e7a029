/**
 * The sessions of the signed-in user, and signing out of them.
 */
import { Button, Group, Stack, Text } from '@mantine/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { admin, answer, type OwnSession } from '../../api.ts';
import { Confirm } from '../../parts/confirm/confirm.tsx';
import { type ListColumn, ResourceList } from '../../parts/list/resource-list.tsx';
import { Loaded } from '../../parts/loading/loading.tsx';
import { Ago } from '../../parts/time/ago.tsx';
import { describeTime } from '../../parts/time/local-time.ts';
import { nameOfBrowser } from './browser-name.ts';

/** The sessions, as `{ items }`. */
export const ownSessionList = queryOptions({
  queryKey: ['own-sessions'],
  queryFn: () => answer(admin.listOwnSessions()),
  // Sessions begin and end elsewhere, too.
  gcTime: 0,
});

/** The list, and the dialogs that ask before a session ends. */
export function OwnSessions() {
  const query = useQuery(ownSessionList);
  const client = useQueryClient();
  const [ending, setEnding] = useState<OwnSession | 'others'>();
  const end = async () => {
    if (ending === 'others') await answer(admin.endOtherSessions());
    else if (ending) await answer(admin.endOwnSession({ path: { id: ending.id } }));
    await client.invalidateQueries({ queryKey: ownSessionList.queryKey });
    setEnding(undefined);
  };
  return (
    <Loaded query={query} what="your sessions">
      {({ items }) => (
        <Stack gap="sm">
          <SessionTable sessions={items} onEnd={setEnding} />
          {items.length > 1 && (
            <Group>
              <Button variant="default" onClick={() => setEnding('others')}>
                Sign out everywhere else…
              </Button>
            </Group>
          )}
          <Confirm
            title={ending === 'others' ? 'Sign out everywhere else?' : 'Sign out of this session?'}
            consequence={
              ending === 'others'
                ? 'All your sessions end, except the one of this page.'
                : 'That browser has to sign in again.'
            }
            action="Sign out"
            isOpen={ending !== undefined}
            onClose={() => setEnding(undefined)}
            onConfirm={end}
          />
        </Stack>
      )}
    </Loaded>
  );
}

function SessionTable({
  sessions,
  onEnd,
}: {
  sessions: readonly OwnSession[];
  onEnd: (session: OwnSession) => void;
}) {
  const presentFirst = sessions.toSorted((one, other) => Number(other.current) - Number(one.current));
  return (
    <ResourceList
      label="Sessions"
      columns={columns}
      rows={presentFirst}
      isWhole={false}
      idOf={({ id }) => id}
      nameOf={(session) => `${describeBrowser(session)}, signed in ${describeTime(session.beganAt)}`}
      menuOf={(session) => (session.current ? [] : [{ label: 'Sign out…', run: () => onEnd(session) }])}
    />
  );
}

const describeBrowser = ({ userAgent }: OwnSession) =>
  userAgent === undefined ? 'Unknown browser' : nameOfBrowser(userAgent);

const columns: readonly ListColumn<OwnSession>[] = [
  {
    id: 'browser',
    head: 'Browser',
    cell: (session) => (
      <>
        <span title={session.userAgent}>{describeBrowser(session)}</span>
        {session.current && (
          <Text span size="xs" c="dimmed">
            {' '}
            This page
          </Text>
        )}
      </>
    ),
  },
  { id: 'began', head: 'Signed in', cell: ({ beganAt }) => <Ago ms={beganAt} /> },
  { id: 'ends', head: 'Ends', cell: ({ expiresAt }) => <Ago ms={expiresAt} /> },
];
