/**
 * A small picture of a file.
 */
import { Box, Text } from '@mantine/core';
import { useState } from 'react';
import type { AddressedFile } from '../../../text/file-url.ts';
import { isPicture, toFileAddress } from './file-address.ts';

/** The width of the variant that is shown; a server without variants sends the picture itself. */
const variantWidth = 320;

/** Shows a picture in a square of `size` pixels, or the kind of a file that is none. `label` is empty beside a text that says the same. */
export function Thumbnail({ file, size, label = '' }: { file: AddressedFile; size: number; label?: string }) {
  const [failures, setFailures] = useState(0);
  const isShown = isPicture(file.mediaType) && failures < 2;
  return (
    <Box
      w={size}
      h={size}
      flex="none"
      style={{
        display: 'grid',
        placeItems: 'center',
        overflow: 'hidden',
        borderRadius: 'var(--mantine-radius-sm)',
        border: '1px solid var(--mantine-color-default-border)',
      }}
    >
      {isShown ? (
        <img
          key={failures}
          src={toFileAddress(file, failures === 0 ? { width: variantWidth } : {})}
          alt={label}
          loading="lazy"
          decoding="async"
          style={{ width: '100%', height: '100%', objectFit: 'contain' }}
          onError={() => setFailures(failures + 1)}
        />
      ) : (
        <Text size="xs" aria-hidden style={{ overflowWrap: 'anywhere', textAlign: 'center' }}>
          {endingOf(file)}
        </Text>
      )}
    </Box>
  );
}

/** A picture in a line of text, before what says what it is. */
export function SmallPicture({ file }: { file: AddressedFile }) {
  return (
    <Box component="span" display="inline-block" mr={6} style={{ verticalAlign: 'middle' }}>
      <Thumbnail file={file} size={28} />
    </Box>
  );
}

/** What stands for a file without a picture: the ending of its name, or its media type. */
const endingOf = ({ name, mediaType }: AddressedFile) =>
  (/\.([A-Za-z0-9]{1,5})$/.exec(name)?.[1] ?? mediaType.replace(/^.*\//, '')).toUpperCase();
