/**
 * Adds an API key by its name.
 */
import { Group, Stack, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { BusyButton } from '../../parts/forms/busy-button.tsx';
import { errorAt } from '../../parts/forms/error-at.ts';
import { useAction } from '../../parts/forms/use-action.ts';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';

/** A field and a button. The field is cleared once the key is created. */
export function AddKey({ add }: { add: (name: string) => Promise<void> }) {
  const [name, setName] = useState('');
  const { run, error, isPending } = useAction(add, { onSuccess: () => setName('') });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    run(name);
  };
  const flaw = errorAt(error, 'name');
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="xs">
        <TextInput
          label="Name of the new key"
          description="What the key is used for, such as the name of a program."
          maw={400}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={flaw}
        />
        {flaw === undefined && <ProblemAlert error={error} title="No key was added" />}
        <Group>
          <BusyButton variant="default" isBusy={isPending}>
            Add key
          </BusyButton>
        </Group>
      </Stack>
    </form>
  );
}
