/**
 * Where the progress of a command is shown: standard error, if it is a terminal.
 */
import type { ProgressScreen } from '../transfer/progress.ts';

/** The screen of this process; `undefined` when its standard error is not a terminal. */
export function progressScreen(): ProgressScreen | undefined {
  const { stderr } = process;
  if (!stderr.isTTY) return undefined;
  return { write: (text) => void stderr.write(text), columns: () => stderr.columns || 80 };
}
