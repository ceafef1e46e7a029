/**
 * Changes to written types: one field, or all that use a type that is left out.
 *
 * Fields of blocks get other names where one name has two types: paths such as `blocks.text` reach the fields of all kinds that have one, so the
 * server refuses an index, words to search or references at such a name.
 */
import {
  isObject,
  type Json,
  type ObjectType,
  type TypeField,
  type UnionType,
  type WrittenType,
} from '../../reader.ts';
import type { Report } from '../report.ts';

/** The name of a field in SDL. */
const graphqlName = (name: string): string => name.replaceAll(/[.-]/g, '_');

/** The field as one that takes any value. */
export const asJson = ({ name, isRequired, description }: TypeField): TypeField => ({
  name,
  type: 'JSON',
  ...(isRequired && { isRequired }),
  ...(description && { description }),
});

/** Changes the field of a type, by its name in SDL. */
export const editField = (
  types: readonly WrittenType[],
  { type, field }: { readonly type: string; readonly field: string },
  edit: (field: TypeField) => TypeField,
): WrittenType[] =>
  types.map((one) =>
    one.kind === 'object' && one.name === type
      ? {
          ...one,
          fields: one.fields.map((member) => (graphqlName(member.name) === field ? edit(member) : member)),
        }
      : one,
  );

/** Finds the field of a type, by its name in SDL. */
export function findField(
  types: readonly WrittenType[],
  { type, field }: { readonly type: string; readonly field: string },
): TypeField | undefined {
  const owner = types.find(({ name }) => name === type);
  return owner?.kind === 'object' ? owner.fields.find(({ name }) => graphqlName(name) === field) : undefined;
}

/** Leaves a type out; the fields of the type become JSON, and unions lose it. */
export const withoutType = (types: readonly WrittenType[], name: string): WrittenType[] =>
  types
    .filter((type) => type.name !== name)
    .map((type): WrittenType => {
      if (type.kind === 'union')
        return { ...type, members: type.members.filter((member) => member !== name) };
      if (type.kind === 'enum') return type;
      return { ...type, fields: type.fields.map((field) => (field.type === name ? asJson(field) : field)) };
    });

/** Gives a type another name wherever it is. */
export const renameType = (types: readonly WrittenType[], from: string, to: string): WrittenType[] => {
  const renamed = (name: string) => (name === from ? to : name);
  return types.map((type): WrittenType => {
    const name = renamed(type.name);
    if (type.kind === 'union') return { ...type, name, members: type.members.map(renamed) };
    if (type.kind === 'enum') return { ...type, name };
    return { ...type, name, fields: type.fields.map((field) => ({ ...field, type: renamed(field.type) })) };
  });
};

/** The new names of fields, by the name of their type and their former one. */
type RenamedFields = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** What has another name in the written types than in those of the reader. */
export interface Renamed {
  readonly fields: RenamedFields;
  /** The new names of types; those of the kinds of blocks are in content. */
  readonly kinds: ReadonlyMap<string, string>;
}

export function separateKinds(
  given: readonly WrittenType[],
  report: Report,
): { readonly types: readonly WrittenType[]; readonly renamed: RenamedFields } {
  const types = new Map(given.map((type) => [type.name, type]));
  const renamed = new Map<string, Map<string, string>>();
  const kindsOf = ({ members }: UnionType) =>
    members.flatMap((name): ObjectType[] => {
      const type = types.get(name);
      return type?.kind === 'object' && type.class === undefined ? [type] : [];
    });
  const formOf = ({ type, isList = false }: TypeField) => {
    const target = types.get(type);
    const isReference =
      target?.kind === 'object'
        ? target.class !== undefined
        : target?.kind === 'union' && !kindsOf(target)[0];
    return `${isReference ? 'reference' : type} ${isList}`;
  };
  const needsOneForm = (field: TypeField) =>
    formOf(field).startsWith('reference ') ||
    field.directives?.some((one) => /^@(indexed|searchable)/.test(one)) === true;

  function rename(kind: ObjectType, field: TypeField, isTaken: (name: string) => boolean): void {
    const base = `${field.name}-${field.type.charAt(0).toLowerCase()}${field.type.slice(1)}${field.isList ? 'List' : ''}`;
    let name = base;
    for (let number = 2; isTaken(name); number++) name = `${base}${number}`;
    const fields = kind.fields.map((one) => (one === field ? { ...one, name } : one));
    types.set(kind.name, { ...kind, fields });
    renamed.set(kind.name, new Map(renamed.get(kind.name)).set(field.name, name));
    report.lose({
      kind: 'field of blocks with another name, since other kinds of blocks have one of another type',
      example: `${kind.name}.${field.name} is ${name}`,
    });
  }

  /** Renames one field of a union; returns whether there was one. */
  function separateOne(union: UnionType): boolean {
    const kinds = kindsOf(union);
    for (const name of new Set(kinds.flatMap(({ fields }) => fields.map((field) => field.name)))) {
      const placed = kinds.flatMap((kind) =>
        kind.fields.filter((field) => field.name === name).map((field) => ({ kind, field })),
      );
      const [first] = placed;
      const other = placed.find(({ field }) => first && formOf(field) !== formOf(first.field));
      if (!first || !other || !placed.some(({ field }) => needsOneForm(field))) continue;
      const form = formOf(other.field);
      rename(
        other.kind,
        other.field,
        (free) =>
          kinds.some(({ fields }) =>
            fields.some((one) => graphqlName(one.name) === graphqlName(free) && formOf(one) !== form),
          ) || other.kind.fields.some((one) => graphqlName(one.name) === graphqlName(free)),
      );
      return true;
    }
    return false;
  }

  const unions = given.filter((type): type is UnionType => type.kind === 'union');
  while (unions.some(separateOne));
  return { types: [...types.values()], renamed };
}

/** Gives the blocks of a value the new names. Other embedded values have no `_type`, and belong to no union. */
export function renameBlocks(value: Json, renamed: Renamed): Json {
  if (renamed.fields.size === 0 && renamed.kinds.size === 0) return value;
  if (Array.isArray(value)) return value.map((item) => renameBlocks(item, renamed));
  if (!isObject(value)) return value;
  const { _type: type } = value;
  const names = typeof type === 'string' ? renamed.fields.get(type) : undefined;
  const members = Object.entries(value).map(
    ([name, member]) => [names?.get(name) ?? name, renameBlocks(member, renamed)] as const,
  );
  const kind = typeof type === 'string' ? renamed.kinds.get(type) : undefined;
  return { ...Object.fromEntries(members), ...(kind !== undefined && { _type: kind }) };
}
