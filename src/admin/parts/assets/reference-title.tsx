/**
 * The title of a referenced asset.
 */
import { Anchor, Code, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { pathOfAsset, titleOf } from '../data/asset-titles.ts';
import { contentType } from '../data/content-types.ts';
import { useTitledAsset } from '../data/use-assets.ts';

/** A link to the asset with this ID and type, or a message that it does not exist. */
export function ReferenceTitle({ id, className }: { id: string; className: string }) {
  const type = useQuery(contentType(className));
  const found = useTitledAsset(id, type.data);
  const asset = found.data?.items[0];
  if (asset) {
    return (
      <Anchor component={Link} to={pathOfAsset(asset)} size="sm" underline="always">
        {titleOf(asset, type.data)}
      </Anchor>
    );
  }
  return (
    <>
      <Code>{id}</Code>
      {found.data && (
        <Text span size="sm" c="var(--mantine-color-error)">
          {' '}
          does not exist
        </Text>
      )}
    </>
  );
}
