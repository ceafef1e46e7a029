/**
 * What a reference points at, by its name.
 */
import { Anchor, Code, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { ApiProblem } from '../../api.ts';
import { pathOfAsset, titleOf } from '../../parts/asset-titles.ts';
import { contentType } from '../../parts/content-types.ts';
import { assetById } from '../../parts/use-assets.ts';

/** A link to the asset with this ID; says so when there is none. */
export function ReferenceTitle({ id }: { id: string }) {
  const { data, error } = useQuery({ ...assetById(id), staleTime: 60_000 });
  const className = data?.data._type ?? '';
  const type = useQuery({ ...contentType(className), enabled: className !== '' });
  // What was there before may be gone.
  const isDangling = error instanceof ApiProblem && error.status === 404;
  if (data && !isDangling) {
    return (
      <Anchor component={Link} to={pathOfAsset(data.data)} size="sm" underline="always">
        {titleOf(data.data, type.data)}
      </Anchor>
    );
  }
  return (
    <>
      <Code>{id}</Code>
      {isDangling && (
        <Text span size="sm" c="var(--mantine-color-error)">
          {' '}
          does not exist
        </Text>
      )}
    </>
  );
}
