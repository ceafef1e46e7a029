/**
 * Cuts a catalog down to some of its content types, as if the others had never been written.
 *
 * Whatever is found, compared or sorted by the cut catalog cannot reach a hidden type: references have no hidden targets, and
 * a field is gone where nothing is left that it could hold.
 */
import type { Catalog, ContentType, EmbeddedType, Field, ValueType } from './content-type.ts';
import { createCatalog } from './load-types.ts';

/**
 * The catalog with the content types that `names` cover, and the interfaces that any of these implement.
 *
 * Shapes: class names or type IDs of content types and interfaces, an interface standing for all that implement it; `*` for all.
 */
export function cutCatalog(catalog: Catalog, names: readonly string[]): Catalog {
  if (names.includes('*')) return catalog;
  const kept = concreteTypes(catalog, names);
  const cutFields = createFieldCutter(kept);
  const types = [...catalog.types.values()]
    .filter((type) => kept.has(type.class))
    .map((type) => ({ ...type, fields: cutFields(type.fields) }));
  const interfaces = [...catalog.interfaces.values()].flatMap((type) => {
    const implementers = types.filter((other) => other.interfaces.includes(type.class));
    return implementers.length > 0
      ? [{ ...type, fields: sharedFields(cutFields(type.fields), implementers) }]
      : [];
  });
  return createCatalog([...types, ...interfaces]);
}

/** The class names of the content types that `names` cover; a name that the catalog lacks covers none. */
export function concreteTypes(catalog: Catalog, names: readonly string[]): ReadonlySet<string> {
  if (names.includes('*')) return new Set(catalog.types.keys());
  const named = names.flatMap((name) => catalog.find(name) ?? []);
  return new Set(named.flatMap((type) => catalog.concrete(type)));
}

type Fields = ReadonlyMap<string, Field>;

/** An implementer may narrow a reference to targets that are hidden, and has lost the field then. */
function sharedFields(fields: Fields, implementers: readonly ContentType[]): Fields {
  return new Map([...fields].filter(([name]) => implementers.every((type) => type.fields.has(name))));
}

function createFieldCutter(kept: ReadonlySet<string>): (fields: Fields) => Fields {
  const cutTypes = new Map<EmbeddedType, EmbeddedType>();

  function cutFields(fields: Fields): Fields {
    const cut = new Map<string, Field>();
    for (const [name, field] of fields) {
      const type = cutValue(field.type);
      if (type) cut.set(name, { ...field, type });
    }
    return cut;
  }

  function cutValue(type: ValueType): ValueType | undefined {
    switch (type.kind) {
      case 'scalar':
      case 'enum':
        return type;
      case 'reference': {
        const targets = type.targets.filter((target) => kept.has(target));
        return targets.length > 0 ? { ...type, targets } : undefined;
      }
      case 'embedded':
        return canHold(type.type, kept) ? { kind: 'embedded', type: cutEmbedded(type.type) } : undefined;
    }
  }

  function cutEmbedded(type: EmbeddedType): EmbeddedType {
    const known = cutTypes.get(type);
    if (known) return known;
    const fields = new Map<string, Field>();
    const cut: EmbeddedType = { ...type, fields };
    // Known before its fields are cut, since a type may contain itself.
    cutTypes.set(type, cut);
    for (const [name, field] of cutFields(type.fields)) fields.set(name, field);
    return cut;
  }

  return cutFields;
}

/** Whether an embedded value can hold anything but hidden references, however deep. */
function canHold(
  { fields }: EmbeddedType,
  kept: ReadonlySet<string>,
  seen = new Set<EmbeddedType>(),
): boolean {
  return [...fields.values()].some(({ type }) => {
    if (type.kind === 'reference') return type.targets.some((target) => kept.has(target));
    if (type.kind !== 'embedded') return true;
    if (seen.has(type.type)) return false;
    return canHold(type.type, kept, seen.add(type.type));
  });
}
