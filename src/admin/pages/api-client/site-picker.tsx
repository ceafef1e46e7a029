/**
 * Restricts an API client to some sites, which are searched by name.
 */
import { MultiSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Asset, admin, answer } from '../../api.ts';
import type { Form } from '../../parts/forms/use-form.ts';
import type { ClientFields } from './client-data.ts';

const pageSize = 20;

/** A multiple choice; an empty choice means all. A deleted site is shown by its ID. */
export function SitePicker({ form }: { form: Form<ClientFields> }) {
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
