/**
 * Finds the differences between two sets of content types, and classifies each as breaking, to look at, or safe.
 *
 * `compare-catalogs.ts` only describes differences. What they mean for stored assets is counted elsewhere.
 */
import { type Catalog, type ContentType, type EmbeddedType, type Field, findKind } from '../content-type.ts';
import { addedField, compareField, removedField, type ToNewClass } from './compare-fields.ts';
import { isSameKey } from './read-keys.ts';
import { attention, breaking, type Finding, safe, severities, type TypeChange } from './type-change.ts';

type Fields = ReadonlyMap<string, Field>;

/** Finds all differences, the worst first, then by class name and path. */
export function findTypeChanges(before: Catalog, after: Catalog): TypeChange[] {
  const [old, now] = [allTypes(before), allTypes(after)];
  const toNewClass = (className: string) => findNewType(after, className)?.class ?? className;
  const kept = new Set([...old.keys()].map(toNewClass));
  const added = [...now.keys()].filter((className) => !kept.has(className));
  const changes = [
    ...[...old.values()].flatMap((type) => compareType(type, findNewType(after, type.class), toNewClass)),
    ...added.map((type) => ({ type, ...safe('is new') })),
  ];
  return sortBySeverity(changes);
}

/** Finds what became of a type: the one of its class, or else the one that has its class as a former one. */
export function findNewType(after: Catalog, className: string): ContentType | undefined {
  return after.types.get(className) ?? after.interfaces.get(className) ?? after.find(className);
}

/** Sorts the worst first, and otherwise keeps the order. */
export function sortBySeverity<Change extends Finding>(changes: readonly Change[]): Change[] {
  return changes.toSorted(
    (one, other) => severities.indexOf(one.severity) - severities.indexOf(other.severity),
  );
}

const allTypes = ({ types, interfaces }: Catalog) => new Map([...types, ...interfaces]);

function compareType(old: ContentType, now: ContentType | undefined, toNewClass: ToNewClass): TypeChange[] {
  const at = (finding: Finding, path?: string): TypeChange => ({
    ...finding,
    type: old.class,
    ...(path !== undefined && { path }),
  });
  if (!now) return [at(breaking('is removed'))];
  const fields = compareAllFields({ old, now, prefix: '', seen: [], toNewClass });
  return [
    ...compareIdentity(old, now).map((finding) => at(finding)),
    ...compareInterfaces(old, now, toNewClass).map((finding) => at(finding)),
    ...compareKeys(old, now).map(({ path, ...finding }) => at(finding, path)),
    ...compareInverses(old, now, toNewClass).map(({ path, ...finding }) => at(finding, path)),
    ...fields.map(({ path, ...finding }) => at(finding, path)),
  ];
}

function compareIdentity(old: ContentType, now: ContentType): Finding[] {
  const isRenamed = old.class !== now.class;
  const lost = old.formerClasses.filter((name) => !now.formerClasses.includes(name) && name !== now.class);
  return [
    ...(isRenamed ? [attention(`is now ${now.class}: clients must use the new name`)] : []),
    ...(lost.length > 0
      ? [attention(`no longer has the former class ${lost.join(', ')}: assets of it are no longer read`)]
      : []),
    ...(old.kind === now.kind ? [] : [breaking(`is an ${now.kind}, and was an ${old.kind}`)]),
    ...(isRenamed || old.id === now.id ? [] : [breaking(`has the type ID ${now.id}, and had ${old.id}`)]),
    ...(old.name === now.name ? [] : [breaking(`has the GraphQL name ${now.name}, and had ${old.name}`)]),
  ];
}

function compareInterfaces(old: ContentType, now: ContentType, toNewClass: ToNewClass): Finding[] {
  const before = old.interfaces.map(toNewClass);
  const removed = before.filter((name) => !now.interfaces.includes(name));
  const added = now.interfaces.filter((name) => !before.includes(name));
  return [
    ...(removed.length > 0
      ? [breaking(`no longer implements ${removed.join(', ')}: queries from there no longer find it`)]
      : []),
    ...(added.length > 0
      ? [attention(`implements ${added.join(', ')}: queries from there find it as well`)]
      : []),
  ];
}

