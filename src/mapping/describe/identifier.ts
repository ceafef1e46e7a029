/**
 * Names that people give, as identifiers that programs can use.
 */

/** The words of a name as one identifier, such as `byId`; `fallback` stands in front when it would begin with no letter. */
export function toCamelCase(name: string, fallback: string): string {
  const [first = '', ...others] = wordsOf(name);
  const joined = first.charAt(0).toLowerCase() + first.slice(1) + others.map(upperFirst).join('');
  return /^[A-Za-z]/.test(joined) ? joined : fallback + joined;
}

/** The words of a name as one identifier that begins with a capital, such as `ById`. */
export function toPascalCase(name: string, fallback: string): string {
  return upperFirst(toCamelCase(name, fallback));
}

/** Letters and digits of ASCII; accents are taken off. */
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
