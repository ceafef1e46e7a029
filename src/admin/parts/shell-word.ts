/**
 * Texts in the commands that people copy into a shell.
 */

/** A text as one word of a POSIX shell. */
export function toShellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
