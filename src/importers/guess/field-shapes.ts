/**
 * What values fields were seen to have: their kinds, the fields of objects in them, and what they refer to.
 *
 * What is kept is bounded by the number of different fields.
 */
import type { Json, JsonObject } from '../reader.ts';
import type { ValueKind } from './value-kinds.ts';

/** The fields of objects, as far as they were seen. */
export type ObjectShape = Map<string, FieldShape>;

/** The values of a field, as far as they were seen. */
export interface FieldShape {
  readonly kinds: Set<ValueKind>;
  /** Of lists: their items. */
  items?: FieldShape;
  /** Of objects: their fields, by the `_type` of the objects, which is empty for those without. */
  readonly objects: Map<string, ObjectShape>;
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
  const kind = reading.kindOf(value);
  if (kind !== 'object' || typeof value !== 'object' || value === null || Array.isArray(value)) {
    field.kinds.add(kind);
    if (kind !== 'list' || !Array.isArray(value)) return;
    field.items ??= createFieldShape();
    for (const item of value) addValue(field.items, item, reading);
    return;
  }
  const reference = reading.toReference?.(value);
  if (reference) {
    field.kinds.add('reference');
    field.targets.add(reference._type);
    return;
  }
  field.kinds.add('object');
  const type = typeof value._type === 'string' ? value._type : '';
  const object = field.objects.get(type) ?? new Map<string, FieldShape>();
  field.objects.set(type, object);
  const { _type, ...members } = value;
  addObject(object, type === '' ? value : members, reading);
}

const createFieldShape = (): FieldShape => ({ kinds: new Set(), objects: new Map(), targets: new Set() });
