/**
 * Writes the variables of a mapped route into a query string, in the syntax of its endpoint.
 *
 * In slash syntax a value that is not an object is a separate parameter, `filter/name=a`; the elements of a list repeat its name
 * with `[]`, and those that are objects or lists have their index, `items[0]/name=a`. An empty list is `items[]` without `=`, and
 * `items[]=` a list with one empty text. Values that this cannot express exactly are refused.
 */

/** The syntax of an endpoint's query strings. */
export type VariableSyntax = 'slash' | 'json';

/** Writes variables, with `?` in front if there are any; those that are undefined are left out. Throws a TypeError. */
export function writeVariables(variables: object, syntax: VariableSyntax): string {
  const pairs = membersOf(variables).flatMap(([name, value]): Pair[] =>
    syntax === 'json' ? [[name, JSON.stringify(value)]] : writeValue(name, value),
  );
  const texts = pairs.map((pair) => pair.map(encodeURIComponent).join('='));
  return texts.length === 0 ? '' : `?${texts.join('&')}`;
}

type Pair = [name: string, text: string] | [emptyList: string];

const membersOf = (value: object) => Object.entries(value).filter(([, member]) => member !== undefined);

function writeValue(name: string, value: unknown): Pair[] {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return [[name, String(value)]];
    case 'number':
      if (Number.isFinite(value)) return [[name, String(value)]];
      throw unwritable(name, String(value));
    case 'object':
      if (value === null) throw unwritable(name, 'null');
      return Array.isArray(value) ? writeList(name, value) : writeObject(name, value);
    default:
      throw unwritable(name, `a ${typeof value}`);
  }
}

function writeList(name: string, list: readonly unknown[]): Pair[] {
  if (list.length === 0) return [[`${name}[]`]];
  // All elements of a list use the same form.
  const isNested = list.some((element) => typeof element === 'object');
  return list.flatMap((element, index) => writeValue(isNested ? `${name}[${index}]` : `${name}[]`, element));
}

function writeObject(name: string, value: object): Pair[] {
  const members = membersOf(value);
  if (members.length === 0) throw unwritable(name, 'an empty object');
  return members.flatMap(([member, inner]) => {
    if (!/^[^/[\]]+$/.test(member)) throw unwritable(name, `a member named "${member}"`);
    return writeValue(`${name}/${member}`, inner);
  });
}

function unwritable(name: string, what: string): TypeError {
  return new TypeError(`"${name}" cannot be ${what}: the query string of this route has no way to write it`);
}
