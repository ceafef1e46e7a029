/**
 * The stored assets that a change of content types breaks, by rule.
 */
import { Anchor, Code, Stack, Table } from '@mantine/core';
import { Link } from 'react-router';
import type { TypeBreaks } from '../../../api.ts';
import { pathOfAsset } from '../../../parts/data/asset-titles.ts';

/** A row for each rule, with links to the first assets that break it. */
export function ContentRows({ types }: { types: readonly TypeBreaks[] }) {
  return types.flatMap(({ type, assets, rules }) =>
    rules.map(({ path, message, count, ids }) => (
      <Table.Tr key={`${type} ${path} ${message}`}>
        <Table.Td>
          <Code>{type}</Code>
        </Table.Td>
        <Table.Td>{path !== '' && <Code>{path}</Code>}</Table.Td>
        <Table.Td>{message}</Table.Td>
        <Table.Td>
          {count} of {assets}
        </Table.Td>
        <Table.Td>
          <Stack gap={4}>
            {ids.map((id) => (
              <Anchor key={id} component={Link} to={pathOfAsset({ _id: id, _type: type })} size="sm">
                {id}
              </Anchor>
            ))}
          </Stack>
        </Table.Td>
      </Table.Tr>
    )),
  );
}
