/**
 * The page that lists who changed what, and when. The URL holds the filters.
 */
import { ActionIcon, Box, Button, Collapse, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Change } from '../../api.ts';
import { serverUrl } from '../../base-path.ts';
import { actionWords, nameOfActor } from '../../parts/changes/actor-name.tsx';
import { ChangeTable, changeList, systemPrefix } from '../../parts/changes/change-table.tsx';
import { nameOfType } from '../../parts/data/field-label.ts';
import { apiClientList, typeList } from '../../parts/data/lists.ts';
import { countOf } from '../../parts/data/number-words.ts';
import { MoreIcon } from '../../parts/layout/icons.ts';
import { EmptyState, Page } from '../../parts/layout/page.tsx';
import { LoadedPages } from '../../parts/layout/paging.tsx';
import { HistoryProblem } from '../../parts/problems/problem-alert.tsx';
import { describeZone, fromInputText, toInputText } from '../../parts/time/local-time.ts';
import { useSession } from '../../session.ts';
import classes from './audit-filter.module.css';

export default function Audit() {
  const [parameters, setParameters] = useSearchParams();
  const query = useMemo(() => fromParameters(parameters), [parameters]);
  // What is listed stays until what fits the next filters is there.
  const list = useInfiniteQuery({ ...changeList(toParameters(query)), placeholderData: keepPreviousData });
  const changes = list.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Page
      title="Audit log"
      actions={
        <Button
          component="a"
          href={`${serverUrl}/api/admin/changes.csv?${toParameters(query)}`}
          download="changes.csv"
          variant="default"
          size="xs"
        >
          Download CSV
        </Button>
      }
    >
      <Stack gap={4}>
        <AuditFilter
          query={query}
          changes={changes}
          onFilter={(next, isTyped) => setParameters(toParameters(next), { replace: isTyped })}
        />
        <LoadedPages
          query={list}
          what="the audit log"
          more="Show older changes"
          empty={
            <EmptyState title="No changes found">Change the filters, or clear them to see all.</EmptyState>
          }
          Problem={HistoryProblem}
        >
          {(shown) => <ChangeTable changes={shown} />}
        </LoadedPages>
      </Stack>
    </Page>
  );
}

const settings = [
  { value: 'ApiClient', label: 'API clients' },
  { value: 'User', label: 'Users' },
  { value: 'GraphqlEndpoint', label: 'GraphQL endpoints' },
  { value: 'RestEndpoint', label: 'REST endpoints' },
  { value: 'Run', label: 'Runs' },
  { value: 'Webhook', label: 'Webhooks' },
].map(({ value, label }) => ({ value: systemPrefix + value, label }));

