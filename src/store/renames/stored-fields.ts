/**
 * Gives the fields of a type, and those of its embedded values, the names under which they are stored.
 */
import type { ContentType, EmbeddedType, Field, ValueType } from '../../model/content-type.ts';
import type { PathStep } from '../../model/field-path.ts';
import { shapeOf } from '../../types/type-shape.ts';
import { type NameChooser, takenName } from './choose-names.ts';
import type {
  RenameClass,
  RenamedKind,
  RenamedMember,
  RenamedMembers,
  RenamedType,
} from './renamed-members.ts';

/** What decides the stored names. */
interface Choice {
  readonly chooser: NameChooser;
  readonly toStoredClass: RenameClass;
}

/** Builds a type with the names under which its assets are stored, but for the conditions of its keys. Errors: bad_config. */
export function toStoredType(
  present: ContentType,
  { related, ...choice }: Choice & { readonly related: (field: string) => readonly string[] },
): RenamedType & { readonly isChanged: boolean } {
  const storedClass = choice.toStoredClass(present.class);
  const place = { ...choice, type: storedClass, steps: [], related, enclosing: new Map() };
  const { fields, members, isRenamed: isNamedAnew, isAdapted } = toStoredFields(present, place);
  const unlogged = toStoredUnlogged(present.unlogged, members);
  const dropped = [...members.dropped];
  const toStoredNames = (names: readonly string[]) =>
    names.map((name) => members.byName.get(name)?.storedName ?? name);
  const keys = present.keys.map(toStoredNames);
  const conditionalKeys = present.conditionalKeys.map((key) => ({
    ...key,
    fields: toStoredNames(key.fields),
  }));
  const own = { fields, keys, conditionalKeys, dropped, ...(unlogged && { unlogged }) };
  const stored = { ...present, class: storedClass, ...own };
  const isRenamed = isNamedAnew || storedClass !== present.class;
  return {
    present,
    stored,
    members,
    isRenamed,
    shape: shapeOf(present),
    storedShape: shapeOf(stored),
    isChanged: isRenamed || isAdapted,
  };
}

function toStoredUnlogged(
  unlogged: ContentType['unlogged'],
  { byName }: RenamedMembers,
): ContentType['unlogged'] {
  if (typeof unlogged !== 'object') return unlogged;
  return { secrets: unlogged.secrets.map((name) => byName.get(name)?.storedName ?? name) };
}

interface StoredEmbedded {
  readonly type: EmbeddedType;
  readonly members: RenamedMembers;
}

/** Where fields are: in a content type, or in an embedded type. An enclosing type may be the same one. */
interface Place extends Choice {
  /** The stored class name. */
  readonly type: string;
  readonly steps: readonly PathStep[];
  /** Returns the related classes of a field; inside an embedded value, always those of the field of the content type. */
  readonly related: (field: string) => readonly string[];
  readonly enclosing: ReadonlyMap<EmbeddedType, StoredEmbedded>;
  /** The stored names of the fields, where they are chosen already: all kinds of blocks share them. */
  readonly sharedNames?: ReadonlyMap<string, string> | undefined;
}

type FieldOwner = Pick<EmbeddedType, 'fields' | 'dropped'>;

interface StoredFields {
  readonly fields: Map<string, Field>;
  readonly members: {
    byName: Map<string, RenamedMember>;
    byStoredName: Map<string, RenamedMember>;
    dropped: Set<string>;
    removed: Map<string, string>;
  };
  isRenamed: boolean;
  /** Whether objects may lack fields that have a default, or have values that are not shown or have another name. */
  isAdapted: boolean;
}

const noFields = (): StoredFields => ({
  fields: new Map(),
  members: { byName: new Map(), byStoredName: new Map(), dropped: new Set(), removed: new Map() },
  isRenamed: false,
  isAdapted: false,
});

function toStoredFields(owner: FieldOwner, place: Place, result: StoredFields = noFields()): StoredFields {
  const { chooser, type } = place;
  const siblings = new Set([...owner.fields.keys(), ...owner.dropped]);
  for (const field of owner.fields.values()) {
    const related = () => place.related(field.name);
    const stored =
      place.sharedNames?.get(field.name) ?? chooser.choose(field, { ...place, siblings, related });
    const other = [...result.members.byStoredName.values()].find((one) => overlaps(one.storedName, stored));
    if (other) throw takenName(`${type} ${field.name}`, { stored: other.storedName, other: other.name });
    addStoredField(field, { stored, place: { ...place, related }, result });
  }
  addFormerFields(owner, place, result);
  return result;
}

/** A dotted name may be stored inside another one. */
const overlaps = (one: string, other: string) =>
  one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);

/** Adds what objects may have of fields that the type no longer has. */
function addFormerFields({ dropped }: FieldOwner, place: Place, result: StoredFields): void {
  const { members } = result;
  for (const name of dropped) {
    const stored = place.chooser.find(name, place) ?? name;
    if (!members.byStoredName.has(stored)) members.dropped.add(stored);
  }
  for (const [stored, name] of place.chooser.list(place)) {
    if (stored === name || members.byStoredName.has(stored) || members.dropped.has(stored)) continue;
    members.removed.set(stored, name);
  }
  result.isAdapted ||= members.dropped.size > 0 || members.removed.size > 0;
}

