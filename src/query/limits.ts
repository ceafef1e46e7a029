/**
 * The size limits of predicates. They keep parsing fast, and compiled queries within the nesting and parameter limits of the databases.
 */

/** The limits of one predicate; an error names the limit that it exceeds. */
export const predicateLimits = {
  /** In the predicate's text. */
  characters: 131_072,
  comparisons: 1_000,
  /** Those that look through whole texts, in a predicate that tests each change of an asset on the event loop. */
  textComparisonsOfChanges: 25,
  /** Literals and placeholders, plus the members of lists given for placeholders. */
  operands: 5_000,
  /** Levels of parentheses and `not`. */
  nesting: 32,
  /** Names in one path, between `.` or `/`. */
  pathNames: 32,
  pathReferences: 8,
  /** In a text to search for. */
  searchCharacters: 1_000,
} as const;
