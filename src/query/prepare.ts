/**
 * Compiles predicate texts to checked predicates, and caches the recent ones.
 */
import { LRUCache } from 'lru-cache';
import type { Catalog } from '../model/content-type.ts';
import { type CheckedPredicate, checkPredicate } from './check.ts';
import { parsePredicate } from './parse.ts';

/** Parses and checks predicates, with a cache of recent ones. */
export interface PredicateCompiler {
  /**
   * Compiles a text to a checked predicate, for assets of the given classes.
   *
   * Errors: predicate_syntax, predicate_type, unknown_field.
   */
  prepare(classes: readonly string[], text: string): CheckedPredicate;
}

const maxEntries = 500;
const maxCachedCharacters = 4_096;

/** Creates a predicate compiler for one catalog; it caches 500 predicates of up to 4,096 characters. */
export function createPredicateCompiler(catalog: Catalog): PredicateCompiler {
  const known = new LRUCache<string, CheckedPredicate>({ max: maxEntries });
  return {
    prepare(classes, text) {
      const key = `${classes.join(' ')}\n${text}`;
      const checked = known.get(key) ?? checkPredicate({ catalog, classes, predicate: parsePredicate(text) });
      if (text.length <= maxCachedCharacters) known.set(key, checked);
      return checked;
    },
  };
}
