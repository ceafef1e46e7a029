/**
 * The title of a referenced asset.
 */
import { Anchor, Code, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { ApiProblem } from '../../api.ts';
import { pathOfAsset, titleOf } from '../data/asset-titles.ts';
import { contentType } from '../data/content-types.ts';
import { assetById } from '../data/use-assets.ts';

/** A link to the asset with this ID, or a message that it does not exist. */
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
