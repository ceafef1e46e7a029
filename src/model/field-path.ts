/**
 * Resolves field paths, by which predicates and indexes name values, against the catalog.
 *
 * A path is a JSON name (`cms.content.publishDate`), goes into embedded values with `.` (`address.city`) and through
 * references with `/` (`author/name`). Resolution is by the longest JSON name that fits, and the loader refuses types in
 * which two could. A path denotes the set of all values it reaches: none when the field is absent, several through lists.
 */
import { quote } from '../base/problems.ts';
import { suggest } from '../text/suggest.ts';
import type { Catalog, ContentType, EmbeddedType, Field, ValueType } from './content-type.ts';

/** What a path ends at: a field's value type, or one of the two members every asset has. */
export type LeafType = ValueType | { readonly kind: 'id' } | { readonly kind: 'type' };

/** One member name on the way into an asset; `list` says that its value is an array to be searched. */
export interface PathStep {
  readonly name: string;
  readonly list: boolean;
}

/** What paths begin at: the assets of some concrete content types, by class name, or an embedded value. */
export type PathRoot = readonly string[] | EmbeddedType;

/** A resolved path within one asset or embedded value, and, where the last step is a reference to follow, the path in its target. */
export interface FieldPath {
  /** As the caller wrote it. */
  readonly text: string;
  /** From the asset or the embedded value to the value at the end: one step for each object level. A reference stands for its `_ref`. */
  readonly steps: readonly PathStep[];
  readonly leaf: LeafType;
  /** Present when the path goes on in the asset referred to; then `leaf` is the reference. */
  readonly through?: { readonly targets: readonly string[]; readonly path: FieldPath };
}

/**
 * Resolves a path; of several classes, it must mean the same on each of them. `followsReferences` says whether the caller may write
 * `/`, for the hints in messages.
 *
 * Returns the path, or a string that says what is wrong with it (fit to stand behind "Column 3: ").
 */
export function findFieldPath(
  catalog: Catalog,
  root: PathRoot,
  text: string,
  { followsReferences = true }: { readonly followsReferences?: boolean } = {},
): FieldPath | string {
  const [head = '', ...rest] = text.split('/');
  const paths: FieldPath[] = [];
  const classes = 'fields' in root ? [root.name] : root;
  for (const className of classes) {
    const type = 'fields' in root ? root : catalog.types.get(className);
    const path = type && resolveIn(type, head, text);
    if (path === undefined)
      return `${className} has no field ${quote(head)}${type ? hintIn(type, head, { before: '', followsReferences }) : ''}`;
    paths.push(path);
  }
  const first = paths[0];
  if (first === undefined) return `no content type implements this, so ${JSON.stringify(text)} means nothing`;
  const stranger = paths.findIndex((path) => shapeOf(path) !== shapeOf(first));
  if (stranger > 0) return `${JSON.stringify(head)} differs between ${classes[0]} and ${classes[stranger]}`;
  if (rest.length === 0) return first;
  if (first.leaf.kind !== 'reference') {
    const hint = first.leaf.kind === 'embedded' ? `: write ${quote(text.replace('/', '.'))}` : '';
    return `${JSON.stringify(head)} is no reference, so "/" cannot follow it${hint}`;
  }
  const targets = [...new Set(paths.flatMap(({ leaf }) => (leaf.kind === 'reference' ? leaf.targets : [])))];
  const path = findFieldPath(catalog, targets, rest.join('/'));
  return typeof path === 'string' ? path : { ...first, text, through: { targets, path } };
}

/** Lists the classes that a path goes on to through references. */
export const targetsOfPath = ({ through }: FieldPath): readonly string[] =>
  through ? [...through.targets, ...targetsOfPath(through.path)] : [];

/** Lists the classes that the last reference of a path leads to. */
export const lastTargetsOf = ({ through }: FieldPath): readonly string[] =>
  through?.path.through ? lastTargetsOf(through.path) : (through?.targets ?? []);

/** Returns the end of the message about a field that a type lacks: how to go on behind a reference, or what may have been meant. */
export function hintAt(
  catalog: Catalog,
  className: string,
  text: string,
  followsReferences: boolean,
): string {
  const type = catalog.types.get(className);
  return type ? hintIn(type, text, { before: '', followsReferences }) : '';
}

function hintIn(
  type: Pick<EmbeddedType, 'fields'>,
  text: string,
  { before, followsReferences }: { readonly before: string; readonly followsReferences: boolean },
): string {
  const field = [...type.fields.values()].find(({ name }) => text.startsWith(`${name}.`));
  const rest = field && text.slice(field.name.length + 1);
  const path = before + field?.name;
  if (field?.type.kind === 'reference') {
    return followsReferences
      ? `; ${quote(path)} is a reference: write ${quote(`${path}/${rest}`)}`
      : `; ${quote(path)} is a reference, which cannot be followed here`;
  }
  if (field?.type.kind === 'embedded' && rest !== undefined)
    return hintIn(field.type.type, rest, { before: `${path}.`, followsReferences });
  const own = 'class' in type ? ['_id', '_type'] : [];
  return suggest(
    [before + text],
    [...type.fields.keys(), ...own].map((name) => before + name),
  );
}

