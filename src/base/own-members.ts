/**
 * Objects whose members users name. A name such as `constructor` must not find what every object inherits, and `__proto__` must not
 * change what an object inherits.
 */

/** Reads a member that the object itself has; `undefined` when it has none of this name. */
export function memberOf<Value>(object: { readonly [name: string]: Value }, name: string): Value | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** What objects with members by user names inherit: nothing by name, and a text for messages. */
const inherited: object = Object.freeze(
  Object.create(null, { [Symbol.toPrimitive]: { value: () => '[object Object]' } }),
);

/** Creates an object that inherits no member. */
export const createBareObject = <Value = unknown>(): Record<string, Value> => Object.create(inherited);

/** Creates an object that inherits no member from entries. */
export function toBareObject<Value>(entries: Iterable<readonly [string, Value]>): Record<string, Value> {
  const object = createBareObject<Value>();
  for (const [name, value] of entries) object[name] = value;
  return object;
}

/** Copies a JSON value with objects that inherit no member, on all levels. */
export function toBare(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(toBare);
  const object = createBareObject();
  for (const [name, member] of Object.entries(value)) object[name] = toBare(member);
  return object;
}

/** Sets a member of the object itself, also one that is named `__proto__`. */
export function setMember<Value>(object: { [name: string]: Value }, name: string, value: Value): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}
