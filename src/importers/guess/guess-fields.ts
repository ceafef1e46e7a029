/**
 * Guesses the fields of items from all of them, and converts items to assets with these fields.
 *
 * Of the values seen, kinds, fields of objects and targets are kept, so that memory is bounded by the number of different fields.
 */
import { createFieldNames, type createTypeNames, toTypeName } from '../names.ts';
import { isObject, type Json, type JsonObject, type TypeField, type WrittenType } from '../reader.ts';
import {
  fileLink,
  fileMark,
  isFew,
  joinKinds,
  kindOf,
  kindsWithoutOdd,
  scalarOf,
  type ValueKind,
  withoutOdd,
} from './value-kinds.ts';

/** The fields of items, and how to make assets of them. */
export interface GuessedFields {
  readonly fields: readonly TypeField[];
  readonly embedded: readonly WrittenType[];
  /** Converts the members of an item. */
  convert(item: JsonObject): JsonObject;
}

/** What a guess needs. */
export interface GuessParts {
  /** Makes the names of embedded types. */
  readonly typeNames: ReturnType<typeof createTypeNames>;
  /** The name of the type, with which those of its embedded types begin. */
  readonly owner: string;
  readonly names?: ReadonlyMap<string, string>;
  readonly reading?: ValueReading;
  /** Returns the name of a content type by its class name. */
  readonly nameOfClass?: (className: string) => string;
}

/** Collects what items have, and decides what their fields are. */
export function createFieldGuess({
  typeNames,
  names,
  owner,
  reading = { kindOf },
  nameOfClass = (className) => className.replace(/^.*\./, ''),
}: GuessParts) {
  const root: ObjectShape = new Map();
  /** How many embedded values the one that is being decided lies in. */
  let depth = 0;

  function decideObject(shape: ObjectShape, path: string, chosen?: ReadonlyMap<string, string>): Decided {
    const toName = createFieldNames(chosen);
    const types: WrittenType[] = [];
    const fields = new Map<string, DecidedField>();
    for (const [name, field] of shape) {
      const { types: inner, ...decided } = decideField(field, path + toTypeName(name));
      types.push(...inner);
      fields.set(name, { ...decided, name: toName(name) });
    }
    return { fields, types };
  }

  /** Decides a field. Its odd values stay as they are, for the check of all content to reject them. */
  function decideField(shape: FieldShape, path: string): Decision {
    const kinds = kindsWithoutOdd(shape.kinds);
    const decision = decideKind({ shape, kind: joinKinds(kinds), path });
    return {
      ...decision,
      toValue: (value) => (kinds.has(kindIn(reading, value)) ? decision.toValue(value) : value),
    };
  }

  function decideKind({
    shape,
    kind,
    path,
  }: {
    shape: FieldShape;
    kind: ReturnType<typeof joinKinds>;
    path: string;
  }): Decision {
    if (kind === 'mixed') return asJson;
    if (kind === 'list') return decideList(shape, path);
    if (kind === 'object') return decideEmbedded(shape, path);
    if (kind === 'reference') {
      const members = [...shape.targets].map(nameOfClass).sort();
      const toValue = (value: Json) => ({ ...reading.toReference?.(value as JsonObject) });
      const [only = ''] = members;
      if (members.length === 1) return { type: only, types: [], toValue, directives: ['@indexed'] };
      const name = typeNames(path);
      return { type: name, types: [{ kind: 'union', name, members }], toValue, directives: ['@indexed'] };
    }
    return { type: scalarOf[kind], types: [], toValue: toScalar(kind) };
  }

  function decideList({ items }: FieldShape, path: string): Decision {
    if (!items) return { ...asText, isList: true, toValue: (value) => value };
    const nulls = items.kinds.get('null') ?? 0;
    const count = [...items.kinds.values()].reduce((sum, one) => sum + one, 0);
    const item = nulls > 0 && !isFew(nulls, count) ? asJson : decideField(items, path);
    if (item.type === 'JSON' || item.isList) return asJson;
    return { ...item, isList: true, toValue: (value) => (value as Json[]).map(item.toValue) };
  }

  function decideEmbedded({ objects }: FieldShape, path: string): Decision {
    const areRecords = (types: ReadonlySet<string>) =>
      [...types].every((type) => {
        const { size } = objects.get(type)?.shape ?? new Map();
        return size > 0 && size <= maxFields && (type !== '' || types.size === 1);
      });
    const types = withoutOdd(new Map([...objects].map(([type, { count }]) => [type, count])), areRecords);
    if (!areRecords(types) || depth >= maxEmbedded) return asJson;
    const shapes = [...objects].filter(([type]) => types.has(type));
    depth++;
    const kinds = shapes.map(([type, { shape }]) => {
      const name = typeNames(shapes.length === 1 ? path : path + toTypeName(type));
      return { type, name, ...decideObject(shape, name) };
    });
    depth--;
    const embedded = kinds.flatMap((one): WrittenType[] => [
      ...one.types,
      { kind: 'object', name: one.name, fields: toFields(one) },
    ]);
    const [first] = kinds;
    if (!first || kinds.length === 1) {
      return {
        type: first?.name ?? 'JSON',
        types: embedded,
        toValue: (value) => {
          const { _type: type = '' } = value as JsonObject;
          return first && (type === first.type || first.type === '')
            ? convert(value as JsonObject, first)
            : value;
        },
      };
    }
    const union = typeNames(path);
    const byType = new Map(kinds.map((one) => [one.type, one]));
    return {
      type: union,
      types: [...embedded, { kind: 'union', name: union, members: kinds.map(({ name }) => name) }],
      toValue(value) {
        const { _type: type, ...members } = value as JsonObject;
        const kind = byType.get(String(type));
        return kind ? { _type: kind.name, ...convert(members, kind) } : value;
      },
    };
  }

  function convert(object: JsonObject, { fields }: Decided): JsonObject {
    const converted: JsonObject = {};
    for (const [name, value] of Object.entries(object)) {
      const field = fields.get(name);
      if (field && reading.kindOf(value) !== 'null') converted[field.name] = field.toValue(value);
    }
    return converted;
  }

  return {
    add: (item: JsonObject) => addObject(root, item, reading),
    /** Decides the fields of the items, and the embedded types in them. */
    decide(): GuessedFields {
      const decided = decideObject(root, owner, names);
      return {
        fields: toFields(decided),
        embedded: decided.types,
        convert: (item) => convert(item, decided),
      };
    },
  };
}

