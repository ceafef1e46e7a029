/**
 * Pieces of SDL, as text.
 */

/** A definition with its members. */
export function block(head: string, lines: readonly string[]): string {
  return `${head} {\n${lines.join('\n')}\n}`;
}

/** A description in front of a definition. A JSON text is a GraphQL string too. */
export function describe(description: string | undefined): string {
  return description === undefined ? '' : `${JSON.stringify(description)} `;
}
