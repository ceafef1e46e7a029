/**
 * Marks what was added and what was removed, by colour, by line and by element.
 */
import { Box, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';

/** The backgrounds of added and removed content, in light and dark. */
export const changeColors = {
  added: 'light-dark(#d9f2e0, #12391f)',
  removed: 'light-dark(#fde0e0, #4a1a1d)',
} as const;

const elements = { added: 'ins', removed: 'del' } as const;
const signs = { added: '+', removed: '−' } as const;

/** Words within a text. */
export function MarkedWords({ kind, children }: { kind: 'added' | 'removed'; children: string }) {
  const Element = elements[kind];
  return <Element style={{ background: changeColors[kind] }}>{children}</Element>;
}

/** A whole value, with a sign before it. */
export function MarkedValue({ kind, children }: { kind: 'added' | 'removed'; children: ReactNode }) {
  return (
    <Box
      px="xs"
      py={4}
      bdrs="sm"
      style={{ ...readableLinks, background: changeColors[kind], display: 'flex', gap: '0.5rem' }}
    >
      <span aria-hidden>{signs[kind]}</span>
      <VisuallyHidden>{kind}: </VisuallyHidden>
      <Box miw={0} flex={1} fz="sm">
        {children}
      </Box>
    </Box>
  );
}

/** Links have too little contrast on these backgrounds in their own colour. */
const readableLinks = { '--mantine-color-anchor': 'var(--mantine-color-text)' };
