/**
 * Finds the differences between two sets of content types, and classifies each as breaking, to look at, or safe.
 *
 * `compare-catalogs.ts` only describes differences. What they mean for stored assets is counted elsewhere.
 */

import {
  type Catalog,
  type Constraint,
  type ContentType,
  type EmbeddedType,
  type Field,
  findKind,
  type ScalarName,
  type ValueType,
} from '../model/content-type.ts';
import { compareKeys } from './compare-keys.ts';
import {
  attention,
  breaking,
  type FieldFinding,
  type Finding,
  safe,
  severities,
  type TypeChange,
} from './type-change.ts';

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
    ...compareKeys(old, now, findNewName(old, now)).map(({ path, ...finding }) => at(finding, path)),
    ...compareChecks(old, now).map((finding) => at(finding)),
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

function compareChecks(old: ContentType, now: ContentType): Finding[] {
  const [before, after] = [old, now].map(({ checks }) => checks.map(({ where }) => where));
  const added = after?.filter((where) => !before?.includes(where)) ?? [];
  const removed = before?.filter((where) => !after?.includes(where)) ?? [];
  return [
    ...added.map((where) => attention(`has the rule ${where}: stored assets that break it are unfit`)),
    ...removed.map((where) => safe(`no longer has the rule ${where}`)),
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

/** Creates the function that tells the name after the change of a field with a name before it. */
const findNewName =
  (old: ContentType, now: ContentType) =>
  (name: string): string =>
    [...now.fields.values()].find((field) => findOldField(old.fields, field)?.name === name)?.name ?? name;

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

/** Returns the class name that a type has after the change. */
type ToNewClass = (className: string) => string;

/** Finds what changed about a field. Does not look into embedded types. */
function compareField(before: Field, after: Field, toNewClass: ToNewClass): Finding[] {
  const isRenamed = before.name !== after.name;
  const shape = compareShape(before, after, toNewClass);
  // With another kind of value, limits and indexes mean something else.
  if (shape.length > 0 && shape.some(({ severity }) => severity === 'breaking')) return shape;
  return [
    ...(isRenamed ? [attention(`is now ${after.name}: clients must use the new name`)] : []),
    ...shape,
    ...compareRequired(before, after),
    ...compareConstraint(before.constraint, after.constraint),
    ...compareIndexes(before, after),
    ...(after.deprecated !== undefined && before.deprecated === undefined ? [safe('is deprecated')] : []),
    ...(isRenamed || before.graphqlName === after.graphqlName
      ? []
      : [breaking(`has the GraphQL name ${after.graphqlName}, not ${before.graphqlName}`)]),
  ];
}

/** Classifies a field that only the new types have. */
function addedField({ required, default: preset }: Field): Finding {
  if (!required) return safe('is new and optional');
  if (preset !== undefined) return safe('is new and required, with a default');
  return breaking('is new and required, without a default: stored assets and present clients lack it');
}

/** Classifies a field that only the old types have; `dropped` are the names that the new type drops. */
function removedField({ name }: Field, dropped: readonly string[]): Finding {
  return dropped.includes(name)
    ? attention('is dropped: its stored values are no longer needed')
    : breaking('is removed, and not dropped: stored assets that have it no longer fit');
}

function compareShape(before: Field, after: Field, toNewClass: ToNewClass): Finding[] {
  if (before.list !== after.list) {
    return [breaking(after.list ? 'is a list, and was a single value' : 'is a single value, and was a list')];
  }
  return compareValues(before.type, after.type, toNewClass);
}

function compareValues(before: ValueType, after: ValueType, toNewClass: ToNewClass): Finding[] {
  if (before.kind === 'scalar' && after.kind === 'scalar') return compareScalars(before.scalar, after.scalar);
  if (before.kind === 'enum' && after.kind === 'enum') return compareEnums(before.values, after.values);
  if (before.kind === 'reference' && after.kind === 'reference')
    return compareTargets(before.targets.map(toNewClass), after.targets);
  if (before.kind === 'embedded' && after.kind === 'embedded') return compareKinds(before.type, after.type);
  if (before.kind === 'enum' && after.kind === 'scalar' && after.scalar === 'String')
    return [attention(`accepts any String, and was the enum ${before.name}`)];
  return [breaking(`is ${describe(after)}, and was ${describe(before)}`)];
}

/** The scalars that accept every value of another one. */
const widerScalars: Readonly<Record<ScalarName, readonly ScalarName[]>> = {
  Int: ['Float', 'JSON'],
  EpochMillis: ['Float', 'JSON'],
  Float: ['JSON'],
  Date: ['String', 'RichText', 'JSON'],
  DateTime: ['String', 'RichText', 'JSON'],
  Decimal: ['String', 'RichText', 'JSON'],
  Boolean: ['JSON'],
  ID: ['String', 'RichText', 'JSON'],
  Url: ['String', 'RichText', 'JSON'],
  String: ['RichText', 'JSON'],
  RichText: ['String', 'JSON'],
  JSON: [],
};

function compareScalars(before: ScalarName, after: ScalarName): Finding[] {
  if (before === after) return [];
  const message = `is ${after}, and was ${before}`;
  return [widerScalars[before].includes(after) ? attention(message) : breaking(message)];
}

function compareEnums(before: readonly string[], after: readonly string[]): Finding[] {
  const removed = before.filter((value) => !after.includes(value));
  const added = after.filter((value) => !before.includes(value));
  return [
    ...(removed.length > 0 ? [breaking(`no longer accepts ${removed.join(', ')}`)] : []),
    ...(added.length > 0
      ? [attention(`also has ${added.join(', ')}, which present clients may not know`)]
      : []),
  ];
}

function compareTargets(before: readonly string[], after: readonly string[]): Finding[] {
  const removed = before.filter((target) => !after.includes(target));
  const added = after.filter((target) => !before.includes(target));
  return [
    ...(removed.length > 0 ? [breaking(`no longer refers to ${removed.join(', ')}`)] : []),
    ...(added.length > 0
      ? [attention(`also refers to ${added.join(', ')}, which present clients may not know`)]
      : []),
  ];
}

/** Compares the kinds of blocks. */
function compareKinds({ name, kinds: before }: EmbeddedType, { kinds: after }: EmbeddedType): Finding[] {
  if (!before && !after) return [];
  if (!before) return [breaking(`has blocks, whose values need \`_type\`, and had an embedded ${name}`)];
  if (!after) return [breaking('has an embedded value without `_type`, and had blocks')];
  const pairs = [...before.keys()].map((kind) => ({ kind, now: findKind(after, kind)?.name }));
  const removed = pairs.filter(({ now }) => now === undefined).map(({ kind }) => kind);
  const added = [...after.keys()].filter((name) => !pairs.some(({ now }) => now === name));
  return [
    ...pairs.flatMap(({ kind, now }) =>
      now === undefined || now === kind
        ? []
        : [attention(`has blocks of the kind ${now}, which was ${kind}: clients must use the new name`)],
    ),
    ...(removed.length > 0 ? [breaking(`no longer accepts blocks of the kind ${removed.join(', ')}`)] : []),
    ...(added.length > 0
      ? [attention(`also has blocks of the kind ${added.join(', ')}, which present clients may not know`)]
      : []),
  ];
}

function compareRequired(before: Field, after: Field): Finding[] {
  if (before.required === after.required) return [];
  if (after.required && after.default !== undefined)
    return [attention('is required, with a default, and was optional')];
  return after.required
    ? [breaking('is required, and was optional')]
    : [attention('is optional, and was required: present clients may rely on its value')];
}

const lowerLimits = ['minLength', 'min', 'minItems'] as const;
const upperLimits = ['maxLength', 'max', 'scale', 'maxItems', 'maxBytes'] as const;

function compareConstraint(before: Constraint, after: Constraint): Finding[] {
  return [
    ...lowerLimits.flatMap((name) => compareLimit(name, before[name], after[name], -1)),
    ...upperLimits.flatMap((name) => compareLimit(name, before[name], after[name], 1)),
    ...comparePattern(before.pattern, after.pattern),
    ...compareAccepted(before.accept, after.accept),
  ];
}

function compareLimit(
  name: string,
  before: number | undefined,
  after: number | undefined,
  direction: 1 | -1,
): Finding[] {
  if (before === after) return [];
  const limitOf = (limit: number | undefined) => (limit ?? Number.POSITIVE_INFINITY * direction) * direction;
  if (after === undefined) return [safe(`no longer has ${name} ${before}`)];
  const message = `has ${name} ${after}, and had ${before ?? 'none'}`;
  return [limitOf(after) < limitOf(before) ? breaking(message) : safe(message)];
}

function comparePattern(before: string | undefined, after: string | undefined): Finding[] {
  if (before === after) return [];
  if (after === undefined) return [safe(`no longer has the pattern ${before}`)];
  return [breaking(`must match the pattern ${after}, and had ${before ?? 'none'}`)];
}

function compareAccepted(before?: readonly string[], after?: readonly string[]): Finding[] {
  const message = `accepts files of ${after?.join(', ') ?? 'all types'}, and accepted ${before?.join(', ') ?? 'all types'}`;
  if (before?.join() === after?.join()) return [];
  return [after && !before?.every((type) => after.includes(type)) ? breaking(message) : safe(message)];
}

function compareIndexes(before: Field, after: Field): Finding[] {
  return [
    ...(after.indexed?.unique && !before.indexed?.unique
      ? [attention('is unique: stored assets and clients must not repeat a value')]
      : []),
    ...(before.indexed?.unique && !after.indexed?.unique ? [attention('is no longer unique')] : []),
    ...(after.indexed && !before.indexed ? [safe('has an index')] : []),
    ...(before.indexed && !after.indexed
      ? [attention('has no index any more: searches by it look through all assets')]
      : []),
    ...(after.onDelete && !before.onDelete
      ? [attention('keeps what it refers to from being deleted: clients must expect 409 `referenced`')]
      : []),
    ...(before.onDelete && !after.onDelete
      ? [attention('no longer keeps what it refers to from being deleted: references can be left dangling')]
      : []),
    ...(after.searchable && !before.searchable ? [safe('has an index of its words')] : []),
    ...(before.searchable && !after.searchable
      ? [attention('has no index of its words any more: searches by words look through all assets')]
      : []),
  ];
}

function describe(type: ValueType): string {
  switch (type.kind) {
    case 'scalar':
      return type.scalar;
    case 'enum':
      return `the enum ${type.name}`;
    case 'reference':
      return `a reference to ${type.name}`;
    case 'embedded':
      return type.type.kinds ? `blocks of ${type.type.name}` : `an embedded ${type.type.name}`;
  }
}
