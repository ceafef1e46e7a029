/**
 * The assets of a type in a table, ordered by clicking a column's head.
 */
import { Anchor, Code, Table, Text, UnstyledButton } from '@mantine/core';
import { Link } from 'react-router';
import type { Asset, ContentType, Field, SortKey } from '../../../api.ts';
import { pathOfAsset, titleOf } from '../../../parts/data/asset-titles.ts';
import { toShortName } from '../../../parts/data/content-types.ts';
import { Moment } from '../../../parts/time/moment.tsx';
import { chooseColumns } from './columns.ts';

/** One page of assets. Its first column leads to the asset. */
export function AssetTable({
  type,
  assets,
  sort,
  onSort,
}: {
  type: ContentType;
  assets: readonly Asset[];
  sort: readonly SortKey[];
  onSort: (sort: SortKey[]) => void;
}) {
  const [title, ...columns] = chooseColumns(type);
  const headOf = (field: string) => <SortHead key={field} field={field} sort={sort} onSort={onSort} />;
  return (
    <Table.ScrollContainer minWidth={860} type="native">
      <Table aria-label={`Assets of type ${type.name}`} verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            {headOf(title?.name ?? '_id')}
            {type.kind === 'interface' && headOf('_type')}
            {columns.map(({ name }) => headOf(name))}
            {title && headOf('_id')}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {assets.map((asset) => (
            <Table.Tr key={asset._id}>
              <Table.Td miw={200} maw={360}>
                <Anchor component={Link} to={pathOfAsset(asset)} size="sm" lineClamp={2}>
                  {titleOf(asset, type)}
                </Anchor>
              </Table.Td>
              {type.kind === 'interface' && <Table.Td>{toShortName(asset._type)}</Table.Td>}
              {columns.map((field) => (
                <Cell key={field.name} field={field} value={asset[field.name]} />
              ))}
              {title && (
                <Table.Td>
                  <Code style={{ whiteSpace: 'nowrap' }}>{asset._id}</Code>
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Cell({ field, value }: { field: Field; value: unknown }) {
  const isDate = field.type.name === 'EpochMillis' && typeof value === 'number';
  const text = value === undefined ? '' : String(value);
  return (
    <Table.Td maw={280}>
      {isDate ? (
        <Moment ms={value} />
      ) : (
        <Text size="sm" truncate title={text}>
          {text}
        </Text>
      )}
    </Table.Td>
  );
}

/** A click goes from ascending to descending to no order. */
function SortHead({
  field,
  sort,
  onSort,
}: {
  field: string;
  sort: readonly SortKey[];
  onSort: (sort: SortKey[]) => void;
}) {
  const key = sort[0]?.field === field ? sort[0] : undefined;
  const direction = key && (key.descending ? 'descending' : 'ascending');
  const turn = () => onSort(key?.descending ? [] : [{ field, descending: key !== undefined }]);
  return (
    <Table.Th scope="col" aria-sort={direction ?? 'none'}>
      <UnstyledButton onClick={turn} fw={700} fz="sm" title={field}>
        {toShortName(field)}{' '}
        <span aria-hidden style={{ visibility: key ? 'visible' : 'hidden' }}>
          {key?.descending ? '↓' : '↑'}
        </span>
      </UnstyledButton>
    </Table.Th>
  );
}
