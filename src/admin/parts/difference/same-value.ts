/**
 * Compares JSON values: whether two are equal, and where the changes that two people made to the same state conflict.
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
export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The members of an object. */
export type Members = Readonly<Record<string, unknown>>;

/** A field that both have changed, to different values. Undefined means that it has no value. */
export interface MergeConflict {
  readonly name: string;
  readonly base: unknown;
  readonly theirs: unknown;
  readonly mine: unknown;
}

/** What the other person has changed. */
export interface TheirChanges {
  readonly conflicts: readonly MergeConflict[];
  /** The names of the other fields that they have changed. */
  readonly others: readonly string[];
}

/** Finds what differs between `base` and `theirs`, and where that conflicts with `body`, the changes to save (null clears). */
export function findConflicts({
  base,
  theirs,
  body,
}: {
  base: Members;
  theirs: Members;
  body: Members;
}): TheirChanges {
  const names = new Set([...Object.keys(base), ...Object.keys(theirs)]);
  names.delete('cms.content.updateDate');
  const changed = [...names].filter((name) => !isSameValue(base[name], theirs[name]));
  const conflicts = changed
    .filter((name) => name in body && !isSameValue(theirs[name], body[name] ?? undefined))
    .map((name) => ({ name, base: base[name], theirs: theirs[name], mine: body[name] ?? undefined }));
  const inConflict = new Set(conflicts.map(({ name }) => name));
  return { conflicts, others: changed.filter((name) => !inConflict.has(name) && !(name in body)) };
}

/** The lists of parts that two people have made of `base`, each part known by its ID. */
export interface PartSides<Part> {
  readonly base: readonly Part[];
  readonly theirs: readonly Part[];
  readonly mine: readonly Part[];
  readonly idOf: (part: Part) => unknown;
  readonly isSame: (one: Part, other: Part) => boolean;
}

/** Merges the lists, in the order of `mine`; undefined where both have changed the same part in different ways. */
export function mergeParts<Part>({ base, theirs, mine, idOf, isSame }: PartSides<Part>): Part[] | undefined {
  const find = (parts: readonly Part[], id: unknown) => parts.find((part) => idOf(part) === id);
  const isKept = (one: Part | undefined, other: Part | undefined) =>
    one === undefined || other === undefined ? one === other : isSame(one, other);
  const merged: (Part | undefined)[] = [];
  for (const id of new Set([...mine, ...theirs].map(idOf))) {
    const [before, their, my] = [find(base, id), find(theirs, id), find(mine, id)];
    const isMine = !isKept(before, my);
    if (isMine && !isKept(before, their) && !isKept(their, my)) return undefined;
    merged.push(isMine ? my : their);
  }
  return merged.filter((part) => part !== undefined);
}
