/**
 * The name, scopes and restrictions of an API client.
 */
import { Button, Checkbox, Fieldset, Group, MultiSelect, Stack, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type ApiClient, type Asset, admin, answer, type Scope, type Tagged } from '../../api.ts';
import { LastRecordSave } from '../../parts/changes/last-save.tsx';
import { graphqlEndpointList } from '../../parts/data/lists.ts';
import { FormFrame } from '../../parts/forms/form-frame.tsx';
import type { FormLabels, FormOptions } from '../../parts/forms/form-options.ts';
import { type Form, useForm } from '../../parts/forms/use-form.ts';
import { useMay } from '../../roles.ts';
import { blankClient, type ClientFields, toChanges, toFields, toNewClient } from './client-data.ts';

/** The form of a client. `reload` reads it again when another user has changed it. */
export function ClientForm({
  seen,
  isReadOnly = false,
  save,
  reload,
  children,
}: {
  /** Absent of a new client. */
  seen?: Tagged<ApiClient>;
  isReadOnly?: boolean;
  save: (fields: ClientFields, seen: Tagged<ApiClient> | undefined) => Promise<unknown>;
  reload?: FormOptions<ApiClient, ClientFields, never>['reload'];
  children?: ReactNode;
}) {
  const id = seen?.data.clientId ?? 'new';
  const form = useForm<ApiClient, ClientFields>({
    place: `api-client ${id}`,
    labels,
    action: seen ? 'Save' : 'Create API client',
    seen,
    blank: blankClient,
    toFields,
    toBody: seen ? toChanges : toNewClient,
    save: ({ fields, seen: on }) => save(fields, on),
    reload,
  });
  return (
    <FormFrame
      form={form}
      label="API client"
      savedAt={seen?.data.updatedAt}
      lastSave={<LastRecordSave type="ApiClient" read={() => answer(admin.getApiClient({ path: { id } }))} />}
      isReadOnly={isReadOnly}
    >
      {children}
      <Fieldset variant="unstyled" m={0} disabled={isReadOnly}>
        <Stack>
          <TextInput label="Name" required autoComplete="off" {...form.text('name')} />
          <TextInput
            label="Client ID"
            description={
              seen
                ? 'It cannot be changed.'
                : 'The ID that the client sends in X-Client-Id. Leave empty to generate one.'
            }
            readOnly={!form.isNew}
            autoComplete="off"
            {...form.text('clientId')}
          />
          <ScopeChoice form={form} />
          <SitePicker form={form} />
          <EndpointPicker form={form} />
        </Stack>
      </Fieldset>
    </FormFrame>
  );
}

const labels: FormLabels<ClientFields> = {
  name: 'Name',
  clientId: 'Client ID',
  scopes: 'Scopes',
  sites: 'Sites',
  endpoints: 'GraphQL endpoints',
};

