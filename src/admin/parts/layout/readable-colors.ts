/**
 * Colours that Mantine leaves too pale to read: of links, of descriptions, placeholders and errors of fields, of the titles of
 * warnings, and behind the labels of red buttons.
 *
 * Each has a contrast of at least 4.5 to 1 on the backgrounds of its scheme (WCAG 2.2, 1.4.3).
 */
import type { CSSVariablesResolver } from '@mantine/core';

/** The variables for `MantineProvider`. */
export const readableColors: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-orange-light-color': '#8f3c00',
    // Of the present page's link, under the mouse.
    '--mantine-color-indigo-light-hover': 'var(--mantine-color-indigo-light)',
  },
  dark: {
    // Also in the row of a table that is highlighted.
    '--mantine-color-anchor': 'var(--mantine-color-indigo-3)',
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-red-filled': 'var(--mantine-color-red-9)',
    '--mantine-color-red-filled-hover': 'var(--mantine-color-red-8)',
  },
});
