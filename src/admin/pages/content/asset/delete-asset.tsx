/**
 * Deletes an asset after the user has typed its name.
 */
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import type { ContentType } from '../../../api.ts';
import { ConfirmByName } from '../../../parts/confirm/confirm-by-name.tsx';
import { titleOf } from '../../../parts/data/asset-titles.ts';
import type { StoredAsset } from '../draft/use-asset-draft.ts';
import { References, useReferences } from './references.tsx';
import { useDeleteAsset } from './save-asset.ts';

/** A button with its dialog. */
export function DeleteAsset({
  stored,
  type,
  onDeleted,
}: {
  stored: StoredAsset;
  type: ContentType;
  onDeleted: () => void;
}) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const remove = useDeleteAsset();
  const references = useReferences(stored.data._id, isOpen);
  return (
    <>
      <Button variant="default" onClick={open}>
        Delete
      </Button>
      <ConfirmByName
        name={nameOf(stored, type)}
        title={`Delete this ${type.name}?`}
        consequence="References to it stay, but lead nowhere. You can restore the asset from the deleted assets while its history is kept."
        isReady={!references.isFetching}
        action="Delete"
        isOpen={isOpen}
        onClose={close}
        onConfirm={async () => {
          await remove(stored);
          notifications.show({ message: 'Deleted' });
          onDeleted();
        }}
      >
        <References query={references} />
      </ConfirmByName>
    </>
  );
}

/** The text to type: the title if it can be typed, otherwise the ID. */
function nameOf({ data }: StoredAsset, type: ContentType): string {
  const title = titleOf(data, type);
  return /^\S+( \S+)*$/.test(title) && title.length <= 80 ? title : data._id;
}