/** A multiple choice; an empty choice means all. A deleted endpoint is shown by its ID. */
function EndpointPicker({ form }: { form: Form<ClientFields> }) {
  const { fields } = form;
  const { data } = useQuery(graphqlEndpointList);
  const isAdmin = fields.scopes.includes('admin');
  return (
    <MultiSelect
      label="GraphQL endpoints"
      description={
        isAdmin
          ? 'A client with the scope admin cannot be restricted.'
          : 'The endpoints it may use, including the REST endpoints mapped onto them. Leave empty for all.'
      }
      placeholder={fields.endpoints.length === 0 ? 'All endpoints' : ''}
      data={(data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      {...form.input('endpoints')}
      value={[...fields.endpoints]}
      disabled={isAdmin && fields.endpoints.length === 0}
      searchable
      hidePickedOptions
      nothingFoundMessage="No other endpoint matches"
    />
  );
}

const meanings: Readonly<Record<Scope, string>> = {
  'cma:read': 'Reads content through the content management API.',
  'cma:write': 'Creates, changes and deletes content through the content management API.',
  'cma:draft': 'Reads and writes the drafts of releases through the content management API.',
  history: 'Reads past states of content, and with cma:write restores them.',
  graphql: 'Uses GraphQL endpoints, and the REST endpoints mapped onto them.',
  metrics: 'Reads the metrics of the server at /metrics.',
  admin: 'Manages everything in this UI, through the admin API.',
};

/** What clients are usually made for. */
const presets: readonly { readonly label: string; readonly scopes: readonly Scope[] }[] = [
  { label: 'A website', scopes: ['graphql'] },
  { label: 'A website with previews', scopes: ['graphql', 'cma:draft'] },
  { label: 'Reading content', scopes: ['cma:read'] },
  { label: 'An import', scopes: ['cma:read', 'cma:write'] },
  { label: 'Monitoring', scopes: ['metrics'] },
];

const isSameSet = (some: readonly Scope[], others: readonly Scope[]) =>
  some.length === others.length && some.every((scope) => others.includes(scope));

// The record has exactly the scopes.
const scopes = Object.keys(meanings) as Scope[];

/** Checkboxes. `admin` excludes restrictions, since such a client could remove them itself. */
function ScopeChoice({ form }: { form: Form<ClientFields> }) {
  const { fields, change } = form;
  const isHeld = fields.sites.length > 0 || fields.endpoints.length > 0;
  const mayGiveAdmin = useMay('admin');
  const isBarred = (scope: Scope) =>
    scope === 'admin' && (isHeld || !mayGiveAdmin) && !fields.scopes.includes(scope);
  const toMeaning = (scope: Scope) =>
    !isBarred(scope)
      ? meanings[scope]
      : `${meanings[scope]} ${mayGiveAdmin ? 'Not for a client restricted to certain sites or endpoints.' : 'Only a user with the role admin can give it.'}`;
  return (
    <Checkbox.Group label="Scopes" required {...form.input('scopes')} value={[...fields.scopes]}>
      <Group gap="xs" my={4} role="group" aria-label="Usual scopes">
        {presets.map(({ label, scopes: usual }) => (
          <Button
            key={label}
            size="compact-xs"
            variant="default"
            aria-pressed={isSameSet(usual, fields.scopes)}
            onClick={() => change({ scopes: [...usual] })}
          >
            {label}
          </Button>
        ))}
      </Group>
      <Stack gap="xs" my={4}>
        {scopes.map((scope) => (
          <Checkbox
            key={scope}
            value={scope}
            label={scope}
            description={toMeaning(scope)}
            disabled={isBarred(scope)}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

const pageSize = 20;

/** A multiple choice; an empty choice means all. A deleted site is shown by its ID. */
function SitePicker({ form }: { form: Form<ClientFields> }) {
  const { sites, scopes } = form.fields;
  const [search, setSearch] = useState('');
  const [text] = useDebouncedValue(search.trim(), 200);
  const found = useSites({ ...(text && { where: 'name contains[c] ?', values: [text] }), limit: pageSize });
  const chosen = useSites({ where: '_id in ?', values: [sites], limit: 1000 });
  const isAdmin = scopes.includes('admin');
  const more = (found?.count ?? 0) - (found?.items.length ?? 0);
  const description = isAdmin
    ? 'A client with the scope admin cannot be restricted.'
    : 'The client sees and writes the content of these sites only. Leave empty for all.';
  const nothingFound = text === '' ? 'No other site' : 'No other site matches';
  return (
    <MultiSelect
      label="Sites"
      description={more > 0 ? `${description} Type to find the ${more} not listed.` : description}
      placeholder={sites.length === 0 ? 'All sites' : ''}
      data={toOptions([...(chosen?.items ?? []), ...(found?.items ?? [])])}
      // The server has searched already.
      filter={({ options }) => options}
      {...form.input('sites')}
      value={[...sites]}
      searchValue={search}
      onSearchChange={setSearch}
      disabled={isAdmin && sites.length === 0}
      searchable
      hidePickedOptions
      nothingFoundMessage={found ? nothingFound : 'Searching …'}
    />
  );
}

function useSites(search: { where?: string; values?: unknown[]; limit: number }) {
  const body = { from: 'com.colophon.cms.db.Site', sort: [{ field: 'name' }], fields: ['name'], ...search };
  const { data } = useQuery({
    queryKey: ['sites', body],
    queryFn: () => answer(admin.runQuery({ body })),
    placeholderData: keepPreviousData,
  });
  return data;
}

function toOptions(sites: readonly Asset[]) {
  const labels = new Map(sites.map((site) => [site._id, String(site.name)]));
  return [...labels].map(([value, label]) => ({ value, label }));
}
