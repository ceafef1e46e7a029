/**
 * Takes back the latest change of an asset. It asks no question, since the history keeps both states.
 */
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useAction } from '../../../parts/forms/use-action.ts';
import { ProblemAlert } from '../../../parts/problems/problem-alert.tsx';
import type { StoredAsset } from '../draft/use-asset-draft.ts';
import { useRestore } from './history-data.ts';

/** A button that restores `version`, the state before the change, unless someone has changed the asset with `tag` since. */
export function UndoChange({
  id,
  version,
  tag,
  onRestored,
}: {
  id: string;
  version: string;
  tag: string | undefined;
  onRestored: (stored: StoredAsset) => void;
}) {
  const restore = useRestore();
  const undo = useAction(() => restore({ id, version, tag }), {
    onSuccess: (stored) => {
      notifications.show({ message: 'The change is undone', color: 'green' });
      onRestored(stored);
    },
  });
  return (
    <>
      <Button variant="default" size="xs" loading={undo.isPending} onClick={() => undo.run()}>
        Undo this change
      </Button>
      <ProblemAlert error={undo.error} title="The change was not undone" />
    </>
  );
}
