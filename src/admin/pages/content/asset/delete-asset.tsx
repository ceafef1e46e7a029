/**
 * Deletes an asset by a plain question where it can be restored, and by its name where it cannot.
 */
import { notifications } from '@mantine/notifications';
import type { ContentType } from '../../../api.ts';
import { Confirm, ConfirmByName } from '../../../parts/confirm/confirm.tsx';
import { titleOf } from '../../../parts/data/load-titles.ts';
import type { StoredAsset } from '../draft/use-asset-draft.ts';
import { References, useReferences } from './references.tsx';
import { useDeleteAsset } from './save-asset.ts';

/** How a deletion works: it is live and can be restored, or not since the store keeps no history or the history goes too, or it is drafted. */
export type Deletion = 'restorable' | 'final' | 'erasing' | 'drafted';

const consequences: Readonly<Record<Deletion, string>> = {
  restorable:
    'References to it stay, but lead nowhere. You can restore the asset from the deleted assets while its history is kept.',
  final: 'References to it stay, but lead nowhere. This cannot be undone, since the store keeps no history.',
  erasing:
    'References to it stay, but lead nowhere. Its history and its drafts in all releases are deleted, too. This cannot be undone.',
  drafted:
    'An asset that is live is deleted when the draft is published. References to it stay, but lead nowhere then. One that was never live is gone at once.',
};

/** The dialog, which says what refers to the asset. */
export function DeleteAsset({
  stored,
  type,
  deletion,
  release,
  isOpen,
  onClose,
  onDeleted,
}: {
  stored: StoredAsset;
  type: ContentType;
  deletion: Deletion;
  /** The release in which the deletion is drafted; absent for one that is live at once. */
  release: string | undefined;
  isOpen: boolean;
  onClose: () => void;
  onDeleted: () => void;
}) {
  const remove = useDeleteAsset(release);
  const references = useReferences(stored.data._id, isOpen);
  const dialog = {
    title: `Delete this ${type.name}?`,
    consequence: consequences[deletion],
    isReady: !references.isFetching,
    action: 'Delete',
    isOpen,
    onClose,
    onConfirm: async () => {
      await remove(stored);
      notifications.show({ message: release === undefined ? 'Deleted' : 'Deletion drafted' });
      onDeleted();
    },
    children: <References query={references} />,
  };
  if (deletion === 'final' || deletion === 'erasing')
    return <ConfirmByName name={nameOf(stored, type)} {...dialog} />;
  return <Confirm {...dialog} />;
}

/** The text to type: the title if it can be typed, otherwise the ID. */
function nameOf({ data }: StoredAsset, type: ContentType): string {
  const title = titleOf(data, type);
  return /^\S+( \S+)*$/.test(title) && title.length <= 80 ? title : data._id;
}
