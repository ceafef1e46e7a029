/**
 * The assets of a type in a table, ordered by clicking a column's head, and selected by check boxes.
 */
import { Code, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Asset, ContentType, Field, FieldType, SortKey } from '../../../api.ts';
import { ReferenceTitle } from '../../../parts/assets/asset-name.tsx';
import { nameOfType, wordsOf } from '../../../parts/data/field-label.ts';
import { useTypeNames } from '../../../parts/data/lists.ts';
import { pathOfAsset, titleOf } from '../../../parts/data/load-titles.ts';
import { viewOf } from '../../../parts/data/scalar-views.ts';
import { pictureOf } from '../../../parts/files/file-address.ts';
import { Thumbnail } from '../../../parts/files/thumbnail.tsx';
import { Mark } from '../../../parts/layout/mark.tsx';
import { type ListColumn, ResourceList } from '../../../parts/list/resource-list.tsx';
import {
  type DraftState,
  findWithdrawn,
  releaseByName,
  stateOf,
  stateWords,
} from '../../../parts/releases/release-data.ts';
import { draftsRelease, useWorkRelease } from '../../../parts/releases/work-release.ts';
import { Ago } from '../../../parts/time/ago.tsx';
import { useMay } from '../../../roles.ts';
import { type Column, isSortable, nameOfColumn, titleColumn, valueIn } from './columns.ts';
import { EditCell, isEditable } from './edit-cell.tsx';
import { findSelected, type Selection } from './use-selection.ts';

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
      isFigure: isFigure(column.field),
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

const figures = ['Int', 'Float', 'Decimal'];

const isFigure = ({ type, list }: Field) => !list && type.kind === 'scalar' && figures.includes(type.name);

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

/** How many items of a list are shown. */
const maxItems = 2;

/** The value; nothing for an absent one. */
function AssetValue({ column: { field }, value }: { column: Column; value: unknown }) {
  const items: unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
  const { type } = field;
  const view = viewOf(type);
  if (type.kind === 'reference' || type.kind === 'enum') {
    const more = items.length - maxItems;
    return (
      <Group
        component="span"
        gap={6}
        wrap="nowrap"
        maw={280}
        style={{ overflow: 'hidden', whiteSpace: 'nowrap' }}
      >
        {items.slice(0, maxItems).map((item, index) =>
          type.kind === 'enum' ? (
            <EnumValue key={index} type={type} value={String(item)} />
          ) : (
            <Text key={index} size="sm" component="div" truncate>
              <ReferenceTitle id={idIn(item)} isInText={false} />
            </Text>
          ),
        )}
        {more > 0 && <Text size="xs">and {more} more</Text>}
      </Group>
    );
  }
  if (view === 'date' && typeof value === 'number') return <Ago ms={value} />;
  if (field.name === '_id') return <Code style={{ whiteSpace: 'nowrap' }}>{String(value)}</Code>;
  const text = items
    .map((item) => (view === 'yesOrNo' ? (item === true ? 'Yes' : 'No') : String(item)))
    .join(', ');
  return (
    <Text span display="block" size="sm" maw={280} truncate title={text} dir="auto">
      {text}
    </Text>
  );
}

/** A badge if values have colours, otherwise the words alone. */
function EnumValue({ type, value }: { type: FieldType; value: string }) {
  const words = wordsOf(type, value);
  const color = type.labels?.[value]?.color;
  return color === undefined ? <Text size="sm">{words}</Text> : <Mark color={color}>{words}</Mark>;
}

function idIn(value: unknown): string {
  const { _ref } = { _ref: '', ...Object(value) };
  return String(_ref);
}

/** The states by the IDs of the assets; undefined while there is nothing to tell, as without drafts. */
function useRowStates(
  type: ContentType,
  assets: readonly Asset[],
): ReadonlyMap<string, DraftState> | undefined {
  const work = useWorkRelease();
  const release = work ?? draftsRelease;
  const count = useQuery({ ...releaseByName(release), staleTime: 10_000 }).data?.drafts ?? 0;
  const ids = assets.map(({ _id }) => _id);
  const states = useQuery({
    queryKey: ['contents', 'query', 'states', release, ids],
    queryFn: async () => {
      const items = assets.map((asset) => ({ asset, name: '' }));
      const [live, drafted] = await Promise.all([
        findSelected(type, items, undefined, {}),
        findSelected(type, items, undefined, { release }),
      ]);
      const created = ids.filter((id) => !live.has(id) && drafted.has(id));
      const withdrawn = await findWithdrawn(release, created);
      return ids
        .filter((id) => live.has(id) || drafted.has(id))
        .map((id) => [id, stateOf(live.get(id), drafted.get(id), withdrawn.has(id))] as const);
    },
    enabled: count > 0 && ids.length > 0,
  });
  return states.data && count > 0 ? new Map(states.data) : undefined;
}
