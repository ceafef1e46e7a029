/**
 * The rules that the assets of a type break, with links to the assets.
 */
import { Anchor, Code, Table } from '@mantine/core';
import { Link } from 'react-router';
import type { UnfitCount } from '../../api.ts';
import { UnknownFieldHint } from '../../parts/assets/unknown-field-hint.tsx';
import { isUnknownField, pathOfRepair, pathOfUnfit } from '../../parts/data/unfit.ts';
import { DataTable } from '../../parts/layout/data-table.tsx';

/** How many examples a rule shows. */
const shownIds = 3;

/** One row for each rule, the most frequent first. */
export function RuleTable({ count: { class: type, name, rules } }: { count: UnfitCount }) {
  const sorted = rules.toSorted((one, other) => other.assets - one.assets);
  return (
    <DataTable label={`Rules of ${name}`} columns={['Field', 'Rule', 'Assets', 'Examples', 'Repair']}>
      {sorted.map(({ path, message, assets, ids }) => (
        <Table.Tr key={`${path} ${message}`}>
          <Table.Td>
            <Code>{path}</Code>
          </Table.Td>
          <Table.Td>
            {message}
            {isUnknownField({ message }) && <UnknownFieldHint />}
          </Table.Td>
          <Table.Td>{assets}</Table.Td>
          <Table.Td>
            {ids.slice(0, shownIds).map((_id) => (
              <div key={_id}>
                <Anchor component={Link} to={pathOfRepair({ _id, _type: type }, { path, message })} size="xs">
                  {_id}
                </Anchor>
              </div>
            ))}
          </Table.Td>
          <Table.Td>
            <Anchor
              component={Link}
              to={pathOfUnfit(type, { path, message })}
              size="sm"
              aria-label={`List all assets whose ${path} ${message}`}
            >
              List all
            </Anchor>
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}
