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

/** Writes the directive for the reason why something is deprecated, to follow a definition; empty for what is not. */
export function deprecate(reason: string | undefined): string {
  return reason === undefined ? '' : ` @deprecated(reason: ${JSON.stringify(reason)})`;
}
