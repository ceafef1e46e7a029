/**
 * The dialog of an action on many assets: what will happen, then how far it is, then what failed.
 */
import { Alert, Button, Group, List, Progress, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type SyntheticEvent, useState } from 'react';
import type { Run } from '../../../../api.ts';
import { RunLink } from '../../../../parts/changes/actor-name.tsx';
import { TextDialog } from '../../../../parts/confirm/dialog.tsx';
import { countOf, formatNumber } from '../../../../parts/data/number-words.ts';
import { useAction } from '../../../../parts/forms/busy-button.tsx';
import { LeaveGuard } from '../../../../parts/forms/form-bar.tsx';
import { ProblemAlert } from '../../../../parts/problems/problem-alert.tsx';
import { refreshDrafts } from '../../../../parts/releases/release-data.ts';
import { useWorkRelease } from '../../../../parts/releases/work-release.ts';
import type { SelectedAsset, Selection } from '../use-selection.ts';
import { undoRun } from './bulk-run.ts';
import type { useBulk } from './use-bulk.ts';

/** How many assets are listed. */
const maxListed = 50;

/**
 * The dialog. `done` says what was done, such as `deleted`; `children` say what will happen. What succeeded is no longer selected
 * if `deselects`; what failed stays selected.
 */
export function BulkDialog({
  title,
  action,
  done,
  color = 'indigo',
  bulk,
  isReady = true,
  selection,
  onRun,
  onClose,
  undo = (run) => <UndoBulk run={run} />,
  children,
}: {
  title: string;
  action: string;
  done: string;
  color?: string;
  bulk: Omit<ReturnType<typeof useBulk>, 'run'>;
  isReady?: boolean;
  selection: Selection;
  onRun: () => void;
  onClose: () => void;
  /** How what was done in a run is undone. */
  undo?: (run: string) => ReactNode;
  children: ReactNode;
}) {
  const { phase, total, succeeded, failures, stop, undoable } = bulk;
  const release = useWorkRelease();
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    // A dialog within a form must not submit that form.
    event.stopPropagation();
    if (isReady && phase === 'ready') onRun();
  };
  const close = () => {
    if (phase === 'running') return;
    if (phase === 'done') selection.replace(failures);
    onClose();
  };
  const tried = succeeded.length + failures.length;
  return (
    <TextDialog
      opened
      onClose={close}
      isUnsaved={phase === 'ready'}
      title={title}
      size="lg"
      withCloseButton={phase !== 'running'}
    >
      <LeaveGuard isChanged={phase === 'running'} />
      <form onSubmit={submit}>
        <Stack>
          {phase === 'ready' && children}
          {phase === 'running' && (
            <Progress value={(100 * tried) / Math.max(1, total)} aria-label="Progress" />
          )}
          {phase === 'ready' && release !== undefined && (
            <Text size="sm" c="dimmed">
              The changes become drafts of the release {release}. They belong to no run, and are discarded in
              the release.
            </Text>
          )}
          {undoable !== undefined && undo(undoable)}
          {phase === 'done' && failures.length > 0 && (
            <>
              <Failures failures={failures} done={done} />
              {succeeded.length > 0 && (
                <Text size="sm" dir="auto">
                  These were {done}: {listNames(succeeded)}
                </Text>
              )}
            </>
          )}
          <Group py="sm" mb="calc(0px - var(--mantine-spacing-sm))" style={inView}>
            <Text role="status" size="sm" flex={1}>
              {phase !== 'ready' && `${formatNumber(succeeded.length)} of ${formatNumber(total)} ${done}`}
            </Text>
            {phase === 'ready' && (
              <>
                <Button variant="default" onClick={close}>
                  Cancel
                </Button>
                <Button type="submit" color={color} disabled={!isReady}>
                  {action}
                </Button>
              </>
            )}
            {phase === 'running' && (
              <Button variant="default" onClick={stop}>
                Stop
              </Button>
            )}
            {phase === 'done' && <Button onClick={close}>Close</Button>}
          </Group>
        </Stack>
      </form>
    </TextDialog>
  );
}

/** The buttons stay at the lower edge of a dialog that scrolls. */
const inView = { position: 'sticky', bottom: 0, zIndex: 1, background: 'var(--mantine-color-body)' } as const;

function listNames(items: readonly SelectedAsset[]): string {
  const named = items.slice(0, maxListed).map(({ name }) => name);
  const more = items.length - named.length;
  return named.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function Failures({
  failures,
  done,
}: {
  failures: Parameters<typeof BulkDialog>[0]['bulk']['failures'];
  done: string;
}) {
  const title =
    failures.length === 1
      ? `1 asset was not ${done}`
      : `${formatNumber(failures.length)} assets were not ${done}`;
  return (
    <Alert color="red" variant="light" title={title} role="alert">
      <List size="sm" mah="40vh" style={{ overflowY: 'auto' }} tabIndex={0}>
        {failures.slice(0, maxListed).map(({ asset, name, message }) => (
          <List.Item key={asset._id}>
            <strong>{name}</strong>: {message}
          </List.Item>
        ))}
        {failures.length > maxListed && <List.Item>and {failures.length - maxListed} more</List.Item>}
      </List>
      <Text size="sm" mt="xs">
        They stay selected, so that you can try again.
      </Text>
    </Alert>
  );
}

/** The button, and afterwards what was undone. */
export function UndoBulk({ run }: { run: string }) {
  const client = useQueryClient();
  const [undone, setUndone] = useState<Run>();
  const [undoing, setUndoing] = useState<Run>();
  const undo = useAction(() => undoRun(run, setUndoing), {
    onSuccess: (reverted) => {
      setUndone(reverted);
      void refreshDrafts(client);
      void client.invalidateQueries({ queryKey: ['runs'] });
    },
  });
  const { state, written = 0, conflicts = 0 } = undone?.revert ?? {};
  const isComplete = state === 'finished' && conflicts === 0;
  return (
    <>
      <ProblemAlert error={undo.error} title="The changes could not be undone" />
      {undone && (
        <Alert
          color={isComplete ? 'green' : 'orange'}
          variant="light"
          role="status"
          title={state === 'finished' ? `Undone: ${countOf(written, 'asset')}` : 'The undo was interrupted'}
        >
          {conflicts > 0 && `${countOf(conflicts, 'change')} could not be undone. Open the run to see why.`}
        </Alert>
      )}
      {undo.isPending && undoing && (
        <Text size="sm" role="status">
          {countOf(undoing.revert?.written ?? 0, 'asset')} undone so far. The server goes on if you close this
          dialog.
        </Text>
      )}
      <Group gap="xs">
        {!undone && (
          <Button variant="default" size="compact-sm" loading={undo.isPending} onClick={() => undo.run()}>
            Undo
          </Button>
        )}
        <Text size="sm" c="dimmed">
          Run <RunLink name={run} />
        </Text>
      </Group>
    </>
  );
}