/** The filters; `changes` are those that are listed, whose senders can be chosen. `onFilter` hears whether the change was typed. */
function AuditFilter({
  query,
  changes,
  onFilter,
}: {
  query: AuditQuery;
  changes: readonly Change[];
  onFilter: (query: AuditQuery, isTyped: boolean) => void;
}) {
  const { draft, change, clear } = useFilterDraft(query, onFilter);
  const types = useQuery(typeList).data?.items ?? [];
  const senders = useSenders(changes, query);
  // On a small screen the entries come first.
  const [isOpen, { toggle }] = useDisclosure();
  const [hasMore, { toggle: toggleMore }] = useDisclosure(
    query.run !== undefined || query.asset !== undefined,
  );
  const [id, moreId] = [useId(), useId()];
  const count = toParameters(query).size;
  const text = (name: 'asset' | 'run', label: string) => (
    <TextInput
      label={label}
      value={draft[name] ?? ''}
      onChange={(event) => change({ [name]: event.currentTarget.value.trim() || undefined }, true)}
      autoComplete="off"
    />
  );
  const time = (name: 'from' | 'to', label: string) => (
    <TextInput
      type="datetime-local"
      aria-label={label}
      leftSection={<Text size="sm">{label}</Text>}
      leftSectionWidth={52}
      value={draft[name] === undefined ? '' : toInputText(draft[name]).slice(0, 16)}
      onChange={(event) => change({ [name]: fromInputText(event.currentTarget.value) }, true)}
    />
  );
  return (
    <Box role="search" aria-label="Filters">
      <Button hiddenFrom="sm" variant="default" aria-expanded={isOpen} aria-controls={id} onClick={toggle}>
        {count === 0 ? 'Filter' : `Filter (${countOf(count, 'condition')})`}
      </Button>
      <Box id={id} mt={{ base: 'xs', sm: 0 }} {...(!isOpen && { visibleFrom: 'sm' })}>
        <div className={classes.row}>
          <Select
            aria-label="Who"
            placeholder="Anyone"
            data={senders.choices}
            value={senders.toChoice(draft)}
            onChange={(value) => change(senders.toFilter(value))}
            clearable
            searchable
          />
          <Select
            aria-label="What"
            placeholder="All types"
            data={[
              {
                group: 'Content',
                items: types.map((type) => ({ value: type.class, label: nameOfType(type) })),
              },
              { group: 'Settings', items: settings },
            ]}
            value={draft.type ?? null}
            onChange={(value) => change({ type: value ?? undefined })}
            clearable
            searchable
          />
          <Select
            aria-label="Action"
            placeholder="All actions"
            data={Object.entries(actionWords).map(([value, label]) => ({ value, label }))}
            value={draft.action ?? null}
            onChange={(value) => change({ action: value ?? undefined })}
            clearable
          />
          {time('from', 'From')}
          {time('to', 'To')}
          <Group gap="xs" wrap="nowrap">
            {count > 0 && (
              <Button variant="subtle" px="xs" onClick={clear}>
                Clear
              </Button>
            )}
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={hasMore ? 'Fewer filters' : 'More filters'}
              title={hasMore ? 'Fewer filters' : 'More filters'}
              aria-expanded={hasMore}
              aria-controls={moreId}
              onClick={toggleMore}
            >
              <MoreIcon size={16} />
            </ActionIcon>
          </Group>
        </div>
        {(draft.from ?? draft.to) !== undefined && (
          <Text size="xs" c="dimmed" mt={4}>
            Times are in your time zone, {describeZone(draft.from ?? draft.to)}.
          </Text>
        )}
        <Collapse expanded={hasMore} id={moreId}>
          <div className={classes.more}>
            {text('run', 'Run')}
            {text('asset', 'ID of the asset')}
          </div>
        </Collapse>
      </Box>
    </Box>
  );
}

/** Filters to change; undefined takes one away. */
type FilterChange = { readonly [Name in keyof AuditQuery]: AuditQuery[Name] | undefined };

/** The filters as they are being chosen. A choice applies at once; what is typed applies when the person pauses. */
function useFilterDraft(query: AuditQuery, onFilter: (query: AuditQuery, isTyped: boolean) => void) {
  const [draft, setDraft] = useState(query);
  const sent = useRef(String(toParameters(query)));
  const apply = (next: AuditQuery, isTyped: boolean) => {
    sent.current = String(toParameters(next));
    onFilter(next, isTyped);
  };
  const applyTyped = useDebouncedCallback((next: AuditQuery) => apply(next, true), 500);
  useEffect(() => {
    // The address has changed otherwise, such as by going back.
    const present = String(toParameters(query));
    if (present === sent.current) return;
    sent.current = present;
    setDraft(query);
  }, [query]);
  const set = (next: AuditQuery, isTyped: boolean) => {
    setDraft(next);
    applyTyped.cancel();
    if (isTyped) applyTyped(next);
    else apply(next, false);
  };
  return {
    draft,
    // Safe: `toParameters` leaves out what is undefined.
    change: (some: FilterChange, isTyped = false) => set({ ...draft, ...some } as AuditQuery, isTyped),
    clear: () => set({}, false),
  };
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

/** Which changes to list; absent filters do not restrict. Times are milliseconds since 1970. */
interface AuditQuery {
  readonly byKind?: string;
  readonly by?: string;
  readonly type?: string;
  readonly action?: string;
  readonly asset?: string;
  readonly run?: string;
  readonly from?: number;
  readonly to?: number;
}

const names = ['byKind', 'by', 'type', 'action', 'asset', 'run'] as const;
const times = ['from', 'to'] as const;

/** Reads the filters from an address. Times that are none are left out. */
function fromParameters(parameters: URLSearchParams): AuditQuery {
  const texts = names.map((name) => [name, parameters.get(name) || undefined] as const);
  const moments = times.map((name) => [name, toTime(parameters.get(name))] as const);
  return Object.fromEntries([...texts, ...moments].filter(([, value]) => value !== undefined));
}

/** Writes the filters for an address, here as in the API. */
function toParameters(query: AuditQuery): URLSearchParams {
  const given = [...names, ...times].flatMap((name) => {
    const value = query[name];
    return value === undefined || value === '' ? [] : [[name, String(value)]];
  });
  return new URLSearchParams(given);
}

function toTime(text: string | null): number | undefined {
  return text !== null && /^\d{1,16}$/.test(text) ? Number(text) : undefined;
}
