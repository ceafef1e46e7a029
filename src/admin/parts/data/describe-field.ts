/**
 * Describes fields in words, and finds the paths to sort by.
 */
import type { ContentType, Field } from '../../api.ts';
import { describeBytes } from '../files/file-address.ts';
import { describePattern } from './describe-pattern.ts';
import { formatNumber } from './number-words.ts';
import { viewOf } from './scalar-views.ts';

/** The type of a field as the SDL writes it. */
export function describeType({ type, list, required }: Field): string {
  return `${list ? `[${type.name}!]` : type.name}${required ? '!' : ''}`;
}

/** The indexes of a field, such as `indexed, words`; empty without any. */
export const describeIndexes = ({ indexed, searchable }: Field): string =>
  [indexed ? 'indexed' : '', searchable ? 'words' : ''].filter((part) => part !== '').join(', ');

/** The limits of a field, such as `unique, at most 120 characters`; empty without any. */
export function describeConstraint({ constraint, indexed }: Field): string {
  const { minLength, maxLength, pattern, min, max, scale, minItems, maxItems, accept, maxBytes } = constraint;
  return [
    indexed?.unique ? 'unique' : '',
    describeRange(minLength, maxLength, ' characters'),
    pattern === undefined ? '' : describePattern(pattern),
    describeRange(min, max, ''),
    describeRange(undefined, scale, ' digits after the point'),
    describeRange(minItems, maxItems, ' items'),
    accept ? `files of ${accept.join(' or ')}` : '',
    maxBytes === undefined ? '' : `at most ${describeBytes(maxBytes)}`,
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** What became of a field: former names, default and deprecation, a sentence each. */
export function describeChanges({ formerNames, default: value, deprecated }: Field): string[] {
  return [
    ...(formerNames ? [`Formerly ${formerNames.join(', ')}.`] : []),
    ...(value === undefined ? [] : [`Default: ${JSON.stringify(value)}.`]),
    ...(deprecated === undefined ? [] : [describeDeprecation(deprecated)]),
  ];
}

/** Says why a field is deprecated. */
export const describeDeprecation = (reason: string): string => `Deprecated: ${reason}`;

/** The paths an order can go by: single values that can be compared, those of embedded values included. */
export function listSortPaths({ fields, embeddedTypes }: ContentType): string[] {
  const embedded = new Map(embeddedTypes.map((type) => [type.name, type.fields]));
  const visit = (members: readonly Field[], prefix: string, above: readonly string[]): string[] =>
    members.flatMap((field) => {
      const { type, list, name } = field;
      if (list || viewOf(type) === 'json') return [];
      if (type.kind !== 'embedded') return [prefix + name];
      if (above.includes(type.name)) return [];
      return visit(embedded.get(type.name) ?? [], `${prefix}${name}.`, [...above, type.name]);
    });
  return [...visit(fields, '', []), '_id', '_type'];
}

function describeRange(from: number | undefined, to: number | undefined, unit: string): string {
  if (from === undefined) return to === undefined ? '' : `at most ${formatNumber(to)}${unit}`;
  return to === undefined
    ? `at least ${formatNumber(from)}${unit}`
    : `${formatNumber(from)} to ${formatNumber(to)}${unit}`;
}
