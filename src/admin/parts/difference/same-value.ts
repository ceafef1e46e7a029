/**
 * Equality of JSON values.
 */

/** Whether two JSON values are equal. The order of an object's members does not count; `undefined` is an absent value. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isSameValue(item, other[index]));
  }
  if (!isObject(one) || !isObject(other)) return false;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => isSameValue(one[name], other[name]));
}

/** Whether a JSON value is an object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
