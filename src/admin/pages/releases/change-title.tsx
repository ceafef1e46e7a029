/**
 * Changes the title of a release. Its name stays.
 */
import { Button, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { admin, answer, type Release } from '../../api.ts';
import { Confirm } from '../../parts/confirm/confirm.tsx';

/** A button with its dialog. */
export function ChangeTitle({ release: { name, title = '' } }: { release: Release }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const [typed, setTyped] = useState(title);
  const client = useQueryClient();
  return (
    <>
      <Button
        variant="default"
        px="sm"
        onClick={() => {
          setTyped(title);
          open();
        }}
      >
        Change the title…
      </Button>
      <Confirm
        title="Change the title"
        consequence={`The name "${name}", which stands in addresses, stays. Without a title, the release is shown by it.`}
        action="Change"
        color="indigo"
        isReady={typed.trim() !== title}
        isOpen={isOpen}
        onClose={close}
        onConfirm={async () => {
          const next = typed.trim();
          await answer(
            admin.updateRelease({ path: { release: name }, body: { title: next === '' ? null : next } }),
          );
          await client.invalidateQueries({ queryKey: ['releases'] });
          close();
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
    </>
  );
}
