/**
 * When a release goes live by its schedule, or why it did not.
 */
import { Anchor, Group } from '@mantine/core';
import { Link } from 'react-router';
import type { Release } from '../../api.ts';
import { Mark } from '../../parts/layout/mark.tsx';
import { pathOfRelease } from '../../parts/releases/release-data.ts';
import { Moment } from '../../parts/time/moment.tsx';

/** The time, or the reason as a link to the page of the release; without a schedule that of the last publication, if any. */
export function ScheduleState({ release: { name, publishAt, published, stopped } }: { release: Release }) {
  if (publishAt === undefined)
    return (
      published && (
        <>
          Published <Moment ms={published.at} />
        </>
      )
    );
  if (!stopped) return <Moment ms={publishAt} />;
  return (
    <Group gap="xs">
      <Mark color="red">Stopped</Mark>
      <Anchor
        component={Link}
        to={pathOfRelease(name)}
        size="sm"
        underline="always"
        style={{ overflowWrap: 'anywhere' }}
      >
        {stopped.message}
      </Anchor>
    </Group>
  );
}
