/**
 * The conditions of a predicate that are joined by `and`, as texts, so that a filter can be built and taken apart by clicks.
 *
 * The text stays the filter: what is not understood here is one condition.
 */

/** A token: quoted text, a bracket, a word, blanks, or another character. */
const lexeme =
  /'[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*"|[()[\]]|&&|\|\||[\p{L}\p{M}\p{N}_./:@+-]+|\s+|./gsu;

/** Splits a predicate where `and` joins its conditions; a predicate with `or` outside of parentheses is one condition. */
export function splitConditions(where: string): string[] {
  const conditions: string[] = [];
  let current = '';
  let depth = 0;
  for (const [token] of where.matchAll(lexeme)) {
    const word = token.toLowerCase();
    if (token === '(' || token === '[') depth++;
    if (token === ')' || token === ']') depth--;
    if (depth === 0 && (word === 'or' || word === '||')) return [where.trim()];
    if (depth === 0 && (word === 'and' || word === '&&')) {
      conditions.push(current.trim());
      current = '';
    } else {
      current += token;
    }
  }
  return [...conditions, current.trim()].filter((condition) => condition !== '');
}

/** Joins conditions to a predicate. Any `or` in one of several is put into parentheses. */
export function joinConditions(conditions: readonly string[]): string {
  if (conditions.length < 2) return conditions.join('');
  return conditions.map((condition) => (hasOr(condition) ? `(${condition})` : condition)).join(' and ');
}

/** Writes a text so that a predicate contains it as it is. */
export function quote(text: string): string {
  const escaped = text
    .replace(/[\\']/g, '\\$&')
    .replace(/\p{C}/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  return `'${escaped}'`;
}

/** Whether a condition is several ones, joined by `or` outside of parentheses. */
function hasOr(condition: string): boolean {
  let depth = 0;
  for (const [token] of condition.matchAll(lexeme)) {
    if (token === '(' || token === '[') depth++;
    if (token === ')' || token === ']') depth--;
    if (depth === 0 && /^(or|\|\|)$/i.test(token)) return true;
  }
  return false;
}
