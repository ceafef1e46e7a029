/**
 * Compiles predicate texts to checked predicates, and caches the recent ones. Texts that differ in their literals alone share one entry:
 * the predicate with a placeholder in the place of each literal.
 */
import { LRUCache } from 'lru-cache';
import type { Catalog } from '../model/content-type.ts';
import type { Operand, Predicate } from './ast.ts';
import { bindLiterals } from './bind.ts';
import { type CheckedPredicate, checkPredicate } from './check.ts';
import { type CutText, cutLiterals } from './cut-literals.ts';
import { parsePredicate } from './parse.ts';
import { countCharacters } from './text.ts';

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
  const check = (classes: readonly string[], predicate: Predicate) =>
    checkPredicate({ catalog, classes, predicate });

  /** A text can be written like a shape, so `name` says which of the two it is. */
  function keep(
    classes: readonly string[],
    name: `${'text' | 'shape'} ${string}`,
    compile: () => CheckedPredicate,
  ): CheckedPredicate {
    const key = `${classes.join(' ')}\n${name}`;
    const found = known.get(key);
    if (found) return found;
    const checked = compile();
    known.set(key, checked);
    return checked;
  }

  function compileCut(classes: readonly string[], text: string, cut: CutText): CheckedPredicate {
    const outline = keep(classes, `shape ${cut.shape}`, () => check(classes, toOutline(text, cut)));
    return { ...outline, term: bindLiterals(outline, cut.literals), placeholders: 0 };
  }

  return {
    prepare(classes, text) {
      const compile = () => check(classes, parsePredicate(text));
      if (text.length > maxCachedCharacters) return compile();
      const cut = cutLiterals(text);
      if (!cut) return keep(classes, `text ${text}`, compile);
      try {
        return compileCut(classes, text, cut);
      } catch {
        // The whole text, whose error has the columns of this very text.
        return compile();
      }
    },
  };
}

/** Parses a text and replaces the literals that were cut out by placeholders. Errors: predicate_syntax; a plain one for a literal that is no operand. */
function toOutline(text: string, { starts }: CutText): Predicate {
  const indexes = new Map(starts.map((start, index) => [countCharacters(text.slice(0, start)) + 1, index]));
  const replace = (operand: Operand): Operand => {
    if (operand.kind === 'list') return { ...operand, items: operand.items.map(replace) };
    const { column } = operand;
    const index = indexes.get(column);
    if (index === undefined) return operand;
    indexes.delete(column);
    return { kind: 'placeholder', index, column };
  };
  const visit = (predicate: Predicate): Predicate => {
    switch (predicate.kind) {
      case 'constant':
        return predicate;
      case 'and':
      case 'or':
        return { ...predicate, terms: predicate.terms.map(visit) };
      case 'not':
        return { ...predicate, term: visit(predicate.term) };
      case 'items':
        return { ...predicate, where: visit(predicate.where) };
      case 'comparison':
        return { ...predicate, operand: replace(predicate.operand) };
    }
  };
  const outline = visit(parsePredicate(text));
  if (indexes.size > 0) throw new Error(`What was cut out of ${JSON.stringify(text)} is not all operands`);
  return outline;
}
