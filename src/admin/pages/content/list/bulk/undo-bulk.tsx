/**
 * Undoes what was done with many assets, and tells the result.
 */
import { Alert, Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Run } from '../../../../api.ts';
import { RunLink } from '../../../../parts/changes/actor-name.tsx';
import { countOf } from '../../../../parts/data/number-words.ts';
import { useAction } from '../../../../parts/forms/busy-button.tsx';
import { ProblemAlert } from '../../../../parts/problems/problem-alert.tsx';
import { refreshDrafts } from '../../../../parts/releases/release-data.ts';
import { undoRun } from './bulk-run.ts';

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
