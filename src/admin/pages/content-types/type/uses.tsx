/**
 * Who reads, writes or hears of the assets of a type: endpoints, webhooks and API clients.
 */
import { Anchor, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { type ApiClient, admin, answer, type ContentType } from '../../../api.ts';
import { countOf } from '../../../parts/data/number-words.ts';
import { type Fact, FactTable } from '../../../parts/layout/fact-table.tsx';
import { Section } from '../../../parts/layout/page.tsx';
import { Loaded } from '../../../parts/loading/loaded.tsx';

/** How many users of one kind are listed. */
const maxListed = 50;

/** All endpoints, webhooks and API clients: one request for each list, whatever the number of types. */
const users = {
  queryKey: ['type-uses'],
  queryFn: async () => {
    const [graphql, rest, webhooks, clients] = await Promise.all([
      answer(admin.listGraphqlEndpoints()),
      answer(admin.listRestEndpoints()),
      answer(admin.listWebhooks()),
      answer(admin.listApiClients()),
    ]);
    return { graphql: graphql.items, rest: rest.items, webhooks: webhooks.items, clients: clients.items };
  },
};

/** The section. */
export function TypeUses({ type }: { type: ContentType }) {
  const query = useQuery(users);
  const isMeant = (names: readonly string[]) =>
    names.some((name) => name === '*' || name === type.class || type.interfaces.includes(name));
  return (
    <Section title="Used by">
      <Loaded query={query} what="who uses the type">
        {({ graphql, rest, webhooks, clients }) => {
          const endpoints = graphql.filter(({ readTypes }) => isMeant(readTypes));
          const ids = new Set(endpoints.map(({ id }) => id));
          const facts: readonly Fact[] = [
            [
              'GraphQL endpoints',
              list(endpoints, ({ id, name, writeTypes }) => ({
                to: `/admin/graphql-endpoints/${id}`,
                name,
                note: isMeant(writeTypes) ? 'read and write' : 'read',
              })),
            ],
            [
              'REST endpoints',
              list(
                rest.filter(({ draft }) => ids.has(draft.source)),
                ({ id, draft, state }) => ({
                  to: `/admin/rest-endpoints/${id}`,
                  name: draft.name,
                  note: `${countOf(draft.mappings.length, 'mapping')}${state === 'draft' ? ', not published' : ''}`,
                }),
              ),
            ],
            [
              'Webhooks',
              list(
                webhooks.filter(({ types }) => isMeant(types)),
                ({ id, name, actions }) => ({ to: `/admin/webhooks/${id}`, name, note: actions.join(', ') }),
              ),
            ],
            [
              'API clients',
              list(
                clients.filter((client) => mayReach(client, ids)),
                ({ clientId, name, scopes }) => ({
                  to: `/admin/api-clients/${clientId}`,
                  name,
                  note: scopes.join(', '),
                }),
              ),
            ],
          ];
          return (
            <>
              <Text size="sm">
                REST endpoints are those of the GraphQL endpoints that can read the type. API clients are
                those that may reach its assets.
              </Text>
              <FactTable facts={facts} />
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

/** Whether a client may use the content management API, or one of the GraphQL endpoints. */
function mayReach({ scopes, endpoints, revokedAt }: ApiClient, ids: ReadonlySet<string>): boolean {
  if (revokedAt !== undefined) return false;
  if (scopes.some((scope) => scope === 'admin' || scope.startsWith('cma:'))) return true;
  return scopes.includes('graphql') && ids.size > 0 && (endpoints?.some((id) => ids.has(id)) ?? true);
}

/** Lists users with links; says so if there are none. */
function list<User>(
  all: readonly User[],
  describe: (user: User) => { readonly to: string; readonly name: string; readonly note: string },
): ReactNode {
  if (all.length === 0) return 'None';
  return (
    <List size="sm" listStyleType="none">
      {all
        .slice(0, maxListed)
        .map(describe)
        .map(({ to, name, note }) => (
          <List.Item key={to}>
            <Anchor component={Link} to={to} size="sm" underline="always" dir="auto">
              {name}
            </Anchor>{' '}
            ({note})
          </List.Item>
        ))}
      {all.length > maxListed && <List.Item>and {all.length - maxListed} more</List.Item>}
    </List>
  );
}
