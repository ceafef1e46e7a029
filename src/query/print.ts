/**
 * Prints a predicate's tree as text. Parsing that text gives the same tree, except for columns.
 *
 * Placeholders are always printed with numbers, and texts with quotes.
 */
import type { Operand, Predicate } from './ast.ts';
import { isEquality, operatorSpellings } from './operators.ts';
import { pathKeywords } from './parse.ts';
import { isBareWord } from './tokens.ts';

/** Prints a predicate; the text may exceed the length limit when the original is close to it. */
export function printPredicate(predicate: Predicate): string {
  switch (predicate.kind) {
    case 'constant':
      return String(predicate.value);
    case 'and':
    case 'or':
      return predicate.terms.map((term) => printInside(term, predicate.kind)).join(` ${predicate.kind} `);
    case 'not':
      return `not ${printInside(predicate.term, 'not')}`;
    case 'comparison':
      return printComparison(predicate);
    case 'items':
      return `${printPath(predicate.path)} ${predicate.quantifier} (${printPredicate(predicate.where)})`;
  }
}

const strength = { or: 0, and: 1, not: 2 } as const;

function printInside(term: Predicate, outer: keyof typeof strength): string {
  const text = printPredicate(term);
  if (term.kind !== 'and' && term.kind !== 'or') return text;
  return strength[term.kind] > strength[outer] ? text : `(${text})`;
}

function printComparison(comparison: Predicate & { kind: 'comparison' }): string {
  const { path, operator, ignoreCase, operand } = comparison;
  const isOfNone = operand.kind === 'list' && operand.items.length === 0 && isEquality(operator);
  const spelling = operatorSpellings[operator].at(isOfNone ? -1 : 0);
  return `${printPath(path)} ${spelling}${ignoreCase ? '[c]' : ''} ${printOperand(operand)}`;
}

const printPath = (path: string) =>
  isBareWord(path) && !pathKeywords.has(path.toLowerCase()) ? path : quote(path);

function printOperand(operand: Operand): string {
  switch (operand.kind) {
    case 'text':
      return quote(operand.text);
    case 'number':
      return operand.text;
    case 'boolean':
      return String(operand.boolean);
    case 'missing':
      return 'missing';
    case 'field':
      return `field(${printPath(operand.path)})`;
    case 'placeholder':
      return `?${operand.index}`;
    case 'list':
      return `[${operand.items.map(printOperand).join(', ')}]`;
    case 'empty':
      return '[]';
  }
}

// Control characters, direction marks, lone surrogates and the like are escaped, so that a printed predicate is legible.
function quote(text: string): string {
  const escaped = text
    .replace(/[\\']/g, '\\$&')
    .replace(/\p{C}/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  return `'${escaped}'`;
}
