/**
 * The name, scopes and restrictions of an API client.
 */
import { Button, Checkbox, Fieldset, Group, MultiSelect, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { admin, answer, type Scope } from '../../api.ts';
import { LastRecordSave } from '../../parts/changes/last-save.tsx';
import { graphqlEndpointList } from '../../parts/data/lists.ts';
import { FormFrame } from '../../parts/forms/form-frame.tsx';
import type { FormLabels } from '../../parts/forms/form-problem.tsx';
import { type Form, useForm } from '../../parts/forms/use-form.ts';
import { useMay } from '../../roles.ts';
import type { ClientFields } from './client-data.ts';
import { SitePicker } from './site-picker.tsx';

/** The form of the stored fields. `reload` reads them again when another user has changed them. */
export function ClientForm({
  stored,
  savedAt,
  isReadOnly = false,
  save,
  reload,
  children,
}: {
  stored: ClientFields;
  /** Absent of a new client. */
  savedAt?: number;
  isReadOnly?: boolean;
  save: (fields: ClientFields) => Promise<void>;
  reload?: () => Promise<unknown>;
  children?: ReactNode;
}) {
  const isNew = savedAt === undefined;
  const path = { id: stored.clientId };
  const form = useForm({ stored, place: `api-client ${isNew ? 'new' : stored.clientId}`, save, reload });
  return (
    <FormFrame
      form={form}
      labels={labels}
      label="API client"
      action={isNew ? 'Create API client' : 'Save'}
      savedAt={savedAt}
      lastSave={<LastRecordSave type="ApiClient" read={() => answer(admin.getApiClient({ path }))} />}
      isReadOnly={isReadOnly}
    >
      {children}
      <Fieldset variant="unstyled" m={0} disabled={isReadOnly}>
        <Stack>
          <TextInput
            label="Name"
            required
            autoComplete="off"
            value={form.fields.name}
            onChange={(event) => form.change({ name: event.currentTarget.value })}
            error={form.errorOf('name')}
            data-path="name"
          />
          <ClientId form={form} isNew={isNew} />
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

function ClientId({ form, isNew }: { form: Form<ClientFields>; isNew: boolean }) {
  return (
    <TextInput
      label="Client ID"
      description={
        isNew
          ? 'The ID that the client sends in X-Client-Id. Leave empty to generate one.'
          : 'It cannot be changed.'
      }
      readOnly={!isNew}
      autoComplete="off"
      value={form.fields.clientId}
      onChange={(event) => form.change({ clientId: event.currentTarget.value })}
      error={form.errorOf('clientId')}
      data-path="clientId"
    />
  );
}

/** A multiple choice; an empty choice means all. A deleted endpoint is shown by its ID. */
function EndpointPicker({ form }: { form: Form<ClientFields> }) {
  const { fields, change, errorOf } = form;
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
      value={[...fields.endpoints]}
      onChange={(endpoints) => change({ endpoints })}
      disabled={isAdmin && fields.endpoints.length === 0}
      error={errorOf('endpoints')}
      data-path="endpoints"
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
  const { fields, change, errorOf } = form;
  const isHeld = fields.sites.length > 0 || fields.endpoints.length > 0;
  const mayGiveAdmin = useMay('admin');
  const isBarred = (scope: Scope) =>
    scope === 'admin' && (isHeld || !mayGiveAdmin) && !fields.scopes.includes(scope);
  const toMeaning = (scope: Scope) =>
    !isBarred(scope)
      ? meanings[scope]
      : `${meanings[scope]} ${mayGiveAdmin ? 'Not for a client restricted to certain sites or endpoints.' : 'Only a user with the role admin can give it.'}`;
  return (
    <Checkbox.Group
      label="Scopes"
      required
      value={[...fields.scopes]}
      onChange={(chosen) => change({ scopes: chosen })}
      error={errorOf('scopes')}
      data-path="scopes"
    >
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
