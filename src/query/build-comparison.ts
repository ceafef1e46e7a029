/**
 * Reduces operators to the five kinds of bound comparison, and simplifies the logic that joins them.
 *
 * `!=` becomes a negated `=`, a list becomes alternatives, and a term with the same result for every asset becomes a constant.
 */
import type { BoundPredicate, BoundValue } from './ast.ts';
import type { ConversionTarget, Converted } from './convert-value.ts';
import { foldCase, toSearchedTerms } from './text.ts';

/** Builds one comparison with any of several converted values. */
export function buildComparison(target: ConversionTarget, converted: readonly Converted[]): BoundPredicate {
  const { path, operator, ignoreCase } = target;
  const values = [...new Set(converted.flatMap((value) => value ?? []))];
  const texts = values.filter((value) => typeof value === 'string');
  switch (operator) {
    case 'equals':
      return buildEquals(target, values, converted.includes(null));
    case 'notEquals':
      return negate(buildEquals(target, values, converted.includes(null)));
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge': {
      const ordered = values.filter((value) => typeof value !== 'boolean');
      return anyOf(ordered.map((value) => ({ kind: 'compare', path, operator, value })));
    }
    case 'startsWith':
    case 'contains': {
      const searched = ignoreCase ? [...new Set(texts.map(foldCase))] : texts;
      return anyOf(searched.map((value) => ({ kind: 'text', path, operator, value, ignoreCase })));
    }
    case 'matches':
    case 'matchesAll':
      return anyOf(texts.map((text) => buildWords(target, text)));
  }
}

function buildEquals(
  { path, leaf, ignoreCase: asked }: ConversionTarget,
  values: readonly BoundValue[],
  orMissing: boolean,
): BoundPredicate {
  // Identifiers and enum values are already normalized.
  const ignoreCase = asked && leaf.kind === 'scalar';
  const folded = values.map((value) => (ignoreCase && typeof value === 'string' ? foldCase(value) : value));
  const equals: BoundPredicate = { kind: 'equals', path, values: [...new Set(folded)], ignoreCase };
  return anyOf([
    ...(values.length > 0 ? [equals] : []),
    ...(orMissing ? [{ kind: 'missing' as const, path }] : []),
  ]);
}

/** Joins the words of a text: single words in one comparison, and each run of words that must all be found in another. */
function buildWords({ path, operator }: ConversionTarget, text: string): BoundPredicate {
  const terms = toSearchedTerms(text);
  const isAll = operator === 'matchesAll';
  const single = isAll ? [] : terms.filter((words) => words.length === 1);
  const joined = isAll ? [terms.flat()] : terms.filter((words) => words.length > 1);
  const toTerm = (words: readonly string[], all: boolean): BoundPredicate[] =>
    words.length > 0 ? [{ kind: 'words', path, words: [...new Set(words)].sort(), all }] : [];
  return anyOf([...toTerm(single.flat(), false), ...joined.flatMap((words) => toTerm(words, true))]);
}

/** Joins terms that must all hold; without terms it is true. */
export const allOf = (terms: readonly BoundPredicate[]): BoundPredicate => join('and', terms);

/** Splits a predicate into the terms that must all hold. */
export const termsOf = (where: BoundPredicate): readonly BoundPredicate[] =>
  where.kind === 'and' ? where.terms.flatMap(termsOf) : [where];

/** Joins terms of which any must hold; without terms it is false. */
export const anyOf = (terms: readonly BoundPredicate[]): BoundPredicate => join('or', terms);

/** Negates a predicate. */
export function negate(term: BoundPredicate): BoundPredicate {
  if (term.kind === 'constant') return { kind: 'constant', value: !term.value };
  return term.kind === 'not' ? term.term : { kind: 'not', term };
}

function join(kind: 'and' | 'or', terms: readonly BoundPredicate[]): BoundPredicate {
  const neutral = kind === 'and';
  const flat = terms.flatMap((term) => (term.kind === kind ? term.terms : [term]));
  if (flat.some((term) => term.kind === 'constant' && term.value !== neutral)) {
    return { kind: 'constant', value: !neutral };
  }
  const [first, ...others] = flat.filter((term) => term.kind !== 'constant');
  if (first === undefined) return { kind: 'constant', value: neutral };
  return others.length === 0 ? first : { kind, terms: [first, ...others] };
}
