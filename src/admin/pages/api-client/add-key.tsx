/**
 * Adds an API key by its name, and if wanted with a time at which it expires.
 */
import { Group, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { type SyntheticEvent, useRef, useState } from 'react';
import { BusyButton } from '../../parts/forms/busy-button.tsx';
import { errorAt } from '../../parts/forms/error-at.ts';
import { useAction } from '../../parts/forms/use-action.ts';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';
import { describeZone, fromInputText } from '../../parts/time/local-time.ts';
import type { NewKey } from './client-data.ts';

/** The fields and a button. The fields are cleared once the key is created. */
export function AddKey({ add }: { add: (key: NewKey) => Promise<void> }) {
  const [name, setName] = useState('');
  const [expiry, setExpiry] = useState('');
  const clear = () => {
    setName('');
    setExpiry('');
  };
  const { run, error, isPending } = useAction(add, { onSuccess: clear });
  const [isIncomplete, setIncomplete] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const expiresAt = fromInputText(expiry);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    // The value of a date without a time is empty, which must not make a key that never expires.
    const hasFlaw = input.current?.validity.badInput === true;
    setIncomplete(hasFlaw);
    if (!hasFlaw) run({ name, expiresAt });
  };
  const flaws = {
    name: errorAt(error, 'name'),
    expiresAt: isIncomplete ? 'It needs a date and a time.' : errorAt(error, 'expiresAt'),
  };
  const isAtField = flaws.name !== undefined || flaws.expiresAt !== undefined;
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="xs">
        <SimpleGrid cols={{ base: 1, sm: 2 }} maw={816}>
          <TextInput
            label="Name of the new key"
            description="What the key is used for, such as the name of a program."
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={flaws.name}
          />
          <TextInput
            ref={input}
            type="datetime-local"
            label="Expires"
            description={`Leave empty for a key that does not expire. Your time zone, ${describeZone(expiresAt)}.`}
            value={expiry}
            onChange={(event) => setExpiry(event.currentTarget.value)}
            error={flaws.expiresAt}
          />
        </SimpleGrid>
        {!isAtField && <ProblemAlert error={error} title="No key was added" />}
        <Group>
          <BusyButton variant="default" isBusy={isPending}>
            Add key
          </BusyButton>
        </Group>
      </Stack>
    </form>
  );
}
