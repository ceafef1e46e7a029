/**
 * Where the progress of a command is shown: standard error, which may be a terminal.
 */
import type { ProgressScreen } from '../transfer/progress.ts';

/** The screen of this process. */
export function progressScreen(): ProgressScreen {
  const { stderr } = process;
  const write = (text: string) => void stderr.write(text);
  return stderr.isTTY ? { write, columns: () => stderr.columns || 80 } : { write };
}
