/**
 * The choice of the release to work in, and the strip in the header that says which one it is.
 */
import { Anchor, Button, Group, NativeSelect, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { ApiProblem } from '../../api.ts';
import { isWithoutLog } from '../problems/problem-alert.tsx';
import { nameOfRelease, pathOfRelease, releaseByName, releaseList } from './release-data.ts';
import { leaveRelease, useChooseRelease, useWorkRelease } from './work-release.ts';

/** The choice; nothing where the store has no releases. */
export function ReleaseSelect() {
  const release = useWorkRelease();
  const choose = useChooseRelease();
  const { data } = useQuery({ ...releaseList, staleTime: 60_000 });
  if (!data) return null;
  const known = data.items.map((each) => ({ value: each.name, label: nameOfRelease(each) }));
  const isKnown = release === undefined || known.some(({ value }) => value === release);
  return (
    <NativeSelect
      size="xs"
      maw={200}
      aria-label="Release to work in"
      value={release ?? ''}
      data={[
        { value: '', label: 'Live' },
        ...known,
        ...(isKnown ? [] : [{ value: release, label: release }]),
      ]}
      onChange={({ currentTarget: { value } }) => choose(value === '' ? undefined : value)}
    />
  );
}

/** The strip. A release that was deleted, or that the store does not have, is left for the live content. */
export function ReleaseStrip({ release }: { release: string }) {
  const choose = useChooseRelease();
  const { data, error } = useQuery({ ...releaseByName(release), staleTime: 60_000 });
  const isGone = (error instanceof ApiProblem && error.status === 404) || isWithoutLog(error);
  useEffect(() => {
    if (!isGone) return;
    leaveRelease();
    if (!isWithoutLog(error)) {
      const message = `The release "${release}" does not exist any more. You see the live content.`;
      notifications.show({ message, color: 'orange' });
    }
  }, [isGone, error, release]);
  return (
    <Group
      component="section"
      aria-label="Release"
      h={36}
      px="md"
      gap="xs"
      wrap="nowrap"
      justify="space-between"
      bg="light-dark(#ece6fb, #33275c)"
      c="light-dark(#3d2380, #e5dbff)"
    >
      <Text size="sm" truncate>
        You work in:{' '}
        <Anchor component={Link} to={pathOfRelease(release)} inherit c="inherit" fw={600} underline="always">
          {data ? nameOfRelease(data) : release}
        </Anchor>
      </Text>
      <Button size="compact-xs" variant="default" flex="none" onClick={() => choose(undefined)}>
        Show live content
      </Button>
    </Group>
  );
}