/** Compares the keys of several fields; a field that was renamed is the same. */
function compareKeys(old: ContentType, now: ContentType): FieldFinding[] {
  const toNow = (name: string) =>
    [...now.fields.values()].find((field) => findOldField(old.fields, field)?.name === name)?.name ?? name;
  const before = old.keys.map((names) => names.map(toNow));
  const added = now.keys.filter((names) => !before.some((other) => isSameKey(other, names)));
  const removed = before.filter((names) => !now.keys.some((other) => isSameKey(other, names)));
  const isUnique = 'are unique together: stored assets and clients must not repeat their values';
  return [
    ...added.map((names) => ({ path: names.join(','), ...attention(isUnique) })),
    ...removed.map((names) => ({
      path: names.join(','),
      ...breaking('are no longer unique together: clients cannot find assets by them'),
    })),
  ];
}

function compareInverses(old: ContentType, now: ContentType, toNewClass: ToNewClass): FieldFinding[] {
  const [before, after] = [old, now].map(
    ({ inverses }) => new Map(inverses.map((one) => [one.graphqlName, toNewClass(one.target)])),
  );
  return [
    ...[...(before ?? [])].flatMap(([path, target]) => {
      const is = after?.get(path);
      if (is === target) return [];
      const gone = 'is removed: queries that read it fail';
      return [{ path, ...breaking(is ? `lists assets of ${is}, and listed those of ${target}` : gone) }];
    }),
    ...[...(after?.keys() ?? [])]
      .filter((path) => !before?.has(path))
      .map((path) => ({ path, ...safe('is new, and lists the assets that refer to one') })),
  ];
}

/** The fields of a type or of an embedded value. */
interface FieldsAtPlace {
  readonly old: FieldOwner;
  readonly now: FieldOwner;
  /** The path of the embedded value around, with a dot at its end. */
  readonly prefix: string;
  /** The embedded types around, since one may contain itself. */
  readonly seen: readonly FieldOwner[];
  readonly toNewClass: ToNewClass;
}

type FieldOwner = Pick<EmbeddedType, 'fields' | 'dropped'>;
type FieldFinding = Finding & { readonly path: string };

function compareAllFields(place: FieldsAtPlace): FieldFinding[] {
  const { old, now, prefix, toNewClass } = place;
  const pairs = [...now.fields.values()].map((after) => ({ before: findOldField(old.fields, after), after }));
  const kept = new Set(pairs.map(({ before }) => before));
  const removed = [...old.fields.values()].filter((field) => !kept.has(field));
  const findings = [
    ...removed.map((field) => ({ path: prefix + field.name, ...removedField(field, now.dropped) })),
    ...pairs.flatMap(({ before, after }) => {
      const path = prefix + (before ?? after).name;
      if (!before) return [{ path, ...addedField(after) }];
      return [
        ...compareField(before, after, toNewClass).map((finding) => ({ path, ...finding })),
        ...compareEmbedded({ before, after }, { ...place, prefix: path }),
      ];
    }),
  ];
  return findings.toSorted((one, other) => (one.path < other.path ? -1 : one.path > other.path ? 1 : 0));
}

/** Finds what a field was: the one of its name, or else the one with the newest of its former names. */
function findOldField(fields: Fields, { name, formerNames }: Field): Field | undefined {
  return [name, ...formerNames].map((known) => fields.get(known)).find((field) => field !== undefined);
}

function compareEmbedded(
  { before, after }: { before: Field; after: Field },
  place: FieldsAtPlace,
): FieldFinding[] {
  const [a, b] = [before.type, after.type];
  if (a.kind !== 'embedded' || b.kind !== 'embedded' || place.seen.includes(a.type)) return [];
  const seen = [...place.seen, a.type];
  const [old, now] = [a.type.kinds, b.type.kinds];
  if (!old && !now) {
    const prefix = `${place.prefix}${after.list ? '[]' : ''}.`;
    return compareAllFields({ ...place, old: a.type, now: b.type, prefix, seen });
  }
  return [...(old ?? [])].flatMap(([name, kind]) => {
    const same = now && findKind(now, name);
    return same
      ? compareAllFields({ ...place, old: kind, now: same, prefix: `${place.prefix}[${name}].`, seen })
      : [];
  });
}
