/**
 * Restricts a catalog to some of its content types, as if the others did not exist.
 *
 * A query over the restricted catalog cannot reach a hidden type: references lose their hidden targets, and a field disappears
 * when nothing is left that it could hold.
 */

import { createCatalog } from '../model/catalog.ts';
import type { Catalog, ContentType, EmbeddedType, Field, ValueType } from '../model/content-type.ts';
import { readCondition } from '../query/conditions.ts';

/**
 * Returns the catalog of the content types that `names` cover, and of the interfaces that any of these implement.
 *
 * Shapes: class names or type IDs of content types and interfaces, an interface standing for all that implement it; `*` for all.
 */
export function restrictCatalog(catalog: Catalog, names: readonly string[]): Catalog {
  if (names.includes('*')) return catalog;
  const kept = concreteTypes(catalog, names);
  const restrictFields = createFieldRestrictor(kept);
  const types = [...catalog.types.values()]
    .filter((type) => kept.has(type.class))
    .map((type) => {
      const fields = restrictFields(type.fields);
      const keys = type.keys.filter((names) => names.every((name) => fields.has(name)));
      const conditionalKeys = type.conditionalKeys.filter(({ fields: names, condition }) =>
        [...names, ...readCondition(condition).members].every(
          (name) => fields.has(name) || name.startsWith('_'),
        ),
      );
      const inverses = type.inverses.filter(({ target }) => kept.has(target));
      return { ...type, fields, keys, conditionalKeys, inverses };
    });
  const interfaces = [...catalog.interfaces.values()].flatMap((type) => {
    const implementers = types.filter((other) => other.interfaces.includes(type.class));
    return implementers.length > 0
      ? [{ ...type, fields: sharedFields(restrictFields(type.fields), implementers) }]
      : [];
  });
  return createCatalog([...types, ...interfaces]);
}

/** Returns the class names of the content types that `names` cover; a name that the catalog lacks covers none. */
export function concreteTypes(catalog: Catalog, names: readonly string[]): ReadonlySet<string> {
  if (names.includes('*')) return new Set(catalog.types.keys());
  const named = names.flatMap((name) => catalog.find(name) ?? []);
  return new Set(named.flatMap((type) => catalog.concrete(type)));
}

type Fields = ReadonlyMap<string, Field>;

/** Leaves out fields that an implementer has lost: it may narrow a reference to hidden targets. */
function sharedFields(fields: Fields, implementers: readonly ContentType[]): Fields {
  return new Map([...fields].filter(([name]) => implementers.every((type) => type.fields.has(name))));
}

function createFieldRestrictor(kept: ReadonlySet<string>): (fields: Fields) => Fields {
  const restrictedTypes = new Map<EmbeddedType, EmbeddedType>();

  function restrictFields(fields: Fields): Fields {
    const remaining = new Map<string, Field>();
    for (const [name, field] of fields) {
      const type = restrictValue(field.type);
      if (type) remaining.set(name, { ...field, type });
    }
    return remaining;
  }

  function restrictValue(type: ValueType): ValueType | undefined {
    switch (type.kind) {
      case 'scalar':
      case 'enum':
        return type;
      case 'reference': {
        const targets = type.targets.filter((target) => kept.has(target));
        return targets.length > 0 ? { ...type, targets } : undefined;
      }
      case 'embedded':
        return canHold(type.type, kept) ? { kind: 'embedded', type: restrictEmbedded(type.type) } : undefined;
    }
  }

  function restrictEmbedded(type: EmbeddedType): EmbeddedType {
    const known = restrictedTypes.get(type);
    if (known) return known;
    const fields = new Map<string, Field>();
    const kinds = new Map<string, EmbeddedType>();
    const shared = new Map<string, Field>();
    const restricted: EmbeddedType = {
      ...type,
      fields,
      ...(type.kinds && { kinds }),
      ...(type.shared && { shared }),
    };
    // Known before its fields are restricted, since a type may contain itself.
    restrictedTypes.set(type, restricted);
    for (const [name, kind] of type.kinds ?? []) kinds.set(name, restrictEmbedded(kind));
    for (const [name, field] of type.shared ? restrictFields(type.shared) : []) shared.set(name, field);
    for (const [name, field] of restrictFields(type.fields)) fields.set(name, field);
    return restricted;
  }

  return restrictFields;
}

/** Tells whether an embedded value can hold anything but hidden references, at any depth. */
function canHold(
  { fields, kinds }: EmbeddedType,
  kept: ReadonlySet<string>,
  seen = new Set<EmbeddedType>(),
): boolean {
  if (kinds) return [...kinds.values()].some((kind) => canHold(kind, kept, seen));
  return [...fields.values()].some(({ type }) => {
    if (type.kind === 'reference') return type.targets.some((target) => kept.has(target));
    if (type.kind !== 'embedded') return true;
    if (seen.has(type.type)) return false;
    return canHold(type.type, kept, seen.add(type.type));
  });
}
