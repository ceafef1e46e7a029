/**
 * Changes to written types: one field, or all that use a type that is left out.
 */
import type { TypeField, WrittenType } from '../../reader.ts';

/** The name of a field in SDL. */
export const graphqlName = (name: string): string => name.replaceAll(/[.-]/g, '_');

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
