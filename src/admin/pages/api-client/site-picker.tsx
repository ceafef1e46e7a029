/**
 * Which sites an API client is held to, found by their names.
 */
import { MultiSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Asset, admin, answer } from '../../api.ts';
import type { Form } from '../../parts/use-form.ts';
import type { ClientFields } from './client-data.ts';

const pageSize = 20;

/** A choice of several; none means all. A site that is no more shows as its ID. */
export function SitePicker({ form }: { form: Form<ClientFields> }) {
  const { fields, change, errorOf } = form;
  const { sites, scopes } = fields;
  const [search, setSearch] = useState('');
  const [text] = useDebouncedValue(search.trim(), 200);
  const found = useSites({ ...(text && { where: 'name contains[c] ?', values: [text] }), limit: pageSize });
  const chosen = useSites({ where: '_id in ?', values: [sites], limit: 1000 });
  const isAdmin = scopes.includes('admin');
  const more = (found?.count ?? 0) - (found?.items.length ?? 0);
  const description = isAdmin
    ? 'All of them: a client with the scope admin cannot be held to some.'
    : 'Those whose content alone it may see and write. Leave it empty for all.';
  const nothingFound = text === '' ? 'There is no other site' : 'No other site has this in its name';
  return (
    <MultiSelect
      label="Sites"
      description={more > 0 ? `${description} Type to find the ${more} not listed.` : description}
      placeholder={sites.length === 0 ? 'All sites' : ''}
      data={toOptions([...(chosen?.items ?? []), ...(found?.items ?? [])])}
      // The server has searched already.
      filter={({ options }) => options}
      value={[...sites]}
      onChange={(picked) => change({ sites: picked })}
      searchValue={search}
      onSearchChange={setSearch}
      disabled={isAdmin && sites.length === 0}
      error={errorOf('sites')}
      searchable
      hidePickedOptions
      nothingFoundMessage={found ? nothingFound : 'Searching …'}
    />
  );
}

function useSites(search: { where?: string; values?: unknown[]; limit: number }) {
  const body = { from: 'com.colophon.cms.db.Site', sort: [{ field: 'name' }], ...search };
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
