/**
 * The menu of the reference: the APIs, the published REST endpoints, the GraphQL endpoints with their explorer, and the guide.
 */
import { Box, NativeSelect, NavLink, Text } from '@mantine/core';
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
  const published = rest.flatMap(({ id, published }) =>
    published ? [{ to: `/docs/${id}`, label: published.definition.name }] : [],
  );
  const endpoints = graphql
    .map(({ id, name }) => ({ to: `/admin/explorer?endpoint=${id}`, label: name }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
  const groups = [
    { group: 'APIs', entries: apis },
    { group: 'REST endpoints', entries: published },
    { group: 'GraphQL endpoints', entries: endpoints },
  ];
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
        {groups.map(({ group, entries }) => (
          <Box key={group} mb="sm">
            <Text size="xs" fw={600} c="dimmed" px="xs" py={4}>
              {group}
            </Text>
            {entries.length === 0 && (
              <Text size="sm" px="xs">
                {group === 'REST endpoints' ? 'None published yet' : 'None'}
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

/** The size of the links of the navigation. */
const compact = { px: 'xs', py: 4, bdrs: 'md' } as const;

const apis: readonly Entry[] = [
  { to: '/docs', label: 'Content management API' },
  { to: '/docs/admin', label: 'Admin API' },
];

const toItem = ({ to, label }: Entry) => ({ value: to, label });
