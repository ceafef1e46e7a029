/**
 * Builds pieces of SDL text.
 */

/** Writes a definition with its members. */
export function block(head: string, lines: readonly string[]): string {
  return `${head} {\n${lines.join('\n')}\n}`;
}

/** Writes the description that precedes a definition. A JSON string is also a GraphQL string. */
export function describe(description: string | undefined): string {
  return description === undefined ? '' : `${JSON.stringify(description)} `;
}
