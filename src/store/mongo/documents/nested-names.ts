/**
 * Members by names with dots, in objects nested the way MongoDB's paths run: `cms.site.owner` is in `{ cms: { site: … } }`.
 *
 * No JSON name is the first words of another, so that names never meet. `constructor` and its like are names as well: only
 * an object's own members count.
 */

/** An object of nested members. */
export interface NestedObject {
  [name: string]: unknown;
}

/** Puts a value where a name leads, making the objects on the way. */
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

/** The value where a name leads, or `undefined`. */
export function getNested(source: NestedObject, name: string): unknown {
  return name
    .split('.')
    .reduce<unknown>((holder, each) => (isNestedObject(holder) ? getOwn(holder, each) : undefined), source);
}

/** Whether a value is an object with members. */
export function isNestedObject(value: unknown): value is NestedObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** How many objects and lists stand inside one another, the outermost counted. */
export function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Object.values(value).reduce((deepest, member) => Math.max(deepest, depthOf(member)), 0);
}

function getOwn(holder: NestedObject, name: string): unknown {
  return Object.hasOwn(holder, name) ? holder[name] : undefined;
}
