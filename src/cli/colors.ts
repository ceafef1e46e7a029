/**
 * Colors on standard output: only on a terminal, unless NO_COLOR or FORCE_COLOR says otherwise.
 */
import { styleText } from 'node:util';

/** Colors a text. */
export function colored(text: string, color: 'green' | 'yellow' | 'red'): string {
  // Node.js reads NO_COLOR and FORCE_COLOR, and whether the stream is a terminal.
  return styleText(color, text, { stream: process.stdout });
}
