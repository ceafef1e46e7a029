/**
 * Compiles what a request says about the assets that it wants: the types to search, and the predicate with the caller's restriction.
 */

import { invalidParameter } from '../../base/errors.ts';
import { getType } from '../../model/catalog.ts';
import type { Catalog, ContentType } from '../../model/content-type.ts';
import type { BoundPredicate } from '../../query/ast.ts';
import { bindPredicate } from '../../query/bind.ts';
import { allOf } from '../../query/build-comparison.ts';
import { countComparisons } from '../../query/count-comparisons.ts';
import { predicateLimits } from '../../query/limits.ts';
import { createPredicateCompiler } from '../../query/prepare.ts';
import { restrictToSites } from './site-visibility.ts';

/** Which assets a request is about. */
export interface SearchTerms {
  /** Class name or type ID of a content type or an interface. */
  readonly from: string;
  /** Predicate text; absent means all assets of the type. */
  readonly where?: string;
  /** A compiled predicate that must hold as well. */
  readonly filter?: BoundPredicate;
  /** The values of the predicate's `?`: texts are converted to the field's type, other JSON values must fit it. */
  readonly values?: readonly unknown[];
}

/** A compiled search. */
export interface CompiledSearch {
  /** The type or interface that `from` names. */
  readonly type: ContentType;
  /** Class names of the concrete types; none for an interface that no type implements. */
  readonly types: readonly string[];
  /** Class names of the types that the search reads: those, and the ones that its predicate goes on to through references. */
  readonly readTypes: readonly string[];
  /** The predicate of the request. */
  readonly asked: BoundPredicate | undefined;
  /** The same, restricted to the sites of the caller. */
  readonly where: BoundPredicate | undefined;
}

/** Compiles a search. Errors: unknown_type, unknown_field, predicate_syntax, predicate_type, values_mismatch, invalid_parameter. */
export type SearchCompiler = (
  terms: SearchTerms,
  caller: { readonly sites?: readonly string[] },
) => CompiledSearch;

/** Creates the compiler of one catalog, which caches predicates. */
export function createSearchCompiler(catalog: Catalog): SearchCompiler {
  const predicates = createPredicateCompiler(catalog);

  function compileWhere(types: readonly string[], { where, values = [] }: SearchTerms): Asked {
    if (where !== undefined) {
      const checked = predicates.prepare(types, where);
      const { targets } = checked;
      const readTypes = targets.length > 0 ? [...new Set([...types, ...targets])] : types;
      return { asked: bindPredicate(checked, values), readTypes };
    }
    if (values.length > 0) throw invalidParameter('values', 'needs a predicate in "where" to fill');
    return { asked: undefined, readTypes: types };
  }

  return (terms, caller) => {
    const type = getType(catalog, terms.from, 'from');
    const types = catalog.concrete(type);
    const { asked, readTypes } = addFilter(compileWhere(types, terms), terms.filter);
    return {
      type,
      types,
      readTypes,
      asked,
      where: caller.sites ? restrictToSites(asked, caller.sites) : asked,
    };
  };
}

type Asked = Pick<CompiledSearch, 'asked' | 'readTypes'>;

/** Adds a filter to what `where` asks for. */
function addFilter({ asked, readTypes }: Asked, filter: BoundPredicate | undefined): Asked {
  if (!filter) return { asked, readTypes };
  const both = asked ? allOf([asked, filter]) : filter;
  assertMeasure(both, asked !== undefined);
  return { asked: both, readTypes: [...new Set([...readTypes, ...targetsOf(filter)])] };
}

/** The text of a predicate has been measured alone. */
function assertMeasure(predicate: BoundPredicate, isJoined: boolean): void {
  const { comparisons, operands } = predicateLimits;
  const together = isJoined ? ' together with "where"' : '';
  if (countComparisons(predicate) > comparisons)
    throw invalidParameter('filter', `has more than ${comparisons} comparisons${together}`);
  if (countValues(predicate) > operands)
    throw invalidParameter('filter', `has more than ${operands} values${together}`);
}

function countValues(predicate: BoundPredicate): number {
  switch (predicate.kind) {
    case 'and':
    case 'or':
      return predicate.terms.reduce((sum, term) => sum + countValues(term), 0);
    case 'not':
      return countValues(predicate.term);
    case 'any':
      return countValues(predicate.where);
    default:
      return predicate.kind === 'equals' ? predicate.values.length : 1;
  }
}

/** Lists the classes that a predicate goes on to through references. */
function targetsOf(predicate: BoundPredicate): readonly string[] {
  switch (predicate.kind) {
    case 'and':
    case 'or':
      return predicate.terms.flatMap(targetsOf);
    case 'not':
      return targetsOf(predicate.term);
    case 'any':
      return [...(predicate.targets ?? []), ...targetsOf(predicate.where)];
    default:
      return [];
  }
}
