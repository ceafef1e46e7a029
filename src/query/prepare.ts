/**
 * Predicate texts to checked predicates, each parsed and checked once for as long as it is in use.
 */
import type { Catalog } from '../model/content-type.ts';
import { type CheckedPredicate, checkPredicate } from './check.ts';
import { parsePredicate } from './parse.ts';

/** Parses and checks predicates, and remembers the latest. */
export interface PredicateCompiler {
  /**
   * The checked predicate of a text, for assets of the given classes.
   *
   * Errors: predicate_syntax, predicate_type, unknown_field.
   */
  prepare(classes: readonly string[], text: string): CheckedPredicate;
}

const maxEntries = 500;
const maxKeptCharacters = 4_096;

/** Creates a predicate compiler for one catalog; it remembers 500 predicates of up to 4,096 characters. */
export function createPredicateCompiler(catalog: Catalog): PredicateCompiler {
  // A map keeps the order of insertion, so its first key is the one unused for longest.
  const known = new Map<string, CheckedPredicate>();
  return {
    prepare(classes, text) {
      const key = `${classes.join(' ')}\n${text}`;
      const checked = known.get(key) ?? checkPredicate({ catalog, classes, predicate: parsePredicate(text) });
      if (text.length > maxKeptCharacters) return checked;
      known.delete(key);
      known.set(key, checked);
      const [oldest] = known.keys();
      if (known.size > maxEntries && oldest !== undefined) known.delete(oldest);
      return checked;
    },
  };
}
