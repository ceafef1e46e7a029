/**
 * Searches the assets of all types by words. The address of the page holds the words.
 */
import { Anchor, List, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { admin, answer, type SearchResult } from '../../../api.ts';
import { pathOfAsset } from '../../../parts/data/load-titles.ts';
import { useTypeNames } from '../../../parts/data/type-names.ts';
import { SmallPicture } from '../../../parts/files/thumbnail.tsx';
import { SearchIcon } from '../../../parts/layout/icons.ts';
import { Loading } from '../../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../../parts/problems/problem-alert.tsx';
import { inRelease } from '../../../parts/releases/work-release.ts';

/** The longest text that the server searches for. */
const maxLength = 200;

/** How many assets are listed. */
const limit = 50;

/** The input, and the assets found once there are words. */
export function Search() {
  const [parameters, setParameters] = useSearchParams();
  const [text, setText] = useState(parameters.get('search') ?? '');
  const [settled] = useDebouncedValue(text.trim(), 300);
  useEffect(() => {
    setParameters(settled === '' ? {} : { search: settled }, { replace: true });
  }, [settled, setParameters]);
  const result = useQuery({
    queryKey: ['contents', 'query', 'search', settled],
    queryFn: ({ signal }) =>
      answer(admin.searchContents({ body: { text: settled, limit }, query: inRelease(), signal })),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
  });
  return (
    <div>
      <TextInput
        type="search"
        aria-label="Search assets of all types"
        placeholder="Words of a title or of a searchable text, or an ID"
        leftSection={<SearchIcon size={16} />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        maxLength={maxLength}
        autoComplete="off"
        maw={480}
      />
      {settled !== '' && (
        <>
          {result.isPending && <Loading />}
          <ProblemAlert error={result.error} title="Could not search" onRetry={result.refetch} />
          {result.data && <Found result={result.data} />}
        </>
      )}
    </div>
  );
}

function Found({ result: { items, unsearched } }: { result: SearchResult }) {
  const nameOf = useTypeNames();
  return (
    <>
      <Text size="sm" role="status" mt="sm">
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
    </>
  );
}

function describe(count: number): string {
  if (count === 0) return 'Nothing found.';
  if (count === limit) return `The first ${limit} assets.`;
  return count === 1 ? '1 asset.' : `${count} assets.`;
}
