/**
 * The menu of the reference: the APIs, the published REST endpoints, the GraphQL endpoints with their explorer, and the guide.
 */
import { Box, NativeSelect, NavLink, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { GraphqlEndpoint, RestEndpoint } from '../../api.ts';
import { toHref } from '../../base-path.ts';

interface Entry {
  readonly to: string;
  readonly label: string;
}

/** The menu; `current` is the ID of the document that is shown. Small screens have a list to choose from. */
export function DocumentMenu({
  current,
  rest,
  graphql,
}: {
  current: string;
  rest: readonly RestEndpoint[];
  graphql: readonly GraphqlEndpoint[];
}) {
  const navigate = useNavigate();
  const [words, setWords] = useState('');
  const published = rest.flatMap(({ id, published }) =>
    published ? [{ to: `/docs/${id}`, label: published.definition.name }] : [],
  );
  const endpoints = graphql.map(({ id, name }) => ({ to: `/admin/explorer?endpoint=${id}`, label: name }));
  const groups = [
    { group: 'APIs', entries: apis },
    { group: 'REST endpoints', entries: byName(published) },
    { group: 'GraphQL endpoints', entries: byName(endpoints) },
  ];
  const isLong = published.length + endpoints.length >= manyEntries;
  const found = groups.map(({ group, entries }) => ({
    group,
    entries: entries.filter(({ label }) => label.toLowerCase().includes(words.trim().toLowerCase())),
  }));
  const chosen = current === 'cma' ? '/docs' : `/docs/${current}`;
  const isKnown = [...apis, ...published].some(({ to }) => to === chosen);
  return (
    <>
      <NativeSelect
        hiddenFrom="md"
        label="API"
        value={chosen}
        onChange={(event) => navigate(event.currentTarget.value)}
        data={[
          ...(isKnown ? [] : [{ value: chosen, label: 'None', disabled: true }]),
          ...groups.map(({ group, entries }) => ({
            group,
            items:
              entries.length > 0 ? entries.map(toItem) : [{ value: group, label: 'None', disabled: true }],
          })),
        ]}
      />
      <Box component="nav" aria-label="Reference" visibleFrom="md" w={220} flex="none">
        {isLong && (
          <TextInput
            size="sm"
            mb="sm"
            aria-label="Find an API"
            placeholder="Find"
            value={words}
            onChange={(event) => setWords(event.currentTarget.value)}
          />
        )}
        {found.map(({ group, entries }) => (
          <Box key={group} mb="sm">
            <Text size="xs" fw={600} c="dimmed" px="xs" py={4}>
              {group}
            </Text>
            {entries.length === 0 && (
              <Text size="sm" px="xs">
                {words !== '' || group !== 'REST endpoints' ? 'None' : 'None published yet'}
              </Text>
            )}
            {entries.map(({ to, label }) => (
              <NavLink
                key={to}
                component={Link}
                to={to}
                label={label}
                active={to === chosen}
                aria-current={to === chosen ? 'page' : undefined}
                variant="light"
                {...compact}
              />
            ))}
          </Box>
        ))}
        <NavLink component="a" href={toHref('/docs/guide')} label="The guide" variant="light" {...compact} />
      </Box>
    </>
  );
}

/** From how many endpoints on there is a box that finds some of them. */
const manyEntries = 12;

const byName = (entries: readonly Entry[]) =>
  entries.toSorted((one, other) => one.label.localeCompare(other.label));

/** The size of the links of the navigation. */
const compact = { px: 'xs', py: 4, bdrs: 'md' } as const;

const apis: readonly Entry[] = [
  { to: '/docs', label: 'Content management API' },
  { to: '/docs/admin', label: 'Admin API' },
];

const toItem = ({ to, label }: Entry) => ({ value: to, label });
