/**
 * The changes of an asset as a time line by day, one of them chosen.
 */
import { Anchor, Box, Button, Group, Radio, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Link } from 'react-router';
import { releaseOfRun } from '../../../../text/publication-run.ts';
import type { ContentChange, ContentType } from '../../../api.ts';
import { actionWords, nameOfActor, RunLink } from '../../../parts/changes/actor-name.tsx';
import { labelOfPath } from '../../../parts/data/field-label.ts';
import { nameOfRelease, pathOfRelease, releaseByName } from '../../../parts/releases/release-data.ts';
import { describeClock, describeDay, describeTime } from '../../../parts/time/local-time.ts';
import classes from './history-timeline.module.css';

/** The time line, the newest change first. The arrow keys go from one change to the next. */
export function HistoryTimeline({
  type,
  changes,
  chosen,
  onChoose,
  onRestore,
}: {
  type: ContentType;
  changes: readonly ContentChange[];
  chosen: ContentChange | undefined;
  onChoose: (change: ContentChange) => void;
  /** Restores the state that a change gave; absent where that is impossible. The newest change gave the present one. */
  onRestore: ((change: ContentChange) => void) | undefined;
}) {
  const group = useId();
  const days = Map.groupBy(changes, ({ at }) => describeDay(at) ?? '');
  return (
    // May scroll, so it must be reachable by keyboard.
    <Box role="group" aria-label="Changes" tabIndex={0} mah={420} style={{ overflowY: 'auto' }}>
      {[...days].map(([day, ofDay]) => (
        <Box key={day} mb="sm">
          <Text size="sm" fw={600} mb={4}>
            {day}
          </Text>
          <Stack component="ul" gap={4} className={classes.day} aria-label={day}>
            {ofDay.map((change) => (
              <li key={change.id} className={classes.change} data-chosen={change === chosen || undefined}>
                <Group gap="xs" wrap="nowrap" justify="space-between" align="flex-start">
                  <Radio
                    name={group}
                    size="sm"
                    aria-label={`Show the change of ${describeTime(change.at, { withSeconds: true })}`}
                    label={`${describeClock(change.at)} · ${nameOfActor(change.by)}`}
                    description={describeChange(type, change)}
                    checked={change === chosen}
                    onChange={() => onChoose(change)}
                  />
                  {onRestore && change !== changes[0] && change.version !== undefined && (
                    <Button
                      variant="default"
                      size="compact-xs"
                      flex="none"
                      aria-label={`Restore the state of ${describeTime(change.at, { withSeconds: true })}`}
                      onClick={() => onRestore(change)}
                    >
                      Restore
                    </Button>
                  )}
                </Group>
                {change.run !== undefined && <MadeBy run={change.run} />}
              </li>
            ))}
          </Stack>
        </Box>
      ))}
    </Box>
  );
}

/** The run that a change belongs to, and the release that it has published. */
function MadeBy({ run }: { run: string }) {
  const release = releaseOfRun(run);
  return (
    <Text size="xs" pl="xl" c="dimmed">
      {release !== undefined && (
        <>
          Published with <ReleaseLink name={release} />,{' '}
        </>
      )}
      {release === undefined ? 'Run' : 'run'} <RunLink name={run} isInText />
    </Text>
  );
}

/** A release by its title; by its name alone where it no longer exists. */
function ReleaseLink({ name }: { name: string }) {
  const { data } = useQuery({ ...releaseByName(name), staleTime: 60_000 });
  if (!data) return name;
  return (
    <Anchor component={Link} to={pathOfRelease(name)} inherit underline="always" dir="auto">
      {nameOfRelease(data)}
    </Anchor>
  );
}

const maxNames = 6;

/** Such as `Changed Title and Body`, without the date of the change, which every change sets. */
function describeChange(type: ContentType, { action, changed }: ContentChange): string {
  const names = changed.filter((name) => name !== 'cms.content.updateDate');
  if (action !== 'update' || names.length === 0) return actionWords[action];
  const labels = names.slice(0, maxNames).map((name) => labelOfPath(type, name));
  const rest = names.length - maxNames;
  const shown = rest > 0 ? [...labels, `${rest} more`] : labels;
  return `${actionWords[action]} ${new Intl.ListFormat('en').format(shown)}`;
}
