/**
 * Who reads, writes or hears of the assets of a type: endpoints, routes, webhooks and API clients.
 */
import { Anchor, Code, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { admin, answer, type ContentType } from '../../../api.ts';
import { FactTable } from '../../../parts/layout/fact-table.tsx';
import { Section } from '../../../parts/layout/page.tsx';
import { Loaded } from '../../../parts/loading/loading.tsx';

/** The section. */
export function TypeUses({ type }: { type: ContentType }) {
  const query = useQuery({
    queryKey: ['type-uses', type.class],
    queryFn: () => answer(admin.getTypeUses({ path: { class: type.class } })),
  });
  return (
    <Section title="Used by" id="uses">
      <Loaded query={query} what="who uses the type">
        {({ graphqlEndpoints, routes, webhooks, apiClients }) => (
          <FactTable
            facts={[
              [
                'GraphQL endpoints',
                list(graphqlEndpoints, ({ id, name, writes }) => ({
                  to: `/admin/graphql-endpoints/${id}`,
                  name,
                  note: writes ? 'reads and writes' : 'reads',
                })),
              ],
              [
                'Published routes',
                list(routes, ({ restEndpoint, mapping, methods, path, writes }) => ({
                  to: `/admin/rest-endpoints/${restEndpoint.id}`,
                  name: `${restEndpoint.name}, ${mapping}`,
                  route: `${methods.join(', ')} ${path}`,
                  note: writes ? 'writes' : 'reads',
                })),
              ],
              [
                'Webhooks',
                list(webhooks, ({ id, name, actions }) => ({
                  to: `/admin/webhooks/${id}`,
                  name,
                  note: actions.join(', '),
                })),
              ],
              [
                'API clients',
                list(apiClients, ({ clientId, name, scopes }) => ({
                  to: `/admin/api-clients/${clientId}`,
                  name,
                  note: scopes.join(', '),
                })),
              ],
            ]}
          />
        )}
      </Loaded>
      <Text size="xs" c="dimmed" mt="xs">
        API clients are those that may reach the assets of the type.
      </Text>
    </Section>
  );
}

/** A user as it is listed. */
interface ListedUser {
  readonly to: string;
  readonly name: string;
  /** The methods and the path of a route. */
  readonly route?: string;
  readonly note: string;
}

/** Lists users with links, and says how many more there are; `None` if there are none. */
function list<User>(
  { count, items }: { readonly count: number; readonly items: readonly User[] },
  describe: (user: User) => ListedUser,
): ReactNode {
  if (count === 0) return 'None';
  return (
    <List size="sm" listStyleType="none">
      {items.map(describe).map(({ to, name, route, note }) => (
        <List.Item key={`${to} ${name} ${route}`} style={{ overflowWrap: 'anywhere' }}>
          {route !== undefined && (
            <>
              <Code>{route}</Code>{' '}
            </>
          )}
          <Anchor component={Link} to={to} size="sm" underline="always" dir="auto">
            {name}
          </Anchor>{' '}
          ({note})
        </List.Item>
      ))}
      {count > items.length && <List.Item>and {count - items.length} more</List.Item>}
    </List>
  );
}
