/**
 * Reduces operators to the six kinds of bound comparison, and simplifies the logic that joins them.
 *
 * `!=` becomes a negated `=`, a list becomes alternatives, a path through references becomes conditions on their targets, and a term
 * with the same result for every asset becomes a constant.
 */
import type { FieldPath } from '../model/field-path.ts';
import type { BoundAny, BoundPredicate, BoundValue, Quantifier } from './ast.ts';
import type { ConversionTarget, Converted } from './convert-value.ts';
import { foldCase, toSearchedTerms } from './text.ts';

/** Builds one comparison with any of several converted values. */
export function buildComparison(target: ConversionTarget, converted: readonly Converted[]): BoundPredicate {
  const { operator, path } = target;
  if (operator === 'notEquals') return negate(buildComparison({ ...target, operator: 'equals' }, converted));
  const found = behindReferences(path, (end) => compare({ ...target, path: end }, converted));
  if (operator !== 'equals' || !converted.includes(null)) return found;
  return anyOf([found, buildMissing(path)]);
}

/** Builds the condition that a path leads to no value. Behind references, none of their targets has one. */
export const buildMissing = (path: FieldPath): BoundPredicate =>
  negate(behindReferences(path, (end) => negate({ kind: 'missing', path: end })));

/** Builds the condition that a path leads to a list without items. */
export const buildEmpty = (path: FieldPath): BoundPredicate =>
  behindReferences(path, (end) => ({ kind: 'empty', path: end }));

/**
 * Builds a condition on the items that a path leads to. A path to the `_id` of targets (`author/_id`) leads to these.
 */
export function buildItems(path: FieldPath, quantifier: Quantifier, where: BoundPredicate): BoundPredicate {
  const wanted = quantifier === 'every' ? negate(where) : where;
  const found = behindReferences(path, (end) =>
    end.leaf.kind === 'id' ? wanted : buildAny({ path: end, where: wanted }),
  );
  return quantifier === 'any' ? found : negate(found);
}

/** Builds the condition that an item matches; one that a single value decides becomes a comparison of the values of all items. */
export function buildAny({ path, targets, where }: Omit<BoundAny, 'kind'>): BoundPredicate {
  if (where.kind === 'constant' && !where.value) return where;
  const isOfValue = where.kind === 'any' || ('path' in where && where.kind !== 'missing');
  if (!targets && isOfValue) return { ...where, path: joinPaths(path, where.path) };
  return { kind: 'any', path, ...(targets && { targets }), where };
}

/** Returns the path to what a path leads to from each item of another one. */
export function joinPaths(outer: FieldPath, { leaf, ...inner }: FieldPath): FieldPath {
  return { text: `${outer.text}.${inner.text}`, steps: [...outer.steps, ...inner.steps], leaf };
}

/** Builds a condition on the end of a path: what is behind its references is a condition on their targets. */
function behindReferences(whole: FieldPath, build: (end: FieldPath) => BoundPredicate): BoundPredicate {
  if (!whole.through) return build(whole);
  const { through, ...path } = whole;
  const { targets, path: rest } = through;
  const text = path.steps.map(({ name }) => name).join('.');
  return buildAny({ path: { ...path, text }, targets, where: behindReferences(rest, build) });
}

function compare(target: ConversionTarget, converted: readonly Converted[]): BoundPredicate {
  const { path, operator, ignoreCase } = target;
  const values = [...new Set(converted.flatMap((value) => value ?? []))];
  const texts = values.filter((value) => typeof value === 'string');
  switch (operator) {
    case 'equals':
    case 'notEquals':
      return buildEquals(target, values);
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
): BoundPredicate {
  if (values.length === 0) return anyOf([]);
  // Identifiers and enum values are already normalized.
  const ignoreCase = asked && leaf.kind === 'scalar';
  const folded = values.map((value) => (ignoreCase && typeof value === 'string' ? foldCase(value) : value));
  return { kind: 'equals', path, values: [...new Set(folded)], ignoreCase };
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
  const joined = terms.flatMap((term) => (term.kind === kind ? term.terms : [term]));
  const flat = kind === 'or' ? groupByReference(joined) : joined;
  if (flat.some((term) => term.kind === 'constant' && term.value !== neutral)) {
    return { kind: 'constant', value: !neutral };
  }
  const [first, ...others] = flat.filter((term) => term.kind !== 'constant');
  if (first === undefined) return { kind: 'constant', value: neutral };
  return others.length === 0 ? first : { kind, terms: [first, ...others] };
}

/** Makes one search for the targets of each reference that several alternatives follow. */
function groupByReference(terms: readonly BoundPredicate[]): BoundPredicate[] {
  const groups = Map.groupBy(terms, (term) =>
    term.kind === 'any' && term.targets ? JSON.stringify([term.path.steps, term.targets]) : term,
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first?.kind !== 'any' || group.length === 1) return group;
    return buildAny({
      ...first,
      where: anyOf(group.flatMap((each) => (each.kind === 'any' ? each.where : []))),
    });
  });
}
