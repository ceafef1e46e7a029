/** Hints for predicates that are written as in other languages. */

/** Says what to write in place of a word that is no operator. */
export function operatorFor(word: string, next: string): string {
  if (word === 'not')
    return next === 'in' ? 'the operator "notIn", in one word' : '"not" before the whole comparison';
  if (word === 'is') return next === 'not' ? '"!=" in place of "is not"' : '"="';
  return otherOperators.get(word) ?? 'an operator such as "=" or "contains"';
}

/** Operators of other languages, and what to write here. */
const otherOperators: ReadonlyMap<string, string> = new Map([
  ...['eq', 'equals'].map((word) => [word, '"="'] as const),
  ...['ne', 'notequals'].map((word) => [word, '"!="'] as const),
  ['lt', '"<"'],
  ['le', '"<="'],
  ['gt', '">"'],
  ['ge', '">="'],
  ...['like', 'ilike', 'rlike', 'regexp', 'similar'].map(
    (word) => [word, '"contains" or "startsWith", which take no wildcards'] as const,
  ),
  ['between', '">=" and "<=" in two comparisons joined by "and"'],
  ...['exists', 'notnull'].map((word) => [word, '"!= null"'] as const),
  ...['isnull', 'missing', 'null'].map((word) => [word, '"= null"'] as const),
  ['endswith', '"contains", which finds a text anywhere'],
  ['some', '"any" and a condition on one item'],
  ['all', '"every" and a condition on one item'],
]);
