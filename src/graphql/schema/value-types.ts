/**
 * The types that fields have, gathered from content types, and the names they have in GraphQL.
 */
import type { ContentType, EmbeddedType, ValueType } from '../../model/content-type.ts';

/** The types of all fields, by GraphQL name, those of embedded values included. */
export function findValueTypes(types: readonly ContentType[]): ReadonlyMap<string, ValueType> {
  const found = new Map<string, ValueType>();
  const visit = ({ fields }: ContentType | EmbeddedType) => {
    for (const { type } of fields.values()) {
      if (found.has(outputNameOf(type))) continue;
      found.set(outputNameOf(type), type);
      if (type.kind === 'embedded') visit(type.type);
    }
  };
  types.forEach(visit);
  return found;
}

/** The GraphQL type of a value that is read: of a reference, its target's. */
export function outputNameOf(type: ValueType): string {
  if (type.kind === 'scalar') return type.scalar;
  return type.kind === 'embedded' ? type.type.name : type.name;
}

/** The GraphQL type of a value that is written. */
export function inputNameOf(type: ValueType): string {
  if (type.kind === 'reference') return 'ReferenceInput';
  return type.kind === 'embedded' ? `${type.type.name}Input` : outputNameOf(type);
}
