/**
 * Finds the fields that predicates of the generated client can name, in groups: those of the assets of some classes, or of an
 * embedded value.
 *
 * Like the check of predicates, it takes a type for the set of classes it covers: only fields that have the same shape in all of
 * them exist, and a reference leads to the targets that it has in any of them.
 */
import type { Catalog, EmbeddedType, ScalarName } from '../../model/content-type.ts';
import { findFieldPath, type LeafType } from '../../model/field-path.ts';

/** A group of fields. */
export interface FieldGroup {
  /** An identifier that no other group has. */
  readonly name: string;
  /** What stands between a path to the group and the name of a field. */
  readonly separator: '/' | '.';
  readonly fields: readonly QueryableField[];
}

/** A field; `type` is its TypeScript type, where `$` is the module of field types. */
export interface QueryableField {
  readonly name: string;
  readonly type: string;
  /** Why it is deprecated in all types of the group; absent when it is not. */
  readonly deprecated?: string | undefined;
  /** The group that paths lead into from here. */
  readonly inner?: FieldGroup | undefined;
}

/** The groups by their origin; asking for one makes those it leads into as well. */
export interface FieldGroups {
  /** The group of the assets of some classes; `undefined` for no classes. */
  ofClasses(classes: readonly string[]): FieldGroup | undefined;
  all(): readonly FieldGroup[];
}

/** The identifier of the interface of a group. */
export const interfaceOf = ({ name }: FieldGroup): string => `${name}Fields`;

/** Creates the groups of a catalog. */
export function createFieldGroups(catalog: Catalog): FieldGroups {
  const groups = new Map<string, FieldGroup>();
  const names = new Map(
    [...catalog.interfaces.values(), ...catalog.types.values()].map((type) => [
      catalog.concrete(type).toSorted().join(),
      type.name,
    ]),
  );

  function make(key: string, group: Omit<FieldGroup, 'fields'>, list: () => QueryableField[]): FieldGroup {
    const known = groups.get(key);
    if (known) return known;
    const fields: QueryableField[] = [];
    const made = { ...group, fields };
    // Registered first, since types may contain themselves.
    groups.set(key, made);
    fields.push(...list());
    return made;
  }

  function ofClasses(classes: readonly string[]): FieldGroup | undefined {
    if (classes.length === 0) return undefined;
    const sorted = classes.toSorted();
    // Dollar signs keep the name apart from those of types.
    const joined = () => sorted.map((one) => catalog.types.get(one)?.name).join('$');
    const name = names.get(sorted.join()) ?? joined();
    return make(`/${sorted}`, { name, separator: '/' }, () => listFields(sorted));
  }

  function listFields(classes: readonly string[]): QueryableField[] {
    const candidates = ['_id', '_type', ...(catalog.types.get(classes[0] ?? '')?.fields.keys() ?? [])];
    return candidates.flatMap((name) => {
      const paths = classes.map((one) => findFieldPath(catalog, [one], name));
      if (typeof findFieldPath(catalog, classes, name) === 'string') return [];
      const found = paths.flatMap((path) => (typeof path === 'string' ? [] : [path]));
      const leaves = found.map(({ leaf }) => leaf);
      const [leaf] = leaves;
      if (!leaf) return [];
      const deprecated = deprecationIn(classes, name);
      const list = found[0]?.steps.at(-1)?.list === true;
      const field = toField(name, { ...leaf, ...mergeTargets(leaves) }, classes);
      return [{ ...(list ? toList(field) : field), deprecated }];
    });
  }

  const ofEmbedded = (type: EmbeddedType) =>
    make(`.${type.name}`, { name: type.name, separator: '.' }, () =>
      [...type.fields.values()].map(({ name, type, list, deprecated }) => {
        const field = toField(name, type, []);
        return { ...(list ? toList(field) : field), deprecated };
      }),
    );

  /** Returns the first reason if a field is deprecated in every class. */
  function deprecationIn(classes: readonly string[], name: string): string | undefined {
    const reasons = classes.map((one) => catalog.types.get(one)?.fields.get(name)?.deprecated);
    return reasons.includes(undefined) ? undefined : reasons[0];
  }

  function toField(name: string, leaf: LeafType, classes: readonly string[]): QueryableField {
    switch (leaf.kind) {
      case 'id':
        return { name, type: '$.TextField' };
      case 'type':
        return { name, type: `$.EnumField<${toUnion(classes)}>` };
      case 'enum':
        return { name, type: `$.EnumField<${toUnion(leaf.values)}>` };
      case 'scalar':
        return { name, type: `$.${scalarFields[leaf.scalar]}` };
      case 'reference': {
        const inner = ofClasses(leaf.targets);
        return { name, type: `$.ReferenceField<${inner ? interfaceOf(inner) : 'unknown'}>`, inner };
      }
      case 'embedded': {
        const inner = ofEmbedded(leaf.type);
        return { name, type: `$.EmbeddedField<${interfaceOf(inner)}>`, inner };
      }
    }
  }

  return { ofClasses, all: () => [...groups.values()] };
}

/** Returns the field of a list of such values. */
function toList({ type, inner, ...field }: QueryableField): QueryableField {
  if (!inner) return { ...field, type: `$.ListField<${type}>` };
  return { ...field, inner, type: `$.ItemsField<${type}, ${interfaceOf(inner)}>` };
}

/** The targets of references that have different ones in different classes. */
function mergeTargets(leaves: readonly LeafType[]): { targets?: string[] } {
  const targets = leaves.flatMap((leaf) => (leaf.kind === 'reference' ? leaf.targets : []));
  return targets.length > 0 ? { targets: [...new Set(targets)] } : {};
}

const toUnion = (members: readonly string[]) => members.map((member) => JSON.stringify(member)).join(' | ');

/** What predicates can ask of the values of each scalar. */
const scalarFields: Readonly<Record<ScalarName, string>> = {
  String: 'TextField',
  ID: 'TextField',
  RichText: 'TextField',
  Url: 'TextField',
  Int: 'NumberField',
  Float: 'NumberField',
  EpochMillis: 'DateField',
  Date: 'OrderedField<string>',
  DateTime: 'OrderedField<string>',
  Decimal: 'OrderedField<string>',
  Boolean: 'BooleanField',
  JSON: 'PresenceField',
};
