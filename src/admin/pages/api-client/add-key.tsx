/**
 * Adds an API key by its name.
 */
import { Group, Stack, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { BusyButton } from '../../parts/busy-button.tsx';
import { errorAt } from '../../parts/error-at.ts';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { useAction } from '../../parts/use-action.ts';

/** A field and a button; the field is empty again once the key is there. */
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
          description="What it is for, such as the program that has it."
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
