/**
 * The title of a referenced asset.
 */
import { Anchor, Code, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { pathOfAsset } from '../data/asset-titles.ts';
import { assetTitle } from '../data/load-titles.ts';
import { SmallPicture } from '../files/thumbnail.tsx';

/** A link to the asset with this ID, or a message that it does not exist; its ID where the title could not be loaded. It is underlined where it `isInText`. */
export function ReferenceTitle({ id, isInText = true }: { id: string; isInText?: boolean }) {
  const { data: asset, isLoading } = useQuery(assetTitle(id));
  if (isLoading) return '…';
  if (asset) {
    return (
      <>
        {asset.picture && <SmallPicture file={asset.picture} />}
        <Anchor
          component={Link}
          to={pathOfAsset(asset)}
          size="sm"
          underline={isInText ? 'always' : 'hover'}
          dir="auto"
        >
          {asset.title}
        </Anchor>
      </>
    );
  }
  return (
    <>
      <Code>{id}</Code>
      {asset === null && (
        <Text span size="sm" c="var(--mantine-color-error)">
          {' '}
          does not exist
        </Text>
      )}
    </>
  );
}
