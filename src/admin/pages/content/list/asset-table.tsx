/**
 * The assets of a type in a table, ordered by clicking a column's head, and selected by check boxes.
 */
import { Anchor, Checkbox, Group, Table, Text, UnstyledButton } from '@mantine/core';
import { Link } from 'react-router';
import type { Asset, ContentType, SortKey } from '../../../api.ts';
import { pathOfAsset, titleOf } from '../../../parts/data/asset-titles.ts';
import { nameOfType } from '../../../parts/data/field-label.ts';
import { useTypeNames } from '../../../parts/data/type-names.ts';
import { pictureOf } from '../../../parts/files/picture-of.ts';
import { Thumbnail } from '../../../parts/files/thumbnail.tsx';
import { Mark } from '../../../parts/layout/mark.tsx';
import { type DraftState, stateWords } from '../../../parts/releases/draft-state.ts';
import { AssetCell } from './asset-cell.tsx';
import classes from './asset-table.module.css';
import { type Column, isSortable, nameOfColumn, titleColumn, valueIn } from './columns.ts';
import { useRowStates } from './row-states.ts';
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
  const states = useRowStates(type, assets);
  const title = titleColumn(type);
  const isMixed = type.kind === 'interface';
  const nameOf = useTypeNames();
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
    <Table.ScrollContainer minWidth={640} type="native" tabIndex={0} role="group" aria-label="Assets">
      <Table aria-label={`Assets of type ${nameOfType(type)}`} verticalSpacing={0} className={classes.table}>
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
            {title ? headOf(title.path, nameOfColumn(type, title)) : headOf('_id', 'ID')}
            {states && <Table.Th scope="col">State</Table.Th>}
            {isMixed && headOf('_type', 'Type')}
            {columns.map((column) =>
              isSortable(column) ? (
                headOf(column.path, nameOfColumn(type, column))
              ) : (
                <Table.Th key={column.path} scope="col" title={column.path}>
                  {nameOfColumn(type, column)}
                </Table.Th>
              ),
            )}
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
              <Table.Td miw={200} maw="min(420px, 60vw)">
                <Group gap="xs" wrap="nowrap">
                  {picture && <Thumbnail file={picture} size={32} />}
                  <Anchor
                    component={Link}
                    to={pathOfAsset(asset)}
                    size="sm"
                    fw={500}
                    truncate
                    title={name}
                    dir="auto"
                  >
                    {name}
                  </Anchor>
                </Group>
              </Table.Td>
              {states && (
                <Table.Td>
                  <StateMark state={states.get(asset._id)} />
                </Table.Td>
              )}
              {isMixed && (
                <Table.Td>
                  <Text size="sm">{nameOf(asset._type)}</Text>
                </Table.Td>
              )}
              {columns.map((column) => (
                <AssetCell key={column.path} column={column} value={valueIn(asset, column)} />
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function StateMark({ state }: { state: DraftState | undefined }) {
  if (!state) return null;
  const { label, color } = stateWords[state];
  return <Mark color={color}>{label}</Mark>;
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
      <UnstyledButton onClick={turn} className={classes.head} title={field}>
        {label}{' '}
        <span aria-hidden style={{ visibility: key ? 'visible' : 'hidden' }}>
          {key?.descending ? '↓' : '↑'}
        </span>
      </UnstyledButton>
    </Table.Th>
  );
}
