/**
 * Changes of content and settings in a list.
 */
import { Anchor, Code, Text } from '@mantine/core';
import { infiniteQueryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { admin, answer, type Change } from '../../api.ts';
import { AssetName } from '../assets/asset-name.tsx';
import { graphqlEndpointList } from '../data/lists.ts';
import { pathOfAsset } from '../data/load-titles.ts';
import { type ListColumn, ResourceList } from '../list/resource-list.tsx';
import { Ago, Moment } from '../time/ago.tsx';
import { ActorName, RunLink } from './actor-name.tsx';

/** The list, in the order given; without the column of runs for the changes of one run. */
export function ChangeTable({ changes, withRun = true }: { changes: readonly Change[]; withRun?: boolean }) {
  // Of assets that are deleted by now.
  const titles = new Map(
    changes.flatMap(({ type, asset, name }) => (isContent(type) && name ? [[asset, name]] : [])),
  );
  const columns: readonly ListColumn<Change>[] = [
    {
      id: 'what',
      head: 'What',
      cell: (change) => (
        <>
          <What change={change} former={titles.get(change.asset)} />
          {change.publishAt !== undefined && (
            <>
              {' '}
              <Done>
                for <Moment ms={change.publishAt} />
              </Done>
            </>
          )}
        </>
      ),
    },
    { id: 'who', head: 'Who', cell: ({ by }) => <ActorName actor={by} /> },
    { id: 'when', head: 'When', cell: ({ at }) => <Ago ms={at} /> },
    ...(withRun ? [{ id: 'run', head: 'Run', cell: ({ run }: Change) => <RunLink name={run} /> }] : []),
  ];
  return (
    <ResourceList
      label="Changes"
      columns={columns}
      rows={changes}
      isWhole={false}
      idOf={({ id }) => id}
      nameOf={({ description }) => description}
    />
  );
}

/** What was done, with a link to what it was done to, if that has a page, by its title. */
function What({ change, former }: { change: Change; former: string | undefined }) {
  const { description, asset, type, name } = change;
  const path = pathOfChange(change);
  if (isContent(type) && name === undefined)
    return (
      <>
        <Done>{description}</Done>{' '}
        {path !== undefined && (
          <Anchor component={Link} to={path} inherit c="inherit">
            <AssetName id={asset} former={former} />
          </Anchor>
        )}
      </>
    );
  const named = namedById[type.slice(systemPrefix.length)];
  if (name !== undefined && named && isUuid(name))
    return (
      <>
        <Done>{description.replace(` ${JSON.stringify(name)}`, '')}</Done> {named(name)}
      </>
    );
  return (
    <>
      {path === undefined ? (
        <Done>{description}</Done>
      ) : (
        <Anchor component={Link} to={path} inherit c="inherit">
          {description}
        </Anchor>
      )}
      {name === undefined && (
        <>
          {' '}
          <Code>{asset}</Code>
        </>
      )}
    </>
  );
}

/** Words that lead nowhere, thinner than those that do. */
function Done({ children }: { children: ReactNode }) {
  return (
    <Text span inherit fw={400}>
      {children}
    </Text>
  );
}

const isUuid = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);

/** The records whose name is the ID of something else, and what names that. */
const namedById: Readonly<Record<string, (id: string) => ReactNode>> = {
  Draft: (id) => <AssetName id={id} />,
  TrustedDocuments: (id) => <EndpointName id={id} />,
};

/** The name of a GraphQL endpoint as a link to its page; the ID of one that is gone. */
function EndpointName({ id }: { id: string }) {
  const endpoint = useQuery(graphqlEndpointList).data?.items.find((item) => item.id === id);
  if (!endpoint) return <Code>{id}</Code>;
  return (
    <Anchor component={Link} to={`/admin/graphql-endpoints/${id}`} inherit c="inherit" dir="auto">
      {endpoint.name}
    </Anchor>
  );
}

/** The address of the history of an asset, or of the page of an endpoint or a webhook; the pages of API clients have other addresses. */
export function pathOfChange({
  type,
  asset,
  action,
}: Pick<Change, 'type' | 'asset' | 'action'>): string | undefined {
  if (isContent(type)) return `${pathOfAsset({ _id: asset, _type: type })}?tab=history`;
  const folder = folders[type.slice(systemPrefix.length)];
  return folder === undefined || action === 'delete' ? undefined : `/admin/${folder}/${asset}`;
}

/** What the class names of system records begin with. */
export const systemPrefix = 'com.colophon.system.';

const isContent = (type: string) => !type.startsWith(systemPrefix);

const folders: Readonly<Record<string, string>> = {
  GraphqlEndpoint: 'graphql-endpoints',
  RestEndpoint: 'rest-endpoints',
  Webhook: 'webhooks',
};

/** The changes that fit the filters, in pages. The names of the filters are those of the API. */
export const changeList = (filters: URLSearchParams) =>
  infiniteQueryOptions({
    queryKey: ['changes', String(filters)],
    queryFn: ({ pageParam: cursor }) => {
      const { type, action, from, to, ...texts } = Object.fromEntries(filters);
      const query = {
        ...texts,
        ...(type !== undefined && { type: [type] }),
        ...(action !== undefined && { action: [action] }),
        ...(from !== undefined && { from: Number(from) }),
        ...(to !== undefined && { to: Number(to) }),
        ...(cursor !== undefined && { cursor }),
      };
      // Whatever the address says: the API rejects what it does not know.
      return answer(admin.listChanges({ query: query as NonNullable<ChangesQuery> }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });

type ChangesQuery = NonNullable<Parameters<typeof admin.listChanges>[0]>['query'];
