/**
 * The keys of an API client with their use, and the form that adds one.
 */

import { Group, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type SyntheticEvent, useRef, useState } from 'react';
import type { ApiClient, ApiKey } from '../../api.ts';
import { keyUsage, LastUse, RequestCount } from '../../parts/data/usage-cells.tsx';
import { BusyButton, useAction } from '../../parts/forms/busy-button.tsx';
import { errorAt } from '../../parts/forms/error-at.ts';
import { Mark } from '../../parts/layout/mark.tsx';
import { type ListColumn, ResourceList } from '../../parts/list/resource-list.tsx';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';
import { Ago } from '../../parts/time/ago.tsx';
import { describeZone, fromInputText } from '../../parts/time/local-time.ts';
import type { NewKey } from './client-data.ts';

/** The list; `onRemove` is called with the key to remove. */
export function KeyTable({ client, onRemove }: { client: ApiClient; onRemove: (key: ApiKey) => void }) {
  const usage = useQuery(keyUsage(client.clientId));
  // A key that expires while the page is open is marked when the page is opened again.
  const [nowMs] = useState(Date.now);
  const columns: readonly ListColumn<ApiKey>[] = [
    { id: 'name', head: 'Name', value: ({ name }) => name },
    {
      id: 'created',
      head: 'Created',
      isTime: true,
      value: ({ createdAt }) => createdAt,
    },
    { id: 'used', head: 'Last used', cell: ({ id }) => <LastUse usage={usage.data} id={id} /> },
    {
      id: 'requests',
      head: 'Requests in 30 days',
      isFigure: true,
      cell: ({ id }) => <RequestCount usage={usage.data} id={id} />,
    },
    {
      id: 'expires',
      head: 'Expires',
      cell: ({ expiresAt }) => <Expiry expiresAt={expiresAt} nowMs={nowMs} />,
    },
  ];
  return (
    <>
      <ProblemAlert error={usage.error} title="Could not load the use of the keys" onRetry={usage.refetch} />
      <ResourceList
        label="API keys"
        columns={columns}
        rows={client.keys}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        menuOf={(key) => [{ label: 'Remove…', isDanger: true, run: () => onRemove(key) }]}
      />
    </>
  );
}

function Expiry({ expiresAt, nowMs }: { expiresAt: number | undefined; nowMs: number }) {
  if (expiresAt === undefined) return 'Never';
  return (
    <>
      <Ago ms={expiresAt} /> {expiresAt <= nowMs && <Mark color="orange">Expired</Mark>}
    </>
  );
}

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
