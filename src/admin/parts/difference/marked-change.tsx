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

/** The backgrounds of words within added and removed lines. */
const wordColors = {
  added: 'light-dark(#a8e0b7, #1a5a31)',
  removed: 'light-dark(#f7b9b9, #7d262c)',
} as const;

const elements = { added: 'ins', removed: 'del' } as const;
const signs = { added: '+', removed: '−' } as const;

/** Words within a text. */
export function MarkedWords({ kind, children }: { kind: 'added' | 'removed'; children: string }) {
  const Element = elements[kind];
  return <Element style={{ background: changeColors[kind] }}>{children}</Element>;
}

/** The words of a line that the line in its place does not have. */
export function MarkedPart({ kind, children }: { kind: 'added' | 'removed'; children: string }) {
  return (
    <Box component={elements[kind]} td="none" style={{ background: wordColors[kind] }}>
      {children}
    </Box>
  );
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
