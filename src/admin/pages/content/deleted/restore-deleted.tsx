/**
 * Asks whether to restore a deleted asset, and restores it.
 */
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { DeletedContent } from '../../../api.ts';
import { Confirm } from '../../../parts/confirm/confirm.tsx';
import { pathOfAsset } from '../../../parts/data/asset-titles.ts';
import { toShortName } from '../../../parts/data/content-types.ts';
import { useRestore } from '../history/history-data.ts';

/** The dialog; open while there is an asset. It then opens the restored asset. */
export function RestoreDeleted({
  deleted,
  onClose,
}: {
  deleted: DeletedContent | undefined;
  onClose: () => void;
}) {
  // The dialog fades with the asset that it had.
  const [shown, setShown] = useState(deleted);
  if (deleted && deleted !== shown) setShown(deleted);
  const restore = useRestore();
  const navigate = useNavigate();
  return (
    <Confirm
      title={`Restore ${shown?.title}?`}
      consequence={`The ${toShortName(shown?._type ?? '')} is created again, with its ID and all its fields.`}
      action="Restore"
      color="indigo"
      isOpen={deleted !== undefined}
      onClose={onClose}
      onConfirm={async () => {
        if (!shown) return;
        const { _id: id, version } = shown;
        const { data } = await restore({ id, version, tag: undefined });
        notifications.show({ message: 'Restored', color: 'green' });
        await navigate(pathOfAsset(data));
      }}
    />
  );
}
