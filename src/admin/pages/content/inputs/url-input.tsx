/**
 * The input of an address, which shows the picture that the address names.
 */
import { Stack } from '@mantine/core';
import { useState } from 'react';
import type { InputProps } from '../draft/form-context.ts';
import { Line, toText } from './line-input.tsx';

/** Edits an address. */
export function UrlInput(props: InputProps) {
  const address = toText(props.draft);
  const [broken, setBroken] = useState('');
  return (
    <Stack gap={6} align="stretch">
      <Line {...props} inputMode="url" />
      {isPicture(address) && address !== broken && (
        <img
          src={address}
          alt=""
          loading="lazy"
          // The other server need not know which installation shows its picture.
          referrerPolicy="no-referrer"
          style={{ maxHeight: 160, maxWidth: '100%', objectFit: 'contain', alignSelf: 'flex-start' }}
          onError={() => setBroken(address)}
        />
      )}
    </Stack>
  );
}

/** Whether an address names a picture by its ending. */
function isPicture(address: string): boolean {
  const url = URL.parse(address);
  return (
    url !== null && /^https?:$/.test(url.protocol) && /\.(jpe?g|png|gif|webp|avif|svg)$/i.test(url.pathname)
  );
}
