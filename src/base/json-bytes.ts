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

/** The longest text of a number, a character of which counts as one byte in `leastJsonBytes`. */
export const maxCountFactor = 25;

/** Counts at least a part of these bytes, more quickly: the result is at least a `maxCountFactor`th of them. */
export function leastJsonBytes(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return value.length > shortText ? Buffer.byteLength(value) + 2 : value.length + 2;
    case 'object':
      return value === null ? 4 : leastObjectBytes(value);
    default:
      return 1;
  }
}

/** The bytes of shorter texts take longer to count than their characters are worth. */
const shortText = 64;

function leastObjectBytes(object: object): number {
  let bytes = 2;
  if (Array.isArray(object)) {
    for (const item of object) bytes += leastJsonBytes(item) + 1;
    return bytes;
  }
  for (const name in object) bytes += name.length + 4 + leastJsonBytes(object[name as keyof typeof object]);
  return bytes;
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
