/**
 * The assets of a type in a table, ordered by clicking a column's head, and selected by check boxes.
 */
import { Group, Text } from '@mantine/core';
import type { Asset, ContentType, SortKey } from '../../../api.ts';
import { pathOfAsset, titleOf } from '../../../parts/data/asset-titles.ts';
import { nameOfType } from '../../../parts/data/field-label.ts';
import { useTypeNames } from '../../../parts/data/type-names.ts';
import { pictureOf } from '../../../parts/files/picture-of.ts';
import { Thumbnail } from '../../../parts/files/thumbnail.tsx';
import { Mark } from '../../../parts/layout/mark.tsx';
import { type ListColumn, ResourceList } from '../../../parts/list/resource-list.tsx';
import { type DraftState, stateWords } from '../../../parts/releases/draft-state.ts';
import { useWorkRelease } from '../../../parts/releases/work-release.ts';
import { useMay } from '../../../roles.ts';
import { AssetValue } from './asset-cell.tsx';
import { type Column, isSortable, nameOfColumn, titleColumn, valueIn } from './columns.ts';
import { EditCell, isEditable } from './edit-cell.tsx';
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
  const work = useWorkRelease();
  const mayWrite = useMay('editor') || work !== undefined;
  const title = titleColumn(type);
  const isMixed = type.kind === 'interface';
  const nameOf = useTypeNames();
  const nameOfAsset = (asset: Asset) => titleOf(asset, type);
  const pathOfTitle = title?.path ?? '_id';
  const [first] = sort;
  const list: ListColumn<Asset>[] = [
    {
      id: pathOfTitle,
      head: title ? nameOfColumn(type, title) : 'ID',
      value: nameOfAsset,
      cell: (asset) => <Titled name={nameOfAsset(asset)} picture={pictureOf(asset, type)} />,
    },
    // What is live as it is needs no word, nor a column of its own.
    ...(states && [...states.values()].some((state) => state !== 'live')
      ? [{ id: 'state', head: 'State', cell: ({ _id }: Asset) => <StateMark state={states.get(_id)} /> }]
      : []),
    ...(isMixed
      ? [
          {
            id: '_type',
            head: 'Type',
            value: ({ _type }: Asset) => _type,
            cell: ({ _type }: Asset) => nameOf(_type),
          },
        ]
      : []),
    ...columns.map((column) => ({
      id: column.path,
      head: nameOfColumn(type, column),
      ...(isSortable(column) && { value: () => '' }),
      cell: (asset: Asset) => <AssetValue column={column} value={valueIn(asset, column)} />,
      ...(mayWrite &&
        isEditable(column) && {
          edit: (asset: Asset) =>
            // A draft is edited in its form, which shows what is live beside it.
            work === undefined && (states?.get(asset._id) ?? 'live') !== 'live'
              ? undefined
              : (onClose: () => void) => (
                  <EditCell type={type} column={column} asset={asset} onClose={onClose} />
                ),
        }),
    })),
  ];
  return (
    <ResourceList
      label={`Assets of type ${nameOfType(type)}`}
      columns={list}
      rows={assets}
      idOf={({ _id }) => _id}
      nameOf={nameOfAsset}
      hrefOf={pathOfAsset}
      selection={{
        has: selection.has,
        set: (rows, isChosen) =>
          selection.set(
            rows.map((asset) => ({ asset, name: nameOfAsset(asset) })),
            isChosen,
          ),
      }}
      order={{
        sort: first ? `${first.descending ? '-' : ''}${first.field}` : '',
        onSort: (next) =>
          onSort(next === '' ? [] : [{ field: next.replace(/^-/, ''), descending: next.startsWith('-') }]),
      }}
    />
  );
}

function Titled({ name, picture }: { name: string; picture: ReturnType<typeof pictureOf> }) {
  return (
    <Group component="span" gap="xs" wrap="nowrap" miw={200} maw="min(420px, 60vw)">
      {picture && <Thumbnail file={picture} size={32} />}
      <Text span inherit truncate title={name}>
        {name}
      </Text>
    </Group>
  );
}

function StateMark({ state }: { state: DraftState | undefined }) {
  if (!state || state === 'live') return null;
  const { label, color } = stateWords[state];
  return <Mark color={color}>{label}</Mark>;
}
