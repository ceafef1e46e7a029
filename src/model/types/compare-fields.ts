/**
 * Compares one field before and after a change of types: its values, whether it is required, its limits and its indexes.
 */
import {
  type Constraint,
  type EmbeddedType,
  type Field,
  findKind,
  type ScalarName,
  type ValueType,
} from '../content-type.ts';
import { attention, breaking, type Finding, safe } from './type-change.ts';

/** Returns the class name that a type has after the change. */
export type ToNewClass = (className: string) => string;

/** Finds what changed about a field. Does not look into embedded types. */
export function compareField(before: Field, after: Field, toNewClass: ToNewClass): Finding[] {
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
export function addedField({ required, default: preset }: Field): Finding {
  if (!required) return safe('is new and optional');
  if (preset !== undefined) return safe('is new and required, with a default');
  return breaking('is new and required, without a default: stored assets and present clients lack it');
}

/** Classifies a field that only the old types have; `dropped` are the names that the new type drops. */
export function removedField({ name }: Field, dropped: readonly string[]): Finding {
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
