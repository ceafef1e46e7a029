/**
 * The help under an input of text or of a list, with the number of characters or items where there is a limit.
 */
import type { ReactNode } from 'react';
import { formatNumber } from '../../../parts/data/number-words.ts';

/** Returns the help, and how many of at most `limit` there are; undefined without both. */
export function helpWithCount(
  hint: string | undefined,
  count: number,
  limit: number | undefined,
  unit: 'characters' | 'items' = 'characters',
): ReactNode {
  if (limit === undefined) return hint;
  return (
    <span style={{ display: 'flex', gap: 'var(--mantine-spacing-xs)', justifyContent: 'space-between' }}>
      <span>{hint}</span>
      <span style={{ flex: 'none', ...(count > limit && tooMany) }}>
        {formatNumber(count)} of {formatNumber(limit)} {unit}
      </span>
    </span>
  );
}

const tooMany = { color: 'var(--mantine-color-error)', fontWeight: 600 };

/** The number of characters of a text, as limits count them. */
export const lengthOf = (text: string): number => [...text].length;
