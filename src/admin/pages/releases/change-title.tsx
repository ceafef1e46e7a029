/**
 * Changes the title of a release. Its name stays.
 */
import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { admin, answer, type Release } from '../../api.ts';
import { Confirm } from '../../parts/confirm/confirm.tsx';

/** The dialog. */
export function ChangeTitle({
  release: { name, title = '' },
  isOpen,
  onClose,
}: {
  release: Release;
  isOpen: boolean;
  onClose: () => void;
}) {
  const [typed, setTyped] = useState(title);
  const client = useQueryClient();
  return (
    <Confirm
      title="Change the title"
      consequence={`The name "${name}", which stands in addresses, stays. Without a title, the release is shown by it.`}
      action="Change"
      color="indigo"
      isReady={typed.trim() !== title}
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={async () => {
        const next = typed.trim();
        await answer(
          admin.updateRelease({ path: { release: name }, body: { title: next === '' ? null : next } }),
        );
        await client.invalidateQueries({ queryKey: ['releases'] });
        onClose();
      }}
    >
      <TextInput
        label="Title"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        maxLength={200}
        data-autofocus
      />
    </Confirm>
  );
}
