/**
 * Converts a draft into the value to send, and validates it before the server does. The rules, messages and paths are those of
 * the server's validation. Only the server checks what needs the store, such as unique values.
 */
import type { Field } from '../../../api.ts';
import { fieldsOfValue, isFileField, kindsOf, type Shapes } from '../../../parts/data/scalar-views.ts';
import {
  type Draft,
  type DraftObject,
  isDraftList,
  isDraftObject,
  isEmptyItem,
  isUploading,
} from './draft.ts';
import { readScalar, tooFew } from './read-scalar.ts';

/**
 * A validation error at a path such as `sources[0].title`. Missing values are marked, so that a form can show them only after a
 * save was tried.
 */
export interface Flaw {
  readonly path: string;
  readonly message: string;
  readonly isMissing: boolean;
}

/** The value to send, undefined when absent, and its errors. The value must not be used when there is an error. */
export interface Reading {
  readonly value: unknown;
  readonly flaws: readonly Flaw[];
}

/** Reads the draft of one field. `path` is its place in the asset. */
export function readField(field: Field, draft: Draft, { path, shapes }: Place): Reading {
  if (!field.list) return readValue(field, draft, { path, shapes });
  if (!isDraftList(draft)) return readAbsent(field, path);
  const items = draft.flatMap((item, index) =>
    isEmptyItem(item)
      ? []
      : [readValue({ ...field, required: true }, item.value, { path: `${path}[${index}]`, shapes })],
  );
  // An optional list without items is omitted.
  if (items.length === 0 && !field.required) return { value: undefined, flaws: [] };
  return {
    value: items.map(({ value }) => value),
    flaws: [...checkLength(field, items.length, path), ...items.flatMap(({ flaws }) => flaws)],
  };
}

interface Place {
  readonly path: string;
  readonly shapes: Shapes;
}

function readValue(field: Field, draft: Draft, { path, shapes }: Place): Reading {
  if (draft === undefined || isDraftList(draft)) return readAbsent(field, path);
  const { type } = field;
  if (isDraftObject(draft)) {
    if (isFileField(field) && isUploading(draft))
      return { value: undefined, flaws: [{ path, message: 'is not uploaded yet', isMissing: true }] };
    if (type.kind !== 'embedded') return { value: draft, flaws: [] };
    const members = readMembers(fieldsOfValue(field, draft, shapes), draft, { path, shapes });
    if (!kindsOf(field, shapes)) return members;
    return { ...members, value: { _type: draft._type, ...Object(members.value) } };
  }
  if (type.kind === 'enum') return { value: draft, flaws: [] };
  const { value, flaw } = readScalar(field, draft);
  return { value, flaws: flaw === undefined ? [] : [{ path, message: flaw, isMissing: false }] };
}

function readMembers(fields: readonly Field[], draft: DraftObject, { path, shapes }: Place): Reading {
  const readings = fields.map((field) => {
    const reading = readField(field, draft[field.name], { path: `${path}.${field.name}`, shapes });
    return { name: field.name, ...reading, value: orNoDefault(field, reading.value) };
  });
  const present = readings.filter(({ value }) => value !== undefined);
  return {
    value: Object.fromEntries(present.map(({ name, value }) => [name, value])),
    flaws: readings.flatMap(({ flaws }) => flaws),
  };
}

/** Returns the value to send for a field of a new value: null for an absent one that would get a default. */
export function orNoDefault(field: Field, value: unknown): unknown {
  return value === undefined && field.default !== undefined ? null : value;
}

function readAbsent({ required }: Field, path: string): Reading {
  return {
    value: undefined,
    flaws: required ? [{ path, message: 'is required', isMissing: true }] : [],
  };
}

function checkLength({ constraint }: Field, length: number, path: string): Flaw[] {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = constraint;
  if (length < minItems) return [{ path, message: tooFew(minItems, 'items'), isMissing: true }];
  if (length > maxItems) return [{ path, message: `must have at most ${maxItems} items`, isMissing: false }];
  return [];
}
