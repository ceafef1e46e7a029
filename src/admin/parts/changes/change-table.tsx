/**
 * Changes of content and settings in a table.
 */
import { Anchor, Code, Group, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Change } from '../../api.ts';
import { AssetName } from '../assets/asset-name.tsx';
import { pathOfAsset } from '../data/asset-titles.ts';
import { graphqlEndpointList } from '../data/lists.ts';
import { DataTable } from '../layout/data-table.tsx';
import { Moment } from '../time/moment.tsx';
import { ActorName } from './actor-name.tsx';
import classes from './change-table.module.css';
import { RunLink } from './run-link.tsx';

/** The table, in the order given; without the column of runs for the changes of one run. */
export function ChangeTable({ changes, withRun = true }: { changes: readonly Change[]; withRun?: boolean }) {
  // Of assets that are deleted by now.
  const titles = new Map(
    changes.flatMap(({ type, asset, name }) => (isContent(type) && name ? [[asset, name]] : [])),
  );
  const columns = ['When', 'What', 'Who', ...(withRun ? ['Run'] : [])];
  return (
    <DataTable label="Changes" columns={columns}>
      {changes.map((change) => (
        <Table.Tr key={change.id}>
          <Table.Td className={classes.when}>
            <Moment ms={change.at} withSeconds />
          </Table.Td>
          <Table.Td miw={200}>
            <What change={change} former={titles.get(change.asset)} />
            {change.publishAt !== undefined && (
              <>
                {' '}
                for <Moment ms={change.publishAt} />
              </>
            )}
          </Table.Td>
          <Table.Td>
            <ActorName actor={change.by} />
          </Table.Td>
          {withRun && (
            <Table.Td>
              <RunLink name={change.run} />
            </Table.Td>
          )}
        </Table.Tr>
      ))}
    </DataTable>
  );
}

/** What was done, with a link to what it was done to, if that has a page, by its title. */
function What({ change, former }: { change: Change; former: string | undefined }) {
  const { description, asset, type, name } = change;
  const path = pathOfChange(change);
  if (isContent(type) && name === undefined)
    return (
      <Group gap={4}>
        <span>{description}</span>
        {path !== undefined && (
          <Anchor component={Link} to={path} size="sm">
            <AssetName id={asset} former={former} />
          </Anchor>
        )}
      </Group>
    );
  const named = namedById[type.slice(systemPrefix.length)];
  if (name !== undefined && named && isUuid(name))
    return (
      <Group gap={4}>
        <span>{description.replace(` ${JSON.stringify(name)}`, '')}</span>
        {named(name)}
      </Group>
    );
  return (
    <>
      {path === undefined ? (
        <Text size="sm">{description}</Text>
      ) : (
        <Anchor component={Link} to={path} size="sm">
          {description}
        </Anchor>
      )}
      {name === undefined && <Code>{asset}</Code>}
    </>
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
    <Anchor component={Link} to={`/admin/graphql-endpoints/${id}`} size="sm" dir="auto">
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
