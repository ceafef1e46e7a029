/**
 * The keys by which updates of an import find their assets: one for all types, or for single types.
 */

/** The key of each type: `_id`, a unique field, or several fields with commas between them. */
export interface UpdateKeys {
  /** The key of a type, by one of its names: its class, or what a line calls it. */
  of(...names: readonly string[]): string;
  /** All keys with their types; an empty one stands for every other type. */
  readonly all: readonly (readonly [type: string, fields: string])[];
  /** As given, the same for the same keys. */
  readonly text: string;
}

/** Reads keys such as `slug` and `com.example.Author=email`. Returns what is wrong with them, worded to follow the option. */
export function readUpdateKeys(given: readonly string[]): UpdateKeys | string {
  const byType = new Map<string, string>();
  for (const text of given) {
    const [, type = '', fields = ''] = /^(?:([^=]*)=)?(.*)$/s.exec(text) ?? [];
    if (fields === '' || text.startsWith('=')) return 'must be <fields> or <type>=<fields>';
    if (byType.has(type)) return type === '' ? 'is given twice for all types' : `is given twice for ${type}`;
    byType.set(type, fields);
  }
  const other = byType.get('') ?? '_id';
  const all = [...byType.set('', other)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    of: (...names) => names.map((name) => byType.get(name)).find((fields) => fields !== undefined) ?? other,
    all,
    text: all.map(([type, fields]) => (type === '' ? fields : `${type}=${fields}`)).join(' '),
  };
}
