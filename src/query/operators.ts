/**
 * The operators of the predicate language: every spelling, and what each may be used with.
 *
 * Spellings are words (any case) or symbols; the first spelling of each is the one the printer writes.
 */

/** The operators, each with its spellings. */
export const operatorSpellings = {
  equals: ['=', 'eq', 'equals', 'is', 'in'],
  notEquals: ['!=', '<>', 'ne', 'notEquals', 'notIn'],
  lt: ['<', 'lt'],
  le: ['<=', 'le'],
  gt: ['>', 'gt'],
  ge: ['>=', 'ge'],
  startsWith: ['startsWith', '^='],
  contains: ['contains'],
  matches: ['matches', '~='],
  matchesAll: ['matchesAll'],
} as const;

/** An operator by its name, however it was spelled. */
export type Operator = keyof typeof operatorSpellings;
