/**
 * Reads and writes members by names with dots, in nested objects as MongoDB's paths need them: `cms.site.owner` is in
 * `{ cms: { site: … } }`.
 *
 * No JSON name is a prefix of another up to a dot, so names do not collide. Names such as `constructor` are allowed, so only an
 * object's own members count.
 */

/** An object of nested members. */
export interface NestedObject {
  [name: string]: unknown;
}

/** Sets the member of a name, and creates the objects that contain it. */
export function setNested(target: NestedObject, name: string, value: unknown): void {
  const [first = '', ...rest] = name.split('.');
  if (rest.length === 0) {
    target[first] = value;
    return;
  }
  const present = getOwn(target, first);
  const inner: NestedObject = isNestedObject(present) ? present : {};
  target[first] = inner;
  setNested(inner, rest.join('.'), value);
}

/** Returns the member of a name, or `undefined`. */
export function getNested(source: NestedObject, name: string): unknown {
  return name
    .split('.')
    .reduce<unknown>((holder, each) => (isNestedObject(holder) ? getOwn(holder, each) : undefined), source);
}

/** Returns whether a value is an object with members. */
export function isNestedObject(value: unknown): value is NestedObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Counts the levels of nested objects and lists, including the outermost. */
export function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Object.values(value).reduce((deepest, member) => Math.max(deepest, depthOf(member)), 0);
}

function getOwn(holder: NestedObject, name: string): unknown {
  return Object.hasOwn(holder, name) ? holder[name] : undefined;
}
