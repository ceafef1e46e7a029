/**
 * The revert of a run: its preview, its start, its progress and its result.
 */
import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { Run } from '../../api.ts';
import { Confirm } from '../../parts/confirm/confirm.tsx';
import { formatNumber } from '../../parts/data/number-words.ts';
import { Section } from '../../parts/layout/page.tsx';
import { useMay } from '../../roles.ts';
import { useSession } from '../../session.ts';
import { RevertPreview } from './revert-preview.tsx';
import { countWrites, useRevert } from './run-data.ts';

/** The section of the page of a run. */
export function RevertRun({ run }: { run: Run }) {
  const [isPreviewed, setIsPreviewed] = useState(false);
  const [isAsking, { open, close }] = useDisclosure(false);
  const revert = useRevert();
  const state = run.revert?.state;
  const user = useSession()?.user;
  const isDeveloper = useMay('developer');
  if (run.isIrreversible && !run.revert) {
    return (
      <Section title="Revert">
        <Text size="sm">
          This run has deleted assets with their history, so it cannot be reverted. What it changed or created
          can be taken back in the history of each asset.
        </Text>
      </Section>
    );
  }
  const mayRevert = isDeveloper || (run.by.kind === 'user' && run.by.id === user?.id);
  return (
    <Section title="Revert">
      <Stack gap="sm">
        {!run.revert && (
          <Text size="sm">
            Reverting brings every asset that the run has written back to its former state. Changes that
            others have made since are kept.
          </Text>
        )}
        {run.revert && <RevertState run={run} revert={run.revert} />}
        <Group gap="xs">
          {state !== 'running' && !isPreviewed && (
            <Button variant="default" onClick={() => setIsPreviewed(true)}>
              {state === 'finished' ? 'List the conflicts' : 'Preview'}
            </Button>
          )}
          {state !== 'running' && mayRevert && (
            <Button variant="default" onClick={open}>
              {actionOf(state)}
            </Button>
          )}
        </Group>
        {!mayRevert && (
          <Text size="sm">Only users with the role developer revert runs that somebody else began.</Text>
        )}
        {isPreviewed && state !== 'running' && <RevertPreview run={run.name} />}
      </Stack>
      <Confirm
        title={`Revert ${run.name}?`}
        consequence="The assets are changed back in the background. The revert is a run itself, so that you can revert it too."
        action="Revert"
        isOpen={isAsking}
        onClose={close}
        onConfirm={async () => {
          await revert(run.name);
          setIsPreviewed(false);
          close();
        }}
      />
    </Section>
  );
}

function actionOf(state: 'running' | 'interrupted' | 'finished' | undefined): string {
  if (state === 'interrupted') return 'Continue the revert…';
  return state === 'finished' ? 'Try the rest again…' : 'Revert…';
}

function RevertState({ run, revert }: { run: Run; revert: NonNullable<Run['revert']> }) {
  const { state, examined, written, conflicts } = revert;
  const total = Math.max(countWrites(run), examined, 1);
  const result = `${formatNumber(written)} ${written === 1 ? 'write was' : 'writes were'} made, and ${formatNumber(conflicts)} ${conflicts === 1 ? 'conflict was' : 'conflicts were'} left as they are.`;
  if (state === 'finished') {
    return (
      <Alert color={conflicts > 0 ? 'orange' : 'green'} variant="light" title="Reverted" role="status">
        {result}
      </Alert>
    );
  }
  return (
    <Alert
      color={state === 'running' ? 'blue' : 'red'}
      variant="light"
      title={state === 'running' ? 'Reverting' : 'The revert was interrupted'}
      role="status"
    >
      <Text size="sm" mb="xs">
        {formatNumber(examined)} of {formatNumber(total)} writes checked. {result}
      </Text>
      <Progress value={(100 * examined) / total} aria-label="Writes checked" />
    </Alert>
  );
}
