/**
 * Publishes the drafts of the selected assets in one step, and offers to undo that.
 */
import { Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { ContentType, Publication, Release } from '../../../../api.ts';
import { Dialog } from '../../../../parts/confirm/dialog.tsx';
import { countOf } from '../../../../parts/data/number-words.ts';
import { useAction } from '../../../../parts/forms/busy-button.tsx';
import { stateOf } from '../../../../parts/releases/release-data.ts';
import { PublishDialog } from '../../../releases/publish-dialog.tsx';
import { findSelected, type SelectedAsset, type Selection } from '../use-selection.ts';
import { UndoBulk } from './bulk-dialog.tsx';

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
