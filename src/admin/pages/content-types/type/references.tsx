/**
 * Which types a type refers to, and which refer to it.
 */
import { Anchor, Code, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import { wordsOfName } from '../../../../text/words-of-name.ts';
import { admin, answer, type ContentType } from '../../../api.ts';
import { fieldPaths } from '../../../parts/data/field-paths.ts';
import { typeNames, useTypeNames } from '../../../parts/data/lists.ts';
import { pathOfTypePage } from '../../../parts/data/load-titles.ts';
import { FactTable } from '../../../parts/layout/fact-table.tsx';
import { Section } from '../../../parts/layout/page.tsx';
import { Loaded } from '../../../parts/loading/loading.tsx';

/** How many types are listed. */
const maxListed = 100;

/** A type at the other end of references, and the paths of the fields that have them. */
interface Referred {
  readonly type: string;
  readonly paths: readonly string[];
}

/** The section. */
export function TypeReferences({ type }: { type: ContentType }) {
  const known = new Set(useQuery(typeNames).data?.items.map((each) => each.class));
  const to = group(
    fieldPaths(type).flatMap(({ path, field }) =>
      (field.type.targets ?? []).map((target) => ({ type: target, path })),
    ),
  );
  const from = group((type.referencedBy ?? []).map(({ class: name, path }) => ({ type: name, path })));
  return (
    <Section title="References" id="references">
      <Referring
        title="From its assets to"
        none="Its assets refer to no others."
        referred={to}
        known={known}
      />
      <Referring
        title="To its assets from"
        none="No type refers to its assets."
        referred={from}
        known={known}
      />
    </Section>
  );
}

function Referring({
  title,
  none,
  referred,
  known,
}: {
  title: string;
  none: string;
  referred: readonly Referred[];
  known: ReadonlySet<string>;
}) {
  if (referred.length === 0) return <Text size="sm">{none}</Text>;
  return (
    <>
      <Text size="sm">{title}</Text>
      <List size="sm" mb="xs" aria-label={title}>
        {referred.slice(0, maxListed).map(({ type, paths }) => (
          <List.Item key={type}>
            {known.has(type) ? <TypeLinks types={[type]} /> : type}: {paths.map(wordsOfPath).join('; ')}
          </List.Item>
        ))}
        {referred.length > maxListed && <List.Item>and {referred.length - maxListed} more types</List.Item>}
      </List>
    </>
  );
}

/** The names of fields on the way to a reference; those of another type, whose labels are not loaded, too. */
const wordsOfPath = (path: string) =>
  path.startsWith('cms.') ? wordsOfName(path) : path.split('.').map(wordsOfName).join(', ');

function group(references: readonly { readonly type: string; readonly path: string }[]): Referred[] {
  return Object.entries(Object.groupBy(references, ({ type }) => type))
    .map(([type, found = []]) => ({ type, paths: [...new Set(found.map(({ path }) => path))] }))
    .toSorted((one, other) => one.type.localeCompare(other.type));
}

/** The links, with commas between. */
export function TypeLinks({ types }: { types: readonly string[] }) {
  const nameOf = useTypeNames();
  return types.map((type, n) => (
    <Fragment key={type}>
      {n > 0 && ', '}
      <Anchor component={Link} to={pathOfTypePage(type)} size="sm" underline="always" title={type}>
        {nameOf(type)}
      </Anchor>
    </Fragment>
  ));
}

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
