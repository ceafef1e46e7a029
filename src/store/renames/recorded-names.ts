/**
 * The store's record of the names of its fields: under which name each is stored, and how it was called since.
 *
 * A stored name is internal and stays for ever. The first process that opens the store with another name of a field adds that name.
 */

/** All names of the fields of one stored class, in order, by stored path: `address/city`. */
export type RecordedFields = ReadonlyMap<string, readonly string[]>;

/** The record of a store, by stored class name. */
export type RecordedNames = ReadonlyMap<string, RecordedFields>;

/** Returns the stored path of a field inside another one; `parent` is empty for a field of the content type. */
export const pathWithin = (parent: string, name: string) => (parent === '' ? name : `${parent}/${name}`);

/** Prints a record, as stores and backups keep it: a field that was never renamed by its path alone. Equal records have equal texts. */
export const printNames = (names: RecordedNames): string =>
  JSON.stringify(sorted(names).map(([type, fields]) => [type, ...sorted(fields).map(printField)]));

const printField = ([path, names]: [string, readonly string[]]) =>
  names.length === 1 ? path : [path, ...names];

/** Parses the text of a record; a store without a text has an empty record. */
export function parseNames(text = '[]'): RecordedNames {
  // Safe: `printNames` made the text.
  const classes = JSON.parse(text) as [string, ...(string | [string, ...string[]])[]][];
  return new Map(classes.map(([type, ...fields]) => [type, new Map(fields.map(parseField))]));
}

function parseField(field: string | [string, ...string[]]): [string, readonly string[]] {
  if (typeof field === 'string') return [field, [storedNameOf(field)]];
  const [path, ...names] = field;
  return [path, names];
}

/** Returns the stored name of the field at a path. */
const storedNameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

const sorted = <Value>(map: ReadonlyMap<string, Value>): [string, Value][] =>
  [...map].sort(([one], [other]) => (one < other ? -1 : 1));

/** Returns the record after several fields of a class have turned out to be one, which is stored as `kept`. `fields` begin with the latest. */
export function uniteFields(
  names: RecordedNames,
  { type, fields, kept }: { type: string; fields: readonly string[]; kept: string },
): RecordedNames {
  const recorded = names.get(type) ?? new Map<string, readonly string[]>();
  const all = new Set(fields.toReversed().flatMap((path) => recorded.get(path) ?? []));
  const others = fields.filter((path) => path !== kept);
  const isOther = (path: string) => others.some((other) => path === other || path.startsWith(`${other}/`));
  const left = [...recorded].filter(([path]) => !isOther(path));
  return new Map([...names, [type, new Map([...left, [kept, [...all]]])]]);
}

/** A change of a record, as texts. */
export interface NamesChange {
  /** The record that it replaces; absent in a store without one. */
  readonly former: string | undefined;
  readonly names: string;
}
