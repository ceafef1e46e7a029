/**
 * The mappings that a change of content types breaks, each problem with its place in the query.
 */
import { Anchor, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ReportedMapping } from '../../../api.ts';
import { restEndpointList } from '../../../parts/data/lists.ts';

/** A row for each problem, with a link to the endpoint. */
export function MappingRows({ mappings }: { mappings: readonly ReportedMapping[] }) {
  const { data } = useQuery(restEndpointList);
  // The published name of an endpoint may not be that of its draft.
  const findId = ({ restEndpoint, state }: ReportedMapping) =>
    data?.items.find(
      ({ draft, published }) => (state === 'draft' ? draft : published?.definition)?.name === restEndpoint,
    )?.id;
  return mappings.flatMap((broken) => {
    const { restEndpoint, mapping, state, problems } = broken;
    const id = findId(broken);
    return problems.map(({ line, column, message }) => (
      <Table.Tr key={`${restEndpoint} ${mapping} ${state} ${line} ${column} ${message}`}>
        <Table.Td>
          {id === undefined ? (
            restEndpoint
          ) : (
            <Anchor component={Link} to={`/admin/rest-endpoints/${id}`} size="sm">
              {restEndpoint}
            </Anchor>
          )}
        </Table.Td>
        <Table.Td>{mapping}</Table.Td>
        <Table.Td>{state}</Table.Td>
        <Table.Td>
          line {line}, column {column}
        </Table.Td>
        <Table.Td>{message}</Table.Td>
      </Table.Tr>
    ));
  });
}
