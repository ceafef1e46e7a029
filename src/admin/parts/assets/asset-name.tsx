/**
 * Names an asset in a line of a table.
 */
import { Code, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { assetTitle } from '../data/load-titles.ts';

/**
 * The title of the asset, with its ID as a tooltip; its ID while the title is unknown. An asset that no longer exists has the title
 * `former`, if that is known.
 */
export function AssetName({ id, former }: { id: string; former?: string | undefined }) {
  const title = useQuery(assetTitle(id)).data?.title ?? former;
  if (title === undefined) return <Code>{id}</Code>;
  return (
    <Text span inherit dir="auto" title={id} style={{ overflowWrap: 'anywhere' }}>
      {title}
    </Text>
  );
}
