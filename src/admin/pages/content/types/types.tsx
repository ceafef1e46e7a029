/**
 * The page of all content: a search in all types, and the types with the number of their assets.
 */
import { Anchor, List, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { admin, answer, type SearchResult, type TypeSummary } from '../../../api.ts';
import { nameOfType } from '../../../parts/data/field-label.ts';
import { typeList, useTypeNames } from '../../../parts/data/lists.ts';
import { pathOfAsset, pathOfType } from '../../../parts/data/load-titles.ts';
import { formatNumber } from '../../../parts/data/number-words.ts';
import { useParameters } from '../../../parts/data/use-parameters.ts';
import { SmallPicture } from '../../../parts/files/thumbnail.tsx';
import { SearchIcon } from '../../../parts/layout/icons.ts';
import { InBar } from '../../../parts/layout/in-bar.tsx';
import { EmptyState, Page } from '../../../parts/layout/page.tsx';
import { type ListColumn, ResourceList } from '../../../parts/list/resource-list.tsx';
import { Loaded } from '../../../parts/loading/loading.tsx';
import { inRelease } from '../../../parts/releases/work-release.ts';

/** @public Data that is read ahead, while the mouse rests on a link to the page. */
export const readAhead = () => [typeList];

export default function ContentTypes() {
  const types = useQuery(typeList);
  return (
    <Page title="All content">
      <Search />
      <Loaded query={types} what="content types">
        {({ items }) => (items.length === 0 ? <NoTypes /> : <TypeTable types={items} />)}
      </Loaded>
    </Page>
  );
}

function TypeTable({ types }: { types: readonly TypeSummary[] }) {
  const sorted = types.toSorted(
    (one, other) =>
      (one.group ?? '').localeCompare(other.group ?? '') || nameOfType(one).localeCompare(nameOfType(other)),
  );
  const hasGroups = types.some(({ group }) => group !== undefined);
  const columns: readonly ListColumn<TypeSummary>[] = [
    {
      id: 'type',
      head: 'Type',
      value: nameOfType,
      cell: (type) => <span title={type.class}>{nameOfType(type)}</span>,
    },
    ...(hasGroups
      ? [
          {
            id: 'group',
            head: 'Group',
            value: ({ group }: TypeSummary) => group,
            cell: ({ group }: TypeSummary) => group,
          },
        ]
      : []),
    {
      id: 'description',
      head: 'Description',
      cell: ({ description, kind }) => (
        <>
          {description}
          {kind === 'interface' && (
            <Text span inherit c="dimmed">
              {' '}
              Assets of several types.
            </Text>
          )}
        </>
      ),
    },
    {
      id: 'assets',
      head: 'Assets',
      isFigure: true,
      value: ({ count = 0 }) => count,
      cell: ({ count = 0 }) => formatNumber(count),
    },
  ];
  return (
    <ResourceList
      label="Content types"
      finds="elsewhere"
      columns={columns}
      rows={sorted}
      idOf={({ class: className }) => className}
      nameOf={nameOfType}
      hrefOf={({ class: className }) => pathOfType(className)}
    />
  );
}

function NoTypes() {
  return (
    <EmptyState title="No content types yet">
      <Text size="sm">
        Write types in the SDL folder of this installation, then restart the server. They appear here.
      </Text>
    </EmptyState>
  );
}

/** The longest text that the server searches for. */
const maxLength = 200;

/** How many assets are listed. */
const limit = 50;

/** The input, and the assets found once there are words. */
function Search() {
  const [parameters, change] = useParameters();
  const find = parameters.get('find') ?? '';
  const [settled] = useDebouncedValue(find.trim(), 300);
  const result = useQuery({
    queryKey: ['contents', 'query', 'search', settled],
    queryFn: ({ signal }) =>
      answer(admin.searchContents({ body: { text: settled, limit }, query: inRelease(), signal })),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <InBar>
        <TextInput
          type="search"
          aria-label="Search assets and types"
          placeholder="A type, words of an asset, or an ID"
          leftSection={<SearchIcon size={16} />}
          value={find}
          onChange={({ currentTarget: { value } }) =>
            change(
              (before) => {
                if (value === '') before.delete('find');
                else before.set('find', value);
                return before;
              },
              { replace: find !== '' },
            )
          }
          maxLength={maxLength}
          autoComplete="off"
          w={{ base: 280, sm: 360 }}
          maw="100%"
        />
      </InBar>
      {settled !== '' && (
        <Loaded query={result} what="what was found">
          {(found) => <Found result={found} />}
        </Loaded>
      )}
    </>
  );
}

function Found({ result: { items, unsearched } }: { result: SearchResult }) {
  const nameOf = useTypeNames();
  return (
    <div>
      <Text size="sm" role="status">
        {describe(items.length)}
        {unsearched.length > 0 &&
          ` There was not enough time to search all of ${unsearched.map(nameOf).join(', ')}.`}
      </Text>
      <List size="sm" mt="xs" spacing="xs" listStyleType="none" aria-label="Assets found">
        {items.map((asset) => (
          <List.Item key={asset._id}>
            {asset.picture && <SmallPicture file={asset.picture} />}
            <Anchor component={Link} dir="auto" to={pathOfAsset(asset)} size="sm" underline="always">
              {asset.title}
            </Anchor>{' '}
            ({nameOf(asset._type)})
          </List.Item>
        ))}
      </List>
    </div>
  );
}

function describe(count: number): string {
  if (count === 0) return 'Nothing found.';
  if (count === limit) return `The first ${limit} assets.`;
  return count === 1 ? '1 asset.' : `${count} assets.`;
}
