/**
 * Turns free names into identifiers of programs.
 */

/** Joins the words of a name to an identifier such as `byId`; `fallback` precedes it when it would not begin with a letter. */
export function toCamelCase(name: string, fallback: string): string {
  const [first = '', ...others] = wordsOf(name);
  const joined = first.charAt(0).toLowerCase() + first.slice(1) + others.map(upperFirst).join('');
  return /^[A-Za-z]/.test(joined) ? joined : fallback + joined;
}

/** Joins the words of a name to an identifier with a capital first letter, such as `ById`. */
export function toPascalCase(name: string, fallback: string): string {
  return upperFirst(toCamelCase(name, fallback));
}

/** Splits a name into words of ASCII letters and digits; accents are removed. */
function wordsOf(name: string): string[] {
  return (
    name
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .match(/[A-Za-z0-9]+/g) ?? []
  );
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
