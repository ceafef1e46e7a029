/**
 * Names of content types and fields, made of the names of another system.
 */
import { scalarNames } from '../model/content-type.ts';
import { generatedTypeNames } from '../types/check-catalog.ts';

/** Names that Colophon defines, or that filters have. */
const reservedNames: ReadonlySet<string> = new Set([
  '_id',
  '_type',
  '_ref',
  '_by',
  '_before',
  '_colophon',
  'and',
  'or',
  'not',
]);

/** Names of types that Colophon defines, or makes. */
const reservedTypes: ReadonlySet<string> = new Set([
  ...scalarNames,
  ...generatedTypeNames,
  'Content',
  'File',
  'Site',
  'Query',
  'Mutation',
  'Subscription',
]);

/** Creates a function that makes a different field name of each name of a source; `chosen` are names that users give. */
export function createFieldNames(chosen: ReadonlyMap<string, string> = new Map()): (name: string) => string {
  const byName = new Map<string, string>();
  const taken = new Set<string>();
  return (name) => {
    const known = byName.get(name);
    if (known !== undefined) return known;
    const made = makeFree(toFieldName(chosen.get(name) ?? name), taken, (one) =>
      one.replaceAll(/[.-]/g, '_'),
    );
    byName.set(name, made);
    return made;
  };
}

/** Creates a function that makes a different type name of each name of a source. */
export function createTypeNames(): (name: string) => string {
  const byName = new Map<string, string>();
  const taken = new Set<string>();
  return (name) => {
    const known = byName.get(name);
    if (known !== undefined) return known;
    const made = makeFree(toTypeName(name), taken, (one) => one);
    byName.set(name, made);
    return made;
  };
}

/** Makes a JSON name: letters, digits, `_` and `-`, beginning with a letter. */
function toFieldName(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  const words = plain.replaceAll(/[^A-Za-z0-9_-]+/g, '_').replaceAll(/^[_-]+|[_-]+$/g, '');
  const made = /^[A-Za-z]/.test(words) ? words : `field_${words || 'x'}`;
  return reservedNames.has(made) ? `${made}_` : made;
}

/** Makes a GraphQL name in Pascal case. */
export function toTypeName(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  const words = plain.match(/[A-Za-z0-9]+/g) ?? [];
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  const made = /^[A-Za-z]/.test(joined) ? joined : `Type${joined}`;
  return reservedTypes.has(made) ? `${made}Item` : made;
}

function makeFree(name: string, taken: Set<string>, keyOf: (name: string) => string): string {
  let free = name;
  for (let number = 2; taken.has(keyOf(free)); number++) free = `${name}${number}`;
  taken.add(keyOf(free));
  return free;
}
