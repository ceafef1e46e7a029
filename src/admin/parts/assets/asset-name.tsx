/**
 * The names of assets and types where other pages speak of them, as links.
 */
import { Anchor, Code, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useTypeNames } from '../data/lists.ts';
import { assetTitle, pathOfAsset } from '../data/load-titles.ts';
import { SmallPicture } from '../files/thumbnail.tsx';

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

/** The name of the type, with its class name as a tooltip. */
export function TypeName({ className }: { className: string }) {
  return <span title={className}>{useTypeNames()(className)}</span>;
}

/** The hint, below the message of the rule. */
export function UnknownFieldHint() {
  return (
    <Text size="xs" c="dimmed">
      Name the field in @drops of its type, or declare it again.
    </Text>
  );
}

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
