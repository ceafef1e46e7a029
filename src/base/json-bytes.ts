/**
 * Measures the size of JSON values.
 */

/**
 * Counts the bytes of a value as JSON text in UTF-8, without building that text. Escapes are not counted.
 *
 * Stops counting beyond `max`: for a larger value, the result is some number above `max`.
 */
export function jsonBytes(value: unknown, max = Infinity): number {
  switch (typeof value) {
    case 'string':
      return Buffer.byteLength(value) + 2;
    case 'number':
      return String(value).length;
    case 'boolean':
      return value ? 4 : 5;
    case 'object':
      if (value === null) return 4;
      return Array.isArray(value) ? listBytes(value, max) : objectBytes(value, max);
    default:
      return 0;
  }
}

function listBytes(list: readonly unknown[], max: number): number {
  let bytes = 2;
  for (const item of list) {
    if (bytes > max) break;
    bytes += jsonBytes(item, max - bytes) + 1;
  }
  return bytes;
}

function objectBytes(object: object, max: number): number {
  let bytes = 2;
  // GraphQL's objects have no prototype, and no other objects here inherit members.
  for (const name in object) {
    if (bytes > max) break;
    bytes += Buffer.byteLength(name) + 4 + jsonBytes(object[name as keyof typeof object], max - bytes);
  }
  return bytes;
}
