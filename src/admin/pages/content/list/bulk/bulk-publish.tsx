/**
 * Publishes the drafts of the selected assets in one step, or withdraws assets that are live, and offers to undo that.
 */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  ApiProblem,
  admin,
  answer,
  type ContentType,
  ifMatch,
  type Publication,
  type Release,
} from '../../../../api.ts';
import { RunLink } from '../../../../parts/changes/actor-name.tsx';
import { Dialog } from '../../../../parts/confirm/dialog.tsx';
import { countOf } from '../../../../parts/data/number-words.ts';
import { useAction } from '../../../../parts/forms/busy-button.tsx';
import { ProblemAlert } from '../../../../parts/problems/problem-alert.tsx';
import { refreshDrafts, stateOf } from '../../../../parts/releases/release-data.ts';
import { draftsRelease } from '../../../../parts/releases/work-release.ts';
import { Findings, PublishDialog } from '../../../releases/publish-dialog.tsx';
import { findSelected, type SelectedAsset, type Selection } from '../use-selection.ts';
import { BulkDialog, UndoBulk } from './bulk-dialog.tsx';
import { type InspectedAsset, Inspection, useInspection } from './inspection.tsx';
import { useBulk } from './use-bulk.ts';

/** The button, where the release has drafts, with its dialogs. */
export function BulkPublish({
  type,
  release,
  selection,
  isDisabled,
}: {
  type: ContentType;
  release: Release;
  selection: Selection;
  isDisabled: boolean;
}) {
  const [only, setOnly] = useState<readonly string[]>();
  const [published, setPublished] = useState<Publication>();
  const find = useAction(() => findDrafted(type, release.name, selection.items), {
    onSuccess: (ids) => {
      if (ids.length > 0) setOnly(ids);
      else notifications.show({ message: 'None of the selected assets has a draft.', color: 'orange' });
    },
    onError: ({ message }) =>
      notifications.show({ title: 'The drafts could not be found', message, color: 'red' }),
  });
  const end = () => selection.replace([]);
  return (
    <>
      {release.drafts > 0 && (
        <Button
          size="compact-sm"
          variant="default"
          disabled={isDisabled}
          loading={find.isPending}
          onClick={() => find.run()}
        >
          Publish…
        </Button>
      )}
      {only && (
        <PublishDialog
          release={release}
          only={only}
          onClose={() => setOnly(undefined)}
          onPublished={setPublished}
        />
      )}
      {published && (
        <Dialog opened onClose={end} title={`Published ${countOf(published.items.length, 'draft')}`}>
          <Stack>
            <Text size="sm">
              Undo brings back what was live before. The values of the drafts stay in the history of the
              assets.
            </Text>
            {published.run !== undefined && <UndoBulk run={published.run} />}
            <Group justify="flex-end">
              <Button onClick={end}>Close</Button>
            </Group>
          </Stack>
        </Dialog>
      )}
    </>
  );
}

/** Finds the selected assets that have drafts in a release: those that differ from the live ones. */
async function findDrafted(
  type: ContentType,
  release: string,
  items: readonly SelectedAsset[],
): Promise<readonly string[]> {
  const [live, drafted] = await Promise.all(
    [{}, { release }].map((place) => findSelected(type, items, undefined, place)),
  );
  return items
    .map(({ asset }) => asset._id)
    .filter((id) => {
      const [before, after] = [live?.get(id), drafted?.get(id)];
      return (before || after) && stateOf(before, after) !== 'live';
    });
}

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
