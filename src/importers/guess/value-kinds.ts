/**
 * The kinds of values that fields of untyped sources have, and the type that all values of a field fit.
 */
import type { Json } from '../reader.ts';

export type ValueKind =
  | 'boolean'
  | 'int'
  | 'float'
  | 'decimal'
  | 'date'
  | 'dateTime'
  | 'url'
  | 'html'
  | 'text'
  | 'object'
  | 'reference'
  | 'file'
  | 'list'
  | 'json'
  | 'null';

const htmlPattern =
  /<\/?(p|br|h[1-6]|ul|ol|li|a|img|div|span|strong|em|b|i|table|blockquote|figure|pre|code)(\s[^<>]*)?\/?>/i;

/** The `_type` of an object that stands for a value of the type `File`. */
export const fileMark = 'colophon.file';

/** A file that was kept, where a text names it. */
export const fileLink = (hash: string, name: string) => `/files/${hash}/${encodeURIComponent(name)}`;

export function kindOf(value: Json): ValueKind {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  switch (typeof value) {
    case 'object':
      return value._type === fileMark ? 'file' : 'object';
    case 'boolean':
      return 'boolean';
    case 'number':
      return Number.isInteger(value) && Math.abs(value) <= 2 ** 31 - 1 ? 'int' : 'float';
    default:
      return kindOfText(value);
  }
}

function kindOfText(text: string): ValueKind {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return isDay(text) ? 'date' : 'text';
  if (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?(Z|[+-]\d{2}:\d{2})$/.test(text))
    return Number.isNaN(Date.parse(text)) ? 'text' : 'dateTime';
  if (/^https?:\/\/\S+$/.test(text)) return URL.canParse(text) ? 'url' : 'text';
  return htmlPattern.test(text) ? 'html' : 'text';
}

/** Returns the kind of a cell of a table, whose numbers and truth values are texts. */
export function kindOfCell(text: string): ValueKind {
  if (text === '') return 'null';
  if (/^(true|false)$/i.test(text)) return 'boolean';
  if (/^-?(0|[1-9]\d{0,8})$/.test(text)) return 'int';
  // Other digits are written in a way that a number would lose, such as 007 or 1.50.
  if (/^-?(0|[1-9]\d{0,24})(\.\d{1,9})?$/.test(text)) return 'decimal';
  return kindOfText(text);
}

function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) && !text.startsWith('0000');
}

/** The kinds that a field with values of each of the given kinds can have as one; `null` does not count. */
export function joinKinds(kinds: ReadonlySet<ValueKind>): Exclude<ValueKind, 'null'> | 'mixed' {
  const present = [...kinds].filter((kind) => kind !== 'null');
  const [first] = present;
  if (first === undefined) return 'text';
  if (present.length === 1) return first as Exclude<ValueKind, 'null'>;
  const areAll = (...allowed: ValueKind[]) => present.every((kind) => allowed.includes(kind));
  if (kinds.has('file') && areAll('file', 'text', 'url')) return 'text';
  if (areAll('int', 'float')) return 'float';
  if (areAll('int', 'decimal')) return 'decimal';
  if (areAll('text', 'html', 'date', 'dateTime', 'url')) return kinds.has('html') ? 'html' : 'text';
  // In a table, every value is a text at first.
  if (areAll('text', 'html', 'date', 'dateTime', 'url', 'int', 'decimal', 'boolean'))
    return kinds.has('html') ? 'html' : 'text';
  return 'mixed';
}

export const scalarOf: Readonly<
  Record<Exclude<ValueKind, 'null' | 'object' | 'reference' | 'list'>, string>
> = {
  boolean: 'Boolean',
  int: 'Int',
  float: 'Float',
  decimal: 'Decimal',
  date: 'Date',
  dateTime: 'DateTime',
  url: 'Url',
  html: 'RichText',
  text: 'String',
  file: 'File',
  json: 'JSON',
};

/** The most odd values of a field. */
export const maxOdd = 10;

/** Whether so many values of a field are few beside all its values: at most ten of them, and at most one percent, or a single one of three or more. */
export const isFew = (count: number, all: number): boolean =>
  count <= maxOdd && (count === 1 ? all >= 3 : count * 100 <= all);

/** Leaves the rarest of some counted things out, as long as they are few together, until the others fit each other; all of them where none do. */
export function withoutOdd<Thing>(
  counts: ReadonlyMap<Thing, number>,
  doFit: (things: ReadonlySet<Thing>) => boolean,
): ReadonlySet<Thing> {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const kept = new Map([...counts].sort(([, one], [, other]) => other - one));
  let left = 0;
  while (!doFit(new Set(kept.keys()))) {
    const [rarest, count = 0] = [...kept].at(-1) ?? [];
    left += count;
    if (rarest === undefined || kept.size === 1 || !isFew(left, all)) return new Set(counts.keys());
    kept.delete(rarest);
  }
  return new Set([...counts.keys()].filter((thing) => kept.has(thing)));
}

/** The kinds of a field without those of its odd values. */
export const kindsWithoutOdd = (counts: ReadonlyMap<ValueKind, number>): ReadonlySet<ValueKind> => {
  const present = new Map([...counts].filter(([kind]) => kind !== 'null'));
  return withoutOdd(present, (kinds) => joinKinds(kinds) !== 'mixed');
};