function resolveIn(type: ContentType | EmbeddedType, head: string, text: string): FieldPath | undefined {
  if ('class' in type) {
    if (head === '_id') return { text, steps: [{ name: '_id', list: false }], leaf: { kind: 'id' } };
    if (head === '_type') return { text, steps: [{ name: '_type', list: false }], leaf: { kind: 'type' } };
  }
  const found = walkFields(type, head.split('.'));
  return found && { text, ...found };
}

/** Finds the field that the parts of a path lead to within an asset or an embedded value. */
export function walkFields(
  type: Pick<EmbeddedType, 'fields'>,
  names: readonly string[],
): { steps: PathStep[]; leaf: ValueType } | undefined {
  for (let length = names.length; length > 0; length--) {
    const field = type.fields.get(names.slice(0, length).join('.'));
    if (field === undefined) continue;
    const step = { name: field.name, list: field.list };
    if (length === names.length) return { steps: [step], leaf: field.type };
    if (field.type.kind !== 'embedded') continue;
    const rest = walkFields(field.type.type, names.slice(length));
    if (rest) return { steps: [step, ...rest.steps], leaf: rest.leaf };
  }
  return undefined;
}

function shapeOf(path: FieldPath): string {
  const { leaf } = path;
  // Targets may differ from class to class: the union of them is searched.
  const kind = leaf.kind === 'scalar' ? leaf.scalar : leaf.kind === 'embedded' ? leaf.type.name : leaf.kind;
  return JSON.stringify([kind, leaf.kind === 'enum' ? leaf.name : '', path.steps]);
}

/** One index the stores keep for a content type: the path to the values, and whether each value may occur once only. */
export interface IndexedPath {
  readonly path: FieldPath;
  readonly unique: boolean;
  /** Whether a reference at the path keeps its target from being deleted. */
  readonly restricts: boolean;
}

/** The paths that `@indexed` marks in a content type, those inside embedded values included. */
export function indexedPaths(fields: ReadonlyMap<string, Field>): IndexedPath[] {
  return fieldPaths(fields).flatMap(({ field: { indexed, onDelete }, path }) =>
    indexed ? [{ path, unique: indexed.unique, restricts: onDelete === 'RESTRICT' }] : [],
  );
}

/** Fields whose values, all together, at most one asset of a type has. */
export type KeyPaths = readonly FieldPath[];

/** The keys that `@unique` gives a content type. */
export function joinedKeys({ fields, keys }: Pick<ContentType, 'fields' | 'keys'>): KeyPaths[] {
  return keys.map((names) => pathsOfNames(fields, names));
}

/** The paths of a key that holds among the assets which meet a condition. */
export interface ConditionalPaths {
  readonly paths: KeyPaths;
  /** As in `ConditionalKey`. */
  readonly condition: string;
}

/** The keys that `@unique` with `where` gives a content type. */
export const conditionalKeysOf = ({
  fields,
  conditionalKeys,
}: Pick<ContentType, 'fields' | 'conditionalKeys'>): ConditionalPaths[] =>
  conditionalKeys.map((key) => ({
    paths: pathsOfNames(fields, key.fields),
    condition: key.condition,
  }));

const pathsOfNames = (fields: ReadonlyMap<string, Field>, names: readonly string[]): KeyPaths =>
  names.flatMap((name) => fields.get(name) ?? []).map((field) => toPath(field, []));

/** All keys of a content type: those of single fields, inside embedded values too, and those of several. */
export const keysOfType = (type: Pick<ContentType, 'fields' | 'keys'>): KeyPaths[] => [
  ...indexedPaths(type.fields).flatMap(({ path, unique }) => (unique ? [[path]] : [])),
  ...joinedKeys(type),
];

/** The name of a key: that of its field, or those of its fields with commas between them. */
export const keyName = (paths: KeyPaths) => paths.map(({ text }) => text).join(',');

/** The name of a key in GraphQL. */
export const graphqlKeyName = (paths: KeyPaths) => keyName(paths).replaceAll(/[.,-]/g, '_');

/** The name of the GraphQL input with the values of a key of several fields. */
export const keyInputName = ({ name }: Pick<ContentType, 'name'>, paths: KeyPaths) =>
  `${name}Key${graphqlKeyName(paths).replaceAll(/(?:^|_+)(.)/g, (_, first: string) => first.toUpperCase())}`;

/** The paths that `@searchable` marks in a content type, those inside embedded values included. */
export function searchablePaths(fields: ReadonlyMap<string, Field>): FieldPath[] {
  return fieldPaths(fields).flatMap(({ field, path }) => (field.searchable ? [path] : []));
}

export interface PlacedField {
  readonly field: Field;
  readonly path: FieldPath;
}

/** Lists the fields of a type with their paths; of an embedded type that contains itself only those of the first level. */
export function fieldPaths(
  members: ReadonlyMap<string, Field>,
  steps: readonly PathStep[] = [],
  seen: readonly EmbeddedType[] = [],
): PlacedField[] {
  return [...members.values()].flatMap((field) => {
    const path = toPath(field, steps);
    const { type } = field;
    return type.kind === 'embedded' && !seen.includes(type.type)
      ? [{ field, path }, ...fieldPaths(type.type.fields, path.steps, [...seen, type.type])]
      : [{ field, path }];
  });
}

function toPath({ name, list, type: leaf }: Field, before: readonly PathStep[]): FieldPath {
  const steps = [...before, { name, list }];
  return { text: steps.map((step) => step.name).join('.'), steps, leaf };
}
