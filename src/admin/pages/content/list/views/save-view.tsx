/**
 * The dialog that saves what a list shows as a view.
 */
import { Checkbox, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { admin, answer } from '../../../../api.ts';
import { Confirm } from '../../../../parts/confirm/confirm.tsx';
import { useMay } from '../../../../roles.ts';
import type { ShownList } from './view-data.ts';

/** The longest name that the server takes. */
export const maxName = 100;

/** The dialog. */
export function SaveView({
  shown: { type, query, columns },
  onClose,
}: {
  shown: ShownList;
  onClose: () => void;
}) {
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  const mayShare = useMay('editor');
  const client = useQueryClient();
  return (
    <Confirm
      title="Save this view"
      consequence="The view keeps the search, the filters, the order, the columns and the size of the pages."
      action="Save view"
      color="indigo"
      isReady={name.trim() !== ''}
      isOpen
      onClose={onClose}
      onConfirm={async () => {
        const chosen = columns && { columns: [...columns] };
        const body = { name: name.trim(), type: type.class, query, shared, ...chosen };
        await answer(admin.createView({ body }));
        await client.invalidateQueries({ queryKey: ['views'] });
        notifications.show({ message: `View "${body.name}" saved` });
        onClose();
      }}
    >
      <TextInput
        label="Name"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={maxName}
        autoComplete="off"
        data-autofocus
      />
      {mayShare && (
        <Checkbox
          label="For everybody"
          description="All users see the view, and all editors can change it."
          checked={shared}
          onChange={(event) => setShared(event.currentTarget.checked)}
        />
      )}
    </Confirm>
  );
}
