/**
 * Takes the selected assets off the live content, after telling how many others refer to them, and offers to publish them again.
 */
import { Alert, Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem, admin, answer, ifMatch } from '../../../../api.ts';
import { RunLink } from '../../../../parts/changes/actor-name.tsx';
import { countOf } from '../../../../parts/data/number-words.ts';
import { useAction } from '../../../../parts/forms/busy-button.tsx';
import { ProblemAlert } from '../../../../parts/problems/problem-alert.tsx';
import { refreshDrafts } from '../../../../parts/releases/release-data.ts';
import { draftsRelease } from '../../../../parts/releases/work-release.ts';
import { Findings } from '../../../releases/publish-dialog.tsx';
import type { SelectedAsset, Selection } from '../use-selection.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import { type InspectedAsset, Inspection, useInspection } from './inspection.tsx';
import { useBulk } from './use-bulk.ts';

/** The dialog. */
export function BulkWithdraw({ selection, onClose }: { selection: Selection; onClose: () => void }) {
  const [items] = useState(selection.items);
  const { found, progress } = useInspection(items, {});
  const bulk = useBulk(({ asset: { _id: id }, tag }: InspectedAsset, { headers }) =>
    answer(
      admin.withdrawContent({
        path: { id },
        headers: { ...headers, ...ifMatch({ tag }) },
      }),
    ),
  );
  return (
    <BulkDialog
      title={`Withdraw ${countOf(items.length, 'asset')}?`}
      action="Withdraw"
      done="withdrawn"
      color="red"
      bulk={bulk}
      isReady={found.data !== undefined}
      selection={selection}
      onRun={() => void bulk.run(found.data ?? [])}
      onClose={onClose}
      undo={(run) => <PublishAgain items={bulk.succeeded} run={run} />}
    >
      <Text size="sm">
        Readers do not see them any more. They stay in the release Drafts with their IDs, their values and
        their history, and are live again when you publish them, with what is drafted for them. References to
        them stay, but lead nowhere until then. An asset that someone changes meanwhile is not withdrawn.
      </Text>
      <Inspection found={found} progress={progress} />
    </BulkDialog>
  );
}

/** The button, and afterwards what was published. A revert of the run would keep the drafts. */
function PublishAgain({ items, run }: { items: readonly SelectedAsset[]; run: string }) {
  const client = useQueryClient();
  const publish = useAction(
    async () => {
      const only = items.map(({ asset }) => asset._id);
      try {
        return await answer(admin.publishRelease({ path: { release: draftsRelease }, body: { only } }));
      } finally {
        await refreshDrafts(client);
      }
    },
    { onSuccess: () => void client.invalidateQueries({ queryKey: ['runs'] }) },
  );
  const findings = publish.error instanceof ApiProblem ? publish.error.findings : [];
  return (
    <>
      <Findings release={draftsRelease} findings={findings} />
      {findings.length === 0 && (
        <ProblemAlert error={publish.error} title="The assets could not be published again" />
      )}
      {publish.data && (
        <Alert
          color="green"
          variant="light"
          role="status"
          title={`Published again: ${countOf(publish.data.items.length, 'asset')}`}
        />
      )}
      <Group gap="xs">
        {!publish.data && (
          <Button
            variant="default"
            size="compact-sm"
            loading={publish.isPending}
            onClick={() => publish.run()}
          >
            Publish again
          </Button>
        )}
        <Text size="sm" c="dimmed">
          Run <RunLink name={run} />
        </Text>
      </Group>
    </>
  );
}
