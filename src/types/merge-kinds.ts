/**
 * Merges the fields of the kinds of blocks, for paths: `blocks.text` reaches the text of every kind that has one.
 *
 * A field that is of different types in two kinds is stored and shown, but no path reaches it.
 */
import type { EmbeddedType, Field, ValueType } from '../model/content-type.ts';

/** The fields that paths can reach, and what is wrong with the kinds. */
interface MergedKinds {
  readonly shared: readonly Field[];
  readonly problems: readonly string[];
}

/** Merges the fields of the kinds of blocks; these must be read completely. */
export function mergeKinds({ name, kinds = new Map() }: EmbeddedType): MergedKinds {
  const problems: string[] = [];
  const owners = new Map<string, Placed[]>();
  for (const kind of kinds.values()) {
    if (kind.fields.size === 0) problems.push(`${kind.name} has no field`);
    for (const field of kind.fields.values())
      owners.set(field.name, [...(owners.get(field.name) ?? []), { kind: kind.name, field }]);
  }
  const shared = [...owners.values()].flatMap((placed) => {
    const merged = mergeField(placed);
    if (typeof merged !== 'string') return [merged];
    const needsOne = placed.some(
      ({ field: { indexed, searchable, type } }) => indexed || searchable || type.kind === 'reference',
    );
    if (needsOne) problems.push(merged);
    return [];
  });
  for (const [field, placed] of owners) problems.push(...checkFormerNames(field, placed, owners));
  problems.push(...checkFormerKinds([...kinds.values()]));
  return { shared: [kindField(name, [...kinds.keys()]), ...shared], problems };
}

/** A field and the kind that has it. */
interface Placed {
  readonly kind: string;
  readonly field: Field;
}

/** The member that says of which kind a block is. */
const kindField = (name: string, values: readonly string[]): Field => ({
  name: '_type',
  graphqlName: '_type',
  type: { kind: 'enum', name: `${name}Kind`, values },
  list: false,
  required: true,
  constraint: {},
  formerNames: [],
});

/** Merges a field of several kinds; returns what differs when it cannot be one. */
function mergeField([first, ...others]: readonly Placed[]): Field | string {
  if (!first) throw new Error('a field of no kind');
  let merged: Field = { ...bare(first.field), formerNames: first.field.formerNames };
  for (const { kind, field } of others) {
    const type = mergeTypes(merged.type, field.type);
    if (!type || merged.list !== field.list)
      return `${field.name} differs between ${first.kind} and ${kind}, so it can have no index and be no reference`;
    const indexed = merged.indexed ?? field.indexed;
    merged = {
      ...merged,
      type,
      ...(indexed && { indexed: { unique: indexed.unique || field.indexed?.unique === true } }),
      ...(field.onDelete && { onDelete: field.onDelete }),
      ...(field.searchable && { searchable: true }),
      formerNames: [...new Set([...merged.formerNames, ...field.formerNames])],
    };
  }
  return merged;
}

/** Leaves out what holds for the values of one kind. */
const bare = ({ default: _, ...field }: Field): Field => ({ ...field, required: false, constraint: {} });

function mergeTypes(one: ValueType, other: ValueType): ValueType | undefined {
  if (one.kind === 'reference' && other.kind === 'reference') {
    const targets = [...new Set([...one.targets, ...other.targets])].sort();
    return targets.length === one.targets.length ? one : { ...one, targets };
  }
  return nameOf(one) === nameOf(other) ? one : undefined;
}

const nameOf = (type: ValueType): string => {
  if (type.kind === 'scalar') return type.scalar;
  return `${type.kind} ${type.kind === 'embedded' ? type.type.name : type.name}`;
};

/** Kinds share the stored names of their fields, so a field is renamed in all of them. */
function checkFormerNames(
  name: string,
  placed: readonly Placed[],
  owners: ReadonlyMap<string, readonly Placed[]>,
): string[] {
  return placed.flatMap(({ kind, field }) =>
    field.formerNames.flatMap((former) => {
      const [other] = owners.get(former) ?? [];
      return other
        ? [`${kind}.${name} was ${former}, which ${other.kind} still has: rename the field in both`]
        : [];
    }),
  );
}

function checkFormerKinds(kinds: readonly EmbeddedType[]): string[] {
  return kinds.flatMap((kind) =>
    (kind.formerNames ?? []).flatMap((former) => {
      const other = kinds.find(
        (one) => one.name === former || (one !== kind && one.formerNames?.includes(former) === true),
      );
      return other
        ? [`${kind.name} was ${former}, which ${other.name} ${other.name === former ? 'is' : 'was'} too`]
        : [];
    }),
  );
}
