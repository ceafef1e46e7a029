/**
 * Quoting for commands that people copy into a shell.
 */

/** Quotes a text as one word of a POSIX shell. */
export function toShellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
