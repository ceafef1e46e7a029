/**
 * Deletes the selected assets, after telling how many others refer to them.
 */
import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { admin, answer, ifMatch } from '../../../../api.ts';
import { inRelease } from '../../../../parts/releases/work-release.ts';
import { useSession } from '../../../../session.ts';
import type { Selection } from '../use-selection.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import { type InspectedAsset, Inspection, useInspection } from './inspection.tsx';
import { useBulk } from './use-bulk.ts';

/** The dialog. */
export function BulkDelete({ selection, onClose }: { selection: Selection; onClose: () => void }) {
  const [items] = useState(selection.items);
  const [typed, setTyped] = useState('');
  const { found, progress } = useInspection(items, inRelease());
  const bulk = useBulk(({ asset: { _id: id }, tag }: InspectedAsset, { query, headers }) =>
    answer(
      admin.deleteContent({
        path: { id },
        query,
        headers: { ...headers, ...ifMatch({ tag }) },
      }),
    ),
  );
  const number = String(items.length);
  const isErasing = useSession()?.erasesDeletions === true && inRelease().release === undefined;
  return (
    <BulkDialog
      title={items.length === 1 ? 'Delete 1 asset?' : `Delete ${number} assets?`}
      action="Delete"
      done="deleted"
      color="red"
      bulk={bulk}
      isReady={found.data !== undefined && typed === number}
      {...(isErasing && { undo: () => null })}
      selection={selection}
      onRun={() => void bulk.run(found.data ?? [])}
      onClose={onClose}
    >
      <Text size="sm">
        References to them stay, but lead nowhere. {isErasing ? erasing : restorable} An asset that someone
        changes meanwhile is not deleted.
      </Text>
      <Inspection found={found} progress={progress} />
      <TextInput
        label={`Type ${number}, the number of assets, to confirm`}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
        data-autofocus
      />
    </BulkDialog>
  );
}

const restorable = 'You can restore the assets from the deleted assets while their history is kept.';
const erasing = 'Their history and their drafts in all releases are deleted, too. This cannot be undone.';
