/**
 * The help under an input of text, and how much of a limit is used.
 */
import type { ReactNode } from 'react';
import { formatNumber } from '../../../parts/data/number-words.ts';
import classes from './help.module.css';

/** Returns the help, and how many characters of at most `limit` there are; undefined without both. */
export function helpWithCount(hint: string | undefined, count: number, limit: number | undefined): ReactNode {
  if (limit === undefined) return hint;
  return (
    <>
      {hint} <LimitCount count={count} limit={limit} />
    </>
  );
}

/** How many of at most `limit` there are. It is seen from a third of them on, and while the field has the focus. */
export function LimitCount({
  count,
  limit,
  unit = 'characters',
}: {
  count: number;
  limit: number;
  unit?: 'characters' | 'items';
}) {
  return (
    <span
      className={classes.count}
      data-few={count < limit / 3 || undefined}
      data-many={count > limit || undefined}
    >
      {formatNumber(count)} of {formatNumber(limit)} {unit}
    </span>
  );
}

/** The number of characters of a text, as limits count them. */
export const lengthOf = (text: string): number => [...text].length;
