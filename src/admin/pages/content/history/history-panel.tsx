/**
 * The history of an asset: its changes, what one of them did, and the way back.
 */
import { Anchor, Box, Button, Group, Radio, SegmentedControl, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import { releaseOfRun } from '../../../../text/publication-run.ts';
import { ApiProblem, type ContentChange, type ContentType } from '../../../api.ts';
import { actionWords, nameOfActor, RunLink } from '../../../parts/changes/actor-name.tsx';
import { assetById } from '../../../parts/data/asset-query.ts';
import { labelOfPath } from '../../../parts/data/field-label.ts';
import { ShowMore } from '../../../parts/layout/paging.tsx';
import { Loaded, Loading } from '../../../parts/loading/loading.tsx';
import { HistoryProblem, ProblemAlert } from '../../../parts/problems/problem-alert.tsx';
import {
  assetStates,
  nameOfRelease,
  pathOfRelease,
  releaseByName,
} from '../../../parts/releases/release-data.ts';
import { draftsRelease, useWorkRelease } from '../../../parts/releases/work-release.ts';
import { describeClock, describeDay, describeTime } from '../../../parts/time/local-time.ts';
import { useMay } from '../../../roles.ts';
import type { StoredAsset } from '../draft/use-asset-draft.ts';
import { ChangeDetails } from './change-details.tsx';
import { historyOf } from './history-data.ts';
import classes from './history-timeline.module.css';
import { useRestoreAtOnce } from './restore-dialog.tsx';

/** What a history is about; `onRestored` receives the asset after something was restored. */
interface HistoryPanelProps {
  readonly id: string;
  readonly type: ContentType;
  /** The release whose draft the history is of; absent for the live asset. */
  readonly release?: string;
  /** Undefined when the asset does not exist. */
  readonly current: StoredAsset | undefined;
  readonly onRestored: (stored: StoredAsset) => void;
}

type PresentProps = Omit<HistoryPanelProps, 'current' | 'release'>;

/**
 * The history of an asset with a form: that of the live asset and, if it is drafted or the user works in a release, that of its draft in
 * `release`. It is compared with what is stored now, which may be newer than what the form shows.
 */
export function PresentHistory({
  release,
  isDrafted,
  ...rest
}: PresentProps & {
  release: string | null;
  /** Whether the asset has a draft in the release. */
  isDrafted: boolean;
}) {
  const [place, setPlace] = useState(isDrafted ? 'draft' : 'live');
  const named = release !== null && release !== draftsRelease ? release : undefined;
  const { data } = useQuery({ ...releaseByName(named ?? ''), enabled: named !== undefined });
  const isWorking = useWorkRelease() !== undefined;
  if (release === null || !(isDrafted || isWorking)) return <LiveHistory {...rest} />;
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label="History of"
        transitionDuration={0}
        value={place}
        onChange={setPlace}
        data={[
          { value: 'live', label: 'Live asset' },
          {
            value: 'draft',
            label: named === undefined ? 'Draft' : `Draft in ${data ? nameOfRelease(data) : named}`,
          },
        ]}
        style={{ alignSelf: 'flex-start' }}
      />
      {place === 'live' ? <LiveHistory {...rest} /> : <DraftHistory release={release} {...rest} />}
    </Stack>
  );
}

function LiveHistory({ id, ...rest }: PresentProps) {
  const present = useQuery(assetById(id));
  const isGone = present.error instanceof ApiProblem && present.error.status === 404;
  if (isGone) return <HistoryPanel id={id} current={undefined} {...rest} />;
  return (
    <Loaded query={present} what="the current state">
      {(current) => <HistoryPanel id={id} current={current} {...rest} />}
    </Loaded>
  );
}

function DraftHistory({ id, release, ...rest }: PresentProps & { release: string }) {
  const states = useQuery(assetStates(id, release));
  return (
    <Loaded query={states} what="the current state">
      {({ drafted }) => <HistoryPanel id={id} release={release} current={drafted ?? undefined} {...rest} />}
    </Loaded>
  );
}

/** The history of an asset, also of a deleted one. */
export function HistoryPanel({ id, type, release, current, onRestored }: HistoryPanelProps) {
  const history = useInfiniteQuery(historyOf(id, release));
  const [chosenId, setChosenId] = useState<string>();
  const changes = history.data?.pages.flatMap(({ items }) => items) ?? [];
  const chosen = changes.find((change) => change.id === chosenId) ?? changes[0];
  const mayRestore = useMay('editor') && release === undefined && current !== undefined;
  const take = (stored: StoredAsset) => {
    setChosenId(undefined);
    onRestored(stored);
  };
  const restore = useRestoreAtOnce({ id, current, present: changes[0]?.version, onRestored: take });
  return (
    <Stack gap="sm">
      <HistoryProblem
        error={history.error}
        title="The history could not be loaded"
        onRetry={history.refetch}
      />
      {history.isPending && <Loading />}
      {release !== undefined && history.data && changes.length === 0 && (
        <Text size="sm">The release has had no draft of this asset.</Text>
      )}
      {changes.length > 0 && (
        <div>
          <HistoryTimeline
            type={type}
            changes={changes}
            chosen={chosen}
            onChoose={({ id }) => setChosenId(id)}
            onRestore={mayRestore ? restore.run : undefined}
          />
          <ProblemAlert
            error={restore.error}
            title="Not restored"
            nameOf={(path) => labelOfPath(type, path)}
          />
          <ShowMore query={history}>Show older changes</ShowMore>
        </div>
      )}
      {chosen && (
        <ChangeDetails
          // Another change begins with its own view.
          key={chosen.id}
          id={id}
          type={type}
          change={chosen}
          {...(release !== undefined && { release })}
          current={current}
          onRestored={take}
        />
      )}
    </Stack>
  );
}

/** The time line, the newest change first. The arrow keys go from one change to the next. */
function HistoryTimeline({
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
