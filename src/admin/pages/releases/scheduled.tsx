/**
 * The scheduled releases by day, in the time zone of the user.
 */
import { Anchor, Group, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Release } from '../../api.ts';
import { countOf } from '../../parts/data/number-words.ts';
import { Mark } from '../../parts/layout/mark.tsx';
import { Section } from '../../parts/layout/page.tsx';
import { Loaded } from '../../parts/loading/loading.tsx';
import { nameOfRelease, pathOfRelease, scheduledReleases } from '../../parts/releases/release-data.ts';
import { Moment } from '../../parts/time/ago.tsx';
import { describeDay, describeMoment } from '../../parts/time/local-time.ts';

/** The list; the earliest day first. */
export function Scheduled() {
  const query = useQuery(scheduledReleases);
  if (!query.error && !query.data?.items.length) return null;
  return (
    <Section title="Scheduled">
      <Loaded query={query} what="the scheduled releases">
        {({ items, isWhole }) => (
          <>
            {[...Map.groupBy(items, ({ publishAt }) => describeDay(publishAt))].map(
              ([day = '', releases]) => (
                <div key={day}>
                  <Text size="sm" fw={600} mt="xs">
                    {day}
                  </Text>
                  <List size="sm" listStyleType="none" aria-label={day}>
                    {releases.map((release) => (
                      <List.Item key={release.name} style={{ overflowWrap: 'anywhere' }}>
                        <Anchor
                          component={Link}
                          to={pathOfRelease(release.name)}
                          size="sm"
                          underline="always"
                        >
                          {nameOfRelease(release)}
                        </Anchor>{' '}
                        {countOf(release.drafts, 'draft')},{' '}
                        {release.stopped ? (
                          <ScheduleState release={release} />
                        ) : (
                          // Without the day, under which it stands.
                          describeMoment(release.publishAt, release.publishAt)
                        )}
                      </List.Item>
                    ))}
                  </List>
                </div>
              ),
            )}
            {!isWhole && <Text size="sm">There are more than are shown.</Text>}
          </>
        )}
      </Loaded>
    </Section>
  );
}

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
