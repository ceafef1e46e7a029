/**
 * Collects the types of fields from content types, and names them in GraphQL.
 */
import type { ContentType, EmbeddedType, ValueType } from '../../model/content-type.ts';

/** Collects the types of all fields by GraphQL name, those in embedded values included. */
export function findValueTypes(types: readonly ContentType[]): ReadonlyMap<string, ValueType> {
  const found = new Map<string, ValueType>();
  const visit = ({ fields }: ContentType | EmbeddedType) => {
    for (const { type } of fields.values()) {
      if (found.has(outputNameOf(type))) continue;
      found.set(outputNameOf(type), type);
      if (type.kind !== 'embedded') continue;
      const { kinds, fields } = type.type;
      if (!kinds) visit(type.type);
      const name = fields.get('_type');
      if (kinds && name) found.set(outputNameOf(name.type), name.type);
      for (const kind of kinds?.values() ?? []) {
        if (found.has(kind.name)) continue;
        found.set(kind.name, { kind: 'embedded', type: kind });
        visit(kind);
      }
    }
  };
  types.forEach(visit);
  return found;
}

/** Returns the GraphQL type of a value in results; for a reference, the type of its target. */
export function outputNameOf(type: ValueType): string {
  if (type.kind === 'scalar') return type.scalar;
  return type.kind === 'embedded' ? type.type.name : type.name;
}

/** Returns the GraphQL type of a value in inputs. */
export function inputNameOf(type: ValueType): string {
  if (type.kind === 'reference') return 'ReferenceInput';
  return type.kind === 'embedded' ? `${type.type.name}Input` : outputNameOf(type);
}

/** Returns the member of the input of blocks that has a block of this kind: `quote` of `Quote`. */
export const kindMemberOf = ({ name }: Pick<EmbeddedType, 'name'>): string =>
  name.charAt(0).toLowerCase() + name.slice(1);
