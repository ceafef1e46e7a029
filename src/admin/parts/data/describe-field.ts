/**
 * Describes fields in words, and finds the paths to sort by.
 */
import type { ContentType, Field } from '../../api.ts';
import { describeBytes } from '../files/file-address.ts';
import { describePattern } from './describe-pattern.ts';
import { nameOfType, wordsOf } from './field-label.ts';
import { formatNumber } from './number-words.ts';
import { type ScalarView, viewOf } from './scalar-views.ts';

/** What the values of each view are called: one, and several. */
const kindWords: Readonly<Record<ScalarView, readonly [one: string, several: string]>> = {
  text: ['Text', 'texts'],
  words: ['Text', 'texts'],
  richText: ['Formatted text', 'formatted texts'],
  url: ['Web address', 'web addresses'],
  wholeNumber: ['Whole number', 'whole numbers'],
  number: ['Number', 'numbers'],
  decimal: ['Decimal number', 'decimal numbers'],
  date: ['Date and time', 'dates with times'],
  day: ['Date', 'dates'],
  dateTime: ['Date and time', 'dates with times'],
  yesOrNo: ['Yes or no', 'answers, yes or no'],
  json: ['JSON', 'JSON values'],
};

/** How many types of assets a reference names. */
const maxTargets = 5;

/**
 * Describes the values of a field in plain words, such as `Text, at most 200 characters` or `List of references to Article or Author`.
 * `nameOf` names content types for people; `embeddedTypes` are those of the type that has the field.
 */
export function describeKind(
  { type, list, constraint }: Field,
  { nameOf, embeddedTypes }: { nameOf: (className: string) => string } & Pick<ContentType, 'embeddedTypes'>,
): string {
  const [one, several] = nameKind(type, { nameOf, embeddedTypes });
  const { min, max, ...others } = constraint;
  const hasRange = min !== undefined && max !== undefined;
  const range = hasRange ? ` from ${min} to ${max}` : '';
  const limits = describeConstraint({ constraint: hasRange ? others : constraint });
  return [`${list ? `List of ${several}` : one}${range}`, ...(limits === '' ? [] : [limits])].join(', ');
}

function nameKind(
  type: Field['type'],
  { nameOf, embeddedTypes }: Parameters<typeof describeKind>[1],
): readonly [one: string, several: string] {
  const view = viewOf(type);
  if (view) return kindWords[view];
  if (type.kind === 'enum') {
    const values = oneOf((type.values ?? []).map((value) => wordsOf(type, value)));
    return [`One of ${values}`, `values, each one of ${values}`];
  }
  if (type.kind === 'reference') {
    const targets = type.targets ?? [];
    const to = targets.length > maxTargets ? `assets of ${targets.length} types` : oneOf(targets.map(nameOf));
    return [`Reference to ${to}`, `references to ${to}`];
  }
  const embedded = embeddedTypes.find(({ name }) => name === type.name);
  const named = (name: string) => nameOfType(embeddedTypes.find((each) => each.name === name) ?? { name });
  if (embedded?.kinds)
    return [`Block: ${oneOf(embedded.kinds.map(named))}`, `blocks: ${oneOf(embedded.kinds.map(named))}`];
  return [`Group of fields: ${named(type.name)}`, `groups of fields: ${named(type.name)}`];
}

const oneOf = (words: readonly string[]) => new Intl.ListFormat('en', { type: 'disjunction' }).format(words);

/** The rules of a field besides its kind, such as `required, unique`; empty without any. */
export const describeRules = ({ required, indexed, searchable, onDelete }: Field): string =>
  [
    required ? 'required' : '',
    indexed?.unique ? 'unique' : '',
    searchable ? 'searchable' : '',
    onDelete ? 'keeps what it refers to' : '',
  ]
    .filter((part) => part !== '')
    .join(', ');

/** The limits of a field, such as `unique, at most 120 characters`; empty without any. */
export function describeConstraint({ constraint, indexed }: Pick<Field, 'constraint' | 'indexed'>): string {
  const { minLength, maxLength, pattern, min, max, scale, minItems, maxItems, accept, maxBytes } = constraint;
  return [
    indexed?.unique ? 'unique' : '',
    describeRange(minLength, maxLength, ' characters'),
    pattern === undefined ? '' : describePattern(pattern),
    describeRange(min, max, ''),
    describeRange(undefined, scale, ' digits after the point'),
    describeRange(minItems, maxItems, ' items'),
    accept ? `only ${oneOf(accept.map((type) => fileWords[type] ?? `files of ${type}`))}` : '',
    maxBytes === undefined ? '' : `at most ${describeBytes(maxBytes)}`,
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** What people call the files of a media type. */
const fileWords: Readonly<Record<string, string>> = {
  'image/*': 'pictures',
  'video/*': 'videos',
  'audio/*': 'sounds',
  'application/pdf': 'PDF files',
};

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