function addStoredField(
  field: Field,
  { stored, place, result }: { stored: string; place: Place; result: StoredFields },
): void {
  const { name, list } = field;
  const steps = [...place.steps, { name: stored, list }];
  const { type, content, isRenamed, isAdapted } = toStoredValue(field.type, { ...place, steps });
  const fallback = field.required ? field.default : undefined;
  const member: RenamedMember = {
    name,
    storedName: stored,
    type,
    ...(content && { content }),
    ...(fallback !== undefined && { fallback }),
  };
  result.members.byName.set(name, member);
  result.members.byStoredName.set(stored, member);
  result.fields.set(stored, { ...field, name: stored, formerNames: [], type });
  result.isRenamed ||= isRenamed || stored !== name;
  result.isAdapted ||= isAdapted || fallback !== undefined;
}

type StoredValue = Pick<RenamedMember, 'content'> &
  Pick<StoredFields, 'isRenamed' | 'isAdapted'> & { readonly type: ValueType };

const unchanged = { isRenamed: false, isAdapted: false };

function toStoredValue(type: ValueType, place: Place): StoredValue {
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
      return toStoredEmbedded(type.type, place);
  }
}

function toStoredEmbedded(type: EmbeddedType, place: Place): StoredValue {
  const known = place.enclosing.get(type);
  if (known) return { type: { kind: 'embedded', type: known.type }, content: known.members, ...unchanged };
  const result = noFields();
  const dropped: string[] = [];
  const kinds = new Map<string, EmbeddedType>();
  const renamedKinds: RenamedKind[] = [];
  const members = { ...result.members, ...(type.kinds && { kinds: renamedKinds }) };
  const stored = { ...type, fields: result.fields, dropped, ...(type.kinds && { kinds }) };
  const enclosing = new Map([...place.enclosing, [type, { type: stored, members }]]);
  const inside = { ...place, enclosing, sharedNames: type.kinds && chooseForKinds(type.kinds, place) };
  const all = [toStoredFields(type, inside, result)];
  for (const [name, kind] of type.kinds ?? []) {
    const ofKind = toStoredFields(kind, inside);
    const storedName = chooseKind(type, { name, kind, place });
    const { formerNames: _, ...unnamed } = kind;
    const dropped = [...ofKind.members.dropped];
    kinds.set(storedName, { ...unnamed, name: storedName, fields: ofKind.fields, dropped });
    renamedKinds.push({ name, storedName, members: ofKind.members });
    all.push({ ...ofKind, isRenamed: ofKind.isRenamed || storedName !== name });
  }
  if (type.kinds) nameStoredKinds(result, renamedKinds);
  dropped.push(...members.dropped);
  return {
    type: { kind: 'embedded', type: stored },
    content: members,
    isRenamed: all.some(({ isRenamed }) => isRenamed),
    isAdapted: all.some(({ isAdapted }) => isAdapted),
  };
}

/** Chooses the stored name of a kind, which the store records like that of a field of `_type`. */
function chooseKind(
  { kinds = new Map() }: EmbeddedType,
  { name, kind, place }: { name: string; kind: EmbeddedType; place: Place },
): string {
  const steps = [...place.steps, { name: '_type', list: false }];
  const { formerNames = [] } = kind;
  const field: Field = { ...typeOfKind, name, graphqlName: name, formerNames };
  const siblings = new Set(kinds.keys());
  return place.chooser.choose(field, { ...place, steps, siblings, related: () => place.related('') });
}

const typeOfKind = {
  type: { kind: 'scalar', scalar: 'String' },
  list: false,
  required: true,
  constraint: {},
} as const;

/** Lists the stored names of the kinds as the values of `_type`. */
function nameStoredKinds({ fields }: StoredFields, kinds: readonly RenamedKind[]): void {
  const field = fields.get('_type');
  if (field?.type.kind !== 'enum') return;
  const values = kinds.map(({ storedName }) => storedName);
  fields.set('_type', { ...field, type: { ...field.type, values } });
}

/** Chooses a stored name for each field name of the kinds of blocks, by its names in all of them. */
function chooseForKinds(
  kinds: ReadonlyMap<string, EmbeddedType>,
  { chooser, ...place }: Place,
): ReadonlyMap<string, string> {
  const fields = new Map<string, Field>();
  for (const kind of kinds.values()) {
    for (const field of kind.fields.values()) {
      const formerNames = [
        ...new Set([...(fields.get(field.name)?.formerNames ?? []), ...field.formerNames]),
      ];
      fields.set(field.name, { ...field, formerNames });
    }
  }
  const dropped = [...kinds.values()].flatMap((kind) => kind.dropped);
  const siblings = new Set([...fields.keys(), ...dropped]);
  const related = () => place.related('');
  const storedNames = [...fields.values()].map(
    (field) => [field.name, chooser.choose(field, { ...place, siblings, related })] as const,
  );
  return new Map([['_type', '_type'], ...storedNames]);
}
