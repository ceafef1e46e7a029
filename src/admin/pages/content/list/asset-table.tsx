/**
 * The assets of a type in a table, ordered by clicking a column's head, and selected by check boxes.
 */

import { Anchor, Checkbox, Code, Group, Table, Text, UnstyledButton } from '@mantine/core';
import { Link } from 'react-router';
import type { Asset, ContentType, SortKey } from '../../../api.ts';
import { ReferenceTitle } from '../../../parts/assets/reference-title.tsx';
import { pathOfAsset, titleOf } from '../../../parts/data/asset-titles.ts';
import { toShortName } from '../../../parts/data/content-types.ts';
import { labelOf } from '../../../parts/data/field-label.ts';
import { viewOf } from '../../../parts/data/scalar-views.ts';
import { pictureOf } from '../../../parts/files/picture-of.ts';
import { Thumbnail } from '../../../parts/files/thumbnail.tsx';
import { Moment } from '../../../parts/time/moment.tsx';
import { type Column, isSortable, titleColumn, valueIn } from './columns.ts';
import type { Selection } from './use-selection.ts';

/** One page of assets. Its first column leads to the asset. `sort` is the order in force. */
export function AssetTable({
  type,
  columns,
  assets,
  selection,
  sort,
  onSort,
}: {
  type: ContentType;
  columns: readonly Column[];
  assets: readonly Asset[];
  selection: Selection;
  sort: readonly SortKey[];
  onSort: (sort: SortKey[]) => void;
}) {
  const title = titleColumn(type);
  const headOf = (field: string, label: string) => (
    <SortHead key={field} field={field} label={label} sort={sort} onSort={onSort} />
  );
  const named = assets.map((asset) => ({
    asset,
    name: titleOf(asset, type),
    picture: pictureOf(asset, type),
  }));
  const chosen = assets.filter(({ _id }) => selection.has(_id)).length;
  return (
    <Table.ScrollContainer minWidth={860} type="native" tabIndex={0} role="group" aria-label="Assets">
      <Table aria-label={`Assets of type ${type.name}`} verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={40}>
              <Checkbox
                size="xs"
                aria-label="Select all assets of this page"
                checked={chosen === assets.length}
                indeterminate={chosen > 0 && chosen < assets.length}
                onChange={(event) => selection.set(named, event.currentTarget.checked)}
              />
            </Table.Th>
            {title ? headOf(title.path, labelOf(title.field)) : headOf('_id', 'ID')}
            {type.kind === 'interface' && headOf('_type', 'Type')}
            {columns.map((column) =>
              isSortable(column) ? (
                headOf(column.path, labelOf(column.field))
              ) : (
                <Table.Th key={column.path} scope="col" title={column.path}>
                  {labelOf(column.field)}
                </Table.Th>
              ),
            )}
            {title && headOf('_id', 'ID')}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {named.map(({ asset, name, picture }) => (
            <Table.Tr key={asset._id}>
              <Table.Td>
                <Checkbox
                  size="xs"
                  aria-label={`Select ${name}`}
                  checked={selection.has(asset._id)}
                  onChange={(event) => selection.set([{ asset, name }], event.currentTarget.checked)}
                />
              </Table.Td>
              <Table.Td miw={200} maw={360}>
                <Group gap="xs" wrap="nowrap">
                  {picture && <Thumbnail file={picture} size={36} />}
                  <Anchor component={Link} to={pathOfAsset(asset)} size="sm" lineClamp={2}>
                    {name}
                  </Anchor>
                </Group>
              </Table.Td>
              {type.kind === 'interface' && <Table.Td>{toShortName(asset._type)}</Table.Td>}
              {columns.map((column) => (
                <AssetCell key={column.path} column={column} value={valueIn(asset, column)} />
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

/** A click goes from ascending to descending to the usual order. */
function SortHead({
  field,
  label,
  sort,
  onSort,
}: {
  field: string;
  label: string;
  sort: readonly SortKey[];
  onSort: (sort: SortKey[]) => void;
}) {
  const key = sort[0]?.field === field ? sort[0] : undefined;
  const direction = key && (key.descending ? 'descending' : 'ascending');
  const turn = () => onSort(key?.descending ? [] : [{ field, descending: key !== undefined }]);
  return (
    <Table.Th scope="col" aria-sort={direction ?? 'none'}>
      <UnstyledButton onClick={turn} fw={700} fz="sm" title={field}>
        {label}{' '}
        <span aria-hidden style={{ visibility: key ? 'visible' : 'hidden' }}>
          {key?.descending ? '↓' : '↑'}
        </span>
      </UnstyledButton>
    </Table.Th>
  );
}

/** How many items of a list are shown. */
const maxItems = 3;

/** The cell with the value of a column; references have their titles. */
function AssetCell({ column, value }: { column: Column; value: unknown }) {
  const items: unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
  const isText = column.field.type.kind !== 'reference' && !isDate(column, value);
  const text = items.map(String).join(', ');
  return (
    <Table.Td maw={280}>
      {isText && (
        <Text size="sm" truncate title={text}>
          {text}
        </Text>
      )}
      {isDate(column, value) && <Moment ms={value} />}
      {column.field.type.kind === 'reference' &&
        items.slice(0, maxItems).map((item, index) => (
          <Text key={index} size="sm" component="div" truncate>
            <ReferenceTitle id={idIn(item)} />
          </Text>
        ))}
      {column.field.type.kind === 'reference' && items.length > maxItems && (
        <Text size="xs">and {items.length - maxItems} more</Text>
      )}
    </Table.Td>
  );
}

const isDate = ({ field }: Column, value: unknown): value is number =>
  viewOf(field.type) === 'date' && typeof value === 'number';

function idIn(value: unknown): string {
  const { _ref } = { _ref: '', ...Object(value) };
  return String(_ref);
}
