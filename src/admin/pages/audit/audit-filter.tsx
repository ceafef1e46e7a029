/**
 * The filters of the audit log: who, what, when, which action and which run.
 */
import { Button, Group, Select, SimpleGrid, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import type { Change } from '../../api.ts';
import { actionWords } from '../../parts/changes/action-words.ts';
import { nameOfActor } from '../../parts/changes/actor-name.tsx';
import { systemPrefix } from '../../parts/changes/change-table.tsx';
import { apiClientList, typeList } from '../../parts/data/lists.ts';
import { describeZone, fromInputText, toInputText } from '../../parts/time/local-time.ts';
import { useSession } from '../../session.ts';
import type { AuditQuery } from './audit-query.ts';

const settings = [
  { value: 'ApiClient', label: 'API clients' },
  { value: 'User', label: 'Users' },
  { value: 'GraphqlEndpoint', label: 'GraphQL endpoints' },
  { value: 'RestEndpoint', label: 'REST endpoints' },
  { value: 'Run', label: 'Runs' },
  { value: 'Webhook', label: 'Webhooks' },
].map(({ value, label }) => ({ value: systemPrefix + value, label }));

/** The form; `changes` are those that are listed, whose senders can be chosen. */
export function AuditFilter({
  query,
  changes,
  onFilter,
}: {
  query: AuditQuery;
  changes: readonly Change[];
  onFilter: (query: AuditQuery) => void;
}) {
  const [draft, setDraft] = useState(query);
  const change = (some: { readonly [Name in keyof AuditQuery]: AuditQuery[Name] | undefined }) =>
    // Safe: `toParameters` leaves out what is undefined.
    setDraft((before) => ({ ...before, ...some }) as AuditQuery);
  const types = useQuery(typeList).data?.items ?? [];
  const senders = useSenders(changes, query);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    onFilter(draft);
  };
  const text = (name: 'asset' | 'run', label: string) => (
    <TextInput
      label={label}
      value={draft[name] ?? ''}
      onChange={(event) => change({ [name]: event.currentTarget.value.trim() || undefined })}
      autoComplete="off"
    />
  );
  const time = (name: 'from' | 'to', label: string) => (
    <TextInput
      type="datetime-local"
      label={label}
      description={`Your time zone, ${describeZone(draft[name])}.`}
      value={draft[name] === undefined ? '' : toInputText(draft[name]).slice(0, 16)}
      onChange={(event) => change({ [name]: fromInputText(event.currentTarget.value) })}
    />
  );
  return (
    <form onSubmit={submit} aria-label="Filters">
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }} verticalSpacing="xs">
        <Select
          label="Who"
          placeholder="Anyone"
          data={senders.choices}
          value={senders.toChoice(draft)}
          onChange={(value) => change(senders.toFilter(value))}
          clearable
          searchable
        />
        <Select
          label="What"
          placeholder="All types"
          data={[
            { group: 'Content', items: types.map(({ class: value, name: label }) => ({ value, label })) },
            { group: 'Settings', items: settings },
          ]}
          value={draft.type ?? null}
          onChange={(value) => change({ type: value ?? undefined })}
          clearable
          searchable
        />
        <Select
          label="Action"
          placeholder="All actions"
          data={Object.entries(actionWords).map(([value, label]) => ({ value, label }))}
          value={draft.action ?? null}
          onChange={(value) => change({ action: value ?? undefined })}
          clearable
        />
        {text('run', 'Run')}
        {time('from', 'From')}
        {time('to', 'To')}
        {text('asset', 'ID of the asset')}
        {/* As far down as the inputs, whose labels stand above them. */}
        <Group gap="xs" align="flex-start" mt={{ sm: 24 }}>
          <Button type="submit">Apply</Button>
          <Button variant="default" onClick={() => onFilter({})}>
            Clear
          </Button>
        </Group>
      </SimpleGrid>
    </form>
  );
}

const kinds = [
  { value: 'client', label: 'Any API client' },
  { value: 'user', label: 'Any user' },
  { value: 'anonymous', label: 'Anyone without credentials' },
  { value: 'command', label: 'Command line' },
  { value: 'system', label: 'Colophon' },
];

/** A choice is `<kind>` or `<kind>:<id>`. */
type Choice = { readonly value: string; readonly label: string };

/** The choices of a select, and their meaning as filters. */
function useSenders(changes: readonly Change[], query: AuditQuery) {
  const clients = useQuery(apiClientList).data?.items ?? [];
  const user = useSession()?.user;
  const users = new Map<string, string>(user ? [[user.id, user.email]] : []);
  for (const { by } of changes) {
    if (by.kind === 'user' && by.id !== undefined) users.set(by.id, nameOfActor(by));
  }
  const listed = [
    { group: 'Kinds', items: kinds },
    { group: 'Users', items: [...users].map(([id, label]) => ({ value: `user:${id}`, label })) },
    {
      group: 'API clients',
      items: clients.map(({ clientId, name }) => ({ value: `client:${clientId}`, label: name })),
    },
  ];
  const chosen = toChoice(query);
  const isListed = listed.some(({ items }) => items.some(({ value }) => value === chosen));
  const unlisted: Choice[] =
    chosen === null || isListed ? [] : [{ value: chosen, label: query.by ?? chosen }];
  return {
    choices: [...listed, ...(unlisted.length > 0 ? [{ group: 'Others', items: unlisted }] : [])],
    toChoice,
    toFilter,
  };
}

function toChoice({ byKind, by }: AuditQuery): string | null {
  if (by !== undefined) return `${byKind ?? 'client'}:${by}`;
  return byKind ?? null;
}

function toFilter(value: string | null): { byKind: string | undefined; by: string | undefined } {
  const [byKind, ...id] = (value ?? '').split(':');
  return { byKind: byKind || undefined, by: id.length > 0 ? id.join(':') : undefined };
}