/** How deeply embedded types nest; what lies deeper is JSON. The server takes 64 levels. */
const maxEmbedded = 20;

/** How the values of a field are written. */
interface Decision extends Omit<TypeField, 'name'> {
  /** The embedded types and unions that the type needs. */
  readonly types: readonly WrittenType[];
  readonly toValue: (value: Json) => Json;
}

type DecidedField = Omit<Decision, 'types'> & TypeField;

interface Decided {
  readonly fields: ReadonlyMap<string, DecidedField>;
  readonly types: readonly WrittenType[];
}

const asJson: Decision = { type: 'JSON', types: [], toValue: (value) => value };
const asText: Decision = { type: 'String', types: [], toValue: (value) => value };

const toFields = ({ fields }: Decided): TypeField[] =>
  [...fields.values()].map(({ toValue: _, ...field }) => field);

/** Texts stay as they are; numbers and truth values become what the type of the field says. */
function toScalar(kind: ValueKind): (value: Json) => Json {
  switch (kind) {
    case 'int':
    case 'float':
      return (value) => (typeof value === 'string' ? Number(value) : value);
    case 'boolean':
      return (value) => (typeof value === 'string' ? value.toLowerCase() === 'true' : value);
    case 'file':
      return (value) => {
        const { _type, ...file } = value as JsonObject;
        return file;
      };
    case 'json':
      return (value) => value;
    default:
      return toText;
  }
}

/** A file is written as its address where other values of the field are texts. */
function toText(value: Json): Json {
  if (typeof value === 'string') return value;
  const { _type, hash, name } = Object(value) as JsonObject;
  return _type === fileMark ? fileLink(String(hash), String(name)) : JSON.stringify(value);
}

/** The fields of objects, as far as they were seen. */
type ObjectShape = Map<string, FieldShape>;

/** The objects of one `_type`. */
interface CountedObjects {
  count: number;
  readonly shape: ObjectShape;
}

/** The values of a field, as far as they were seen. */
interface FieldShape {
  /** How many values are of each kind. */
  readonly kinds: Map<ValueKind, number>;
  /** Of lists: their items. */
  items?: FieldShape;
  /** Of objects: their fields, by the `_type` of the objects, which is empty for those without. */
  readonly objects: Map<string, CountedObjects>;
  /** Of references: the class names of their targets. */
  readonly targets: Set<string>;
}

/** An object with more fields is a table rather than a record, and is kept as JSON. */
const maxFields = 200;

interface ValueReading {
  kindOf(value: Json): ValueKind;
  /** Returns the reference that an object stands for, as it is stored; nothing for other objects. */
  toReference?(value: JsonObject): { readonly _ref: string; readonly _type: string } | undefined;
}

/** Adds the members of an object. */
function addObject(shape: ObjectShape, object: JsonObject, reading: ValueReading): void {
  for (const [name, value] of Object.entries(object)) {
    const field = shape.get(name) ?? createFieldShape();
    if (shape.size <= maxFields) shape.set(name, field);
    addValue(field, value, reading);
  }
}

function addValue(field: FieldShape, value: Json, reading: ValueReading): void {
  const kind = kindIn(reading, value);
  field.kinds.set(kind, (field.kinds.get(kind) ?? 0) + 1);
  if (Array.isArray(value) && kind === 'list') {
    field.items ??= createFieldShape();
    for (const item of value) addValue(field.items, item, reading);
  }
  if (!isObject(value)) return;
  if (kind === 'reference') field.targets.add(reading.toReference?.(value)?._type ?? '');
  if (kind !== 'object') return;
  const type = typeof value._type === 'string' ? value._type : '';
  const objects = field.objects.get(type) ?? { count: 0, shape: new Map<string, FieldShape>() };
  field.objects.set(type, objects);
  objects.count++;
  const { _type, ...members } = value;
  addObject(objects.shape, type === '' ? value : members, reading);
}

/** The kind of a value, which is that of a reference if an object stands for one. */
function kindIn(reading: ValueReading, value: Json): ValueKind {
  const kind = reading.kindOf(value);
  return kind === 'object' && isObject(value) && reading.toReference?.(value) ? 'reference' : kind;
}

const createFieldShape = (): FieldShape => ({ kinds: new Map(), objects: new Map(), targets: new Set() });
