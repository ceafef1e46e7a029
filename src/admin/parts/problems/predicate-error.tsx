/**
 * Shows the error of a predicate at its position.
 */
import { ApiProblem } from '../../api.ts';

/** A flaw of a predicate; `column` counts its characters (code points) from 1, line ends among them. */
export interface PredicateFlaw {
  readonly message: string;
  readonly column: number;
}

/** Finds the flaw of the predicate that an error reports; undefined when it reports something else. */
export function findPredicateFlaw(error: unknown): PredicateFlaw | undefined {
  return error instanceof ApiProblem ? findFlaw(error.problems) : undefined;
}

/** Finds the flaw among the problems of a definition whose only positions are those of its predicate. */
export function findFlaw(problems: ApiProblem['problems']): PredicateFlaw | undefined {
  for (const { message, column } of problems) {
    // For a field that does not exist, only the text of the message has the column.
    const [prefix, number] = /^Column (\d+): /.exec(message) ?? [''];
    const place = column ?? Number(number);
    if (place > 0) return { message: message.slice(prefix.length), column: place };
  }
  return undefined;
}

/** The line of `where` that has the flaw, a caret below the place, and what was expected. Fits inside a paragraph. */
export function PredicateError({ where, flaw }: { where: string; flaw: PredicateFlaw }) {
  const lines = [...where]
    .slice(0, flaw.column - 1)
    .join('')
    .split('\n');
  const before = lines.at(-1) ?? '';
  const after = (where.split('\n')[lines.length - 1] ?? '').slice(before.length);
  // As much of a long line as fits on a small screen.
  const shown = before.length > 28 ? `…${before.slice(-27)}` : before;
  return (
    <>
      <span style={{ display: 'block', whiteSpace: 'pre', fontFamily: monospace }} aria-hidden>
        {shown}
        {after.slice(0, 12)}
        {'\n'}
        {/* The same characters, invisible, so that the caret has the right position for any width of characters. */}
        <span style={{ visibility: 'hidden' }}>{shown}</span>^
      </span>
      {lines.length > 1 ? `Line ${lines.length}, character` : 'Character'} {[...before].length + 1}:{' '}
      {/[.!?]$/.test(flaw.message) ? flaw.message : `${flaw.message}.`}
    </>
  );
}

const monospace = 'var(--mantine-font-family-monospace)';
