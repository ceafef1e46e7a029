/**
 * Gives the fields of a type, and those of its embedded values, the names under which they are stored.
 */
import type { ContentType, EmbeddedType, Field, ValueType } from '../../model/content-type.ts';
import type { PathStep } from '../../model/field-path.ts';
import { shapeOf } from '../../model/types/type-shape.ts';
import type { RenamedField } from '../backfill-calls.ts';
import { type FieldNames, type NameChooser, takenName } from './choose-names.ts';
import type { RenameClass, RenamedMember, RenamedMembers, RenamedType } from './renamed-members.ts';

/** Receives the fields that a backfill can move, and those that it moves. */
export interface FoundFields {
  readonly movable: RenamedField[];
  readonly moving: RenamedField[];
  readonly formerOnly: RenamedField[];
}

/** What decides the stored names. */
interface Choice {
  readonly chooser: NameChooser;
  readonly toStoredClass: RenameClass;
  readonly found: FoundFields;
}

/** Builds a type with the names under which its assets are stored. Errors: bad_config. */
export function storeType(
  present: ContentType,
  choice: Choice,
): RenamedType & { readonly isChanged: boolean } {
  const storedClass = choice.toStoredClass(present.class);
  const place = { ...choice, type: storedClass, owner: '', steps: [], path: [], around: new Map() };
  const { fields, members, isRenamed: isNamedAnew, isAdapted } = storeFields(present, place);
  const unlogged = storeUnlogged(present.unlogged, members);
  const stored = { ...present, class: storedClass, fields, ...(unlogged && { unlogged }) };
  const isRenamed = isNamedAnew || storedClass !== present.class;
  return {
    present,
    stored,
    members,
    isRenamed,
    shape: shapeOf(present),
    storedShapes: new Set([shapeOf(stored)]),
    isChanged: isRenamed || isAdapted,
  };
}

function storeUnlogged(
  unlogged: ContentType['unlogged'],
  { byName }: RenamedMembers,
): ContentType['unlogged'] {
  if (typeof unlogged !== 'object') return unlogged;
  return { secrets: unlogged.secrets.flatMap((name) => [...(byName.get(name)?.names ?? [name])]) };
}

interface StoredEmbedded {
  readonly type: EmbeddedType;
  readonly members: RenamedMembers;
}

/** Where fields are: in a content type, or in an embedded type. Those around may be the same type. */
interface Place extends Choice {
  /** The stored class name. */
  readonly type: string;
  readonly owner: string;
  readonly steps: readonly PathStep[];
  readonly path: readonly string[];
  readonly around: ReadonlyMap<EmbeddedType, StoredEmbedded>;
}

type FieldOwner = Pick<EmbeddedType, 'fields' | 'dropped'>;

interface StoredFields {
  readonly fields: Map<string, Field>;
  readonly members: {
    byName: Map<string, RenamedMember>;
    byStoredName: Map<string, RenamedMember>;
    dropped: ReadonlySet<string>;
  };
  isRenamed: boolean;
  /** Whether objects may lack fields that have a default, or have dropped ones. */
  isAdapted: boolean;
}

const noFields = ({ dropped }: FieldOwner): StoredFields => ({
  fields: new Map(),
  members: { byName: new Map(), byStoredName: new Map(), dropped: new Set(dropped) },
  isRenamed: false,
  isAdapted: dropped.length > 0,
});

function storeFields(owner: FieldOwner, place: Place, result: StoredFields = noFields(owner)): StoredFields {
  const siblings = new Set([...owner.fields.keys(), ...owner.dropped]);
  const all = [...owner.fields.values()].map((field) => ({
    field,
    names: place.chooser.choose(field, { ...place, siblings }),
  }));
  const owners = new Map<string, Field>();
  for (const { field, names } of all) {
    const other = owners.get(names.base);
    if (other) throw takenName(`${place.type} ${field.name}`, { stored: names.base, other: other.name });
    owners.set(names.base, field);
  }
  for (const { field, names } of all) {
    const isFree = (name: string) => (owners.get(name) ?? field) === field;
    storeField(field, { names: { ...names, copies: names.copies.filter(isFree) }, place, result });
  }
  return result;
}

function storeField(
  field: Field,
  { names, place, result }: { names: FieldNames; place: Place; result: StoredFields },
): void {
  const { name, list } = field;
  const { base, reads, writes, copies, removed, isMoving } = names;
  const steps = [...place.steps, { name: base, list }];
  const path = [...place.path, removed.at(-1) ?? base];
  const { type, content, isRenamed, isAdapted } = storeValue(field.type, { ...place, steps, path });
  const fallback = field.required ? field.default : undefined;
  const member: RenamedMember = {
    name,
    storedName: reads,
    writtenNames: writes,
    names: [base, ...copies, ...removed],
    isMoving,
    type,
    ...(content && { content }),
    ...(fallback !== undefined && { fallback }),
  };
  const { byName, byStoredName } = result.members;
  byName.set(name, member);
  for (const one of member.names) byStoredName.set(one, member);
  result.fields.set(base, { ...field, name: base, type });
  for (const one of copies) {
    result.fields.set(one, { ...field, name: one, type, isCopy: true, required: false });
  }
  const moved = { type: place.type, path: [...place.path, base], name: names.present };
  const { movable, moving, formerOnly } = place.found;
  if (isMoving) moving.push(moved);
  else if (copies.includes(name)) movable.push(moved);
  if (isMoving && ![name, ...field.formerNames].includes(names.present)) formerOnly.push(moved);
  result.isRenamed ||= isRenamed || base !== name || isMoving;
  result.isAdapted ||= isAdapted || fallback !== undefined || removed.length > 0;
}

type StoredValue = Pick<RenamedMember, 'content'> &
  Pick<StoredFields, 'isRenamed' | 'isAdapted'> & { readonly type: ValueType };

const unchanged = { isRenamed: false, isAdapted: false };

function storeValue(type: ValueType, place: Place): StoredValue {
  switch (type.kind) {
    case 'scalar':
    case 'enum':
      return { type, ...unchanged };
    case 'reference': {
      const targets = type.targets.map(place.toStoredClass);
      const isRenamed = targets.some((target, n) => target !== type.targets[n]);
      const content = isRenamed ? { content: 'reference' as const } : {};
      return { type: { ...type, targets }, ...unchanged, isRenamed, ...content };
    }
    case 'embedded':
      return storeEmbedded(type.type, place);
  }
}

function storeEmbedded(type: EmbeddedType, place: Place): StoredValue {
  const known = place.around.get(type);
  if (known) return { type: { kind: 'embedded', type: known.type }, content: known.members, ...unchanged };
  const result = noFields(type);
  const stored = { ...type, fields: result.fields };
  const around = new Map([...place.around, [type, { type: stored, members: result.members }]]);
  const inside = { ...place, owner: type.name, around };
  const { members, isRenamed, isAdapted } = storeFields(type, inside, result);
  return { type: { kind: 'embedded', type: stored }, content: members, isRenamed, isAdapted };
}
