/**
 * Prints results: as JSON for programs, as aligned columns for people. Progress is shown on a terminal alone.
 */
import type { ProgressScreen } from '../transfer/progress.ts';

/** Prints a value as JSON, indented. */
export function printJson(value: unknown): void {
  console.log(JSON.stringify(value, null, 2));
}

/** Prints rows under a heading, each column as wide as its widest cell. */
export function printTable(heading: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = heading.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  for (const row of [heading.map((title) => title.toUpperCase()), ...rows]) {
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  }
}

/** The screen of this process; `undefined` when its standard error is not a terminal. */
export function progressScreen(): ProgressScreen | undefined {
  const { stderr } = process;
  if (!stderr.isTTY) return undefined;
  return { write: (text) => void stderr.write(text), columns: () => stderr.columns || 80 };
}
