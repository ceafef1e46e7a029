/**
 * What values fields were seen to have: their kinds, the fields of objects in them, and what they refer to.
 *
 * What is kept is bounded by the number of different fields.
 */
import { isObject, type Json, type JsonObject } from '../reader.ts';
import type { ValueKind } from './value-kinds.ts';

/** The fields of objects, as far as they were seen. */
export type ObjectShape = Map<string, FieldShape>;

/** The objects of one `_type`. */
interface CountedObjects {
  count: number;
  readonly shape: ObjectShape;
}

/** The values of a field, as far as they were seen. */
export interface FieldShape {
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
export const maxFields = 200;

/** How values are read. */
export interface ValueReading {
  kindOf(value: Json): ValueKind;
  /** Returns the reference that an object stands for, as it is stored; nothing for other objects. */
  toReference?(value: JsonObject): { readonly _ref: string; readonly _type: string } | undefined;
}

/** Adds the members of an object. */
export function addObject(shape: ObjectShape, object: JsonObject, reading: ValueReading): void {
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
export function kindIn(reading: ValueReading, value: Json): ValueKind {
  const kind = reading.kindOf(value);
  return kind === 'object' && isObject(value) && reading.toReference?.(value) ? 'reference' : kind;
}

const createFieldShape = (): FieldShape => ({ kinds: new Map(), objects: new Map(), targets: new Set() });
