/**
 * The size limits of predicates. They keep parsing fast, and compiled queries within what the databases can nest and bind.
 */

/** The limits of one predicate; an error names the limit that it exceeds. */
export const predicateLimits = {
  /** Of the predicate's text. */
  characters: 131_072,
  comparisons: 1_000,
  /** Values written, and values that lists given for placeholders bring. */
  operands: 5_000,
  /** Parentheses and `not` inside one another. */
  nesting: 32,
  /** Names in one path, between `.` or `/`. */
  pathNames: 32,
  /** References that one path goes through. */
  pathReferences: 8,
  /** Of a text to search for. */
  searchCharacters: 1_000,
} as const;
