/**
 * Completes objects of the response from stored assets and embedded values, except for references, which it reports.
 *
 * A value that does not fit its type is null in the response, and is recorded (`resolvers/unfit-fields.ts`).
 */

import { type FieldNode, type GraphQLError, locatedError } from 'graphql';
import { createBareObject, memberOf } from '../../base/own-members.ts';
import type { Json, JsonObject } from '../../model/content-type.ts';
import type { ResponseBudget } from '../resolvers/response-budget.ts';
import type { FileLinks } from '../resolvers/run-context.ts';
import type { FieldMark, UnfitMarks } from '../resolvers/unfit-fields.ts';
import type { FieldProgram, FileUrlProgram, ObjectProgram, StoredProgram } from './compile-operation.ts';

/** A reference whose target belongs at a place, where null is so far. */
export interface OpenReference {
  readonly id: string;
  readonly place: Place;
  /** Where an error of the target belongs: a list of references fails as a whole. */
  readonly errorPlace: Place;
  readonly field: StoredProgram;
}

/** The address of a file that belongs at a place, where null is so far. */
export interface OpenFileUrl {
  readonly file: JsonObject;
  readonly place: Place;
  readonly field: FileUrlProgram;
}

/** Where completed objects report what they find. */
export interface Completion {
  readonly unfit: UnfitMarks;
  /** The references of completed objects, in the order of the response. */
  readonly references: OpenReference[];
  /** The addresses of files in completed objects, in the order of the response. */
  readonly fileUrls: OpenFileUrl[];
  readonly files: FileLinks;
  /** Counts what is completed. Errors: answer_too_large. */
  readonly budget: Pick<ResponseBudget, 'countValue' | 'countRest'>;
}

/** Completes one object. Errors: answer_too_large. */
export function completeObject(
  program: ObjectProgram,
  { source, place, completion }: { source: JsonObject; place: Place; completion: Completion },
): Record<string, unknown> {
  const holder = createBareObject();
  // Any field may become null, and so may the object: the count is a range.
  completion.budget.countRest(program.keyBytes, program.keyBytes + program.fields.length * nullBytes);
  for (const field of program.fields) {
    holder[field.key] = completeField(field, { source, holder, parent: place, completion });
  }
  return holder;
}

const nullBytes = 4;

/** The object that has a field, and its values in the store and in the response. */
interface Holder {
  readonly source: JsonObject;
  readonly holder: Record<string, unknown>;
  readonly parent: Place;
  readonly completion: Completion;
}

function completeField(field: FieldProgram, { source, holder, parent, completion }: Holder): unknown {
  if (field.kind === 'typename') return field.name;
  if (field.kind === 'identity') {
    const value = source[field.name];
    completion.budget.countValue(value);
    return value;
  }
  if (field.kind === 'fileUrl') {
    const place = { holder, key: field.key, isNullable: false, parent };
    completion.fileUrls.push({ file: source, place, field });
    return null;
  }
  const { key, name, isNullable, shape } = field;
  const value = memberOf(source, name) ?? null;
  const mark = completion.unfit.find(source, name);
  if (mark || !shape.fits(value)) {
    return completeUnfit(field, { value, mark, place: { holder, key, isNullable, parent }, completion });
  }
  if (value === null) return null;
  if (field.kind === 'leaf') return completeLeaf(field, value, completion);
  const place = { holder, key, isNullable, parent };
  return Array.isArray(value)
    ? completeList(field, { values: value, place, completion })
    : completeItem(field, { value, place, errorPlace: place, completion });
}

function completeLeaf({ isRichText }: StoredProgram, value: Json, { files, budget }: Completion): Json {
  const whole = isRichText ? files.completeLinks(value) : value;
  budget.countValue(whole);
  return whole;
}

/** Completes the items that fit, with null for the others; or null when the value as a whole does not fit. */
function completeUnfit(
  field: StoredProgram,
  {
    value,
    mark,
    place,
    completion,
  }: { value: Json; mark: FieldMark | undefined; place: Place; completion: Completion },
): unknown {
  const { shape, nodes } = field;
  const facts = { nodes, isKnown: mark !== undefined };
  const whole = mark?.whole ?? shape.explain(value);
  if (whole !== undefined) {
    completion.unfit.note({ ...facts, path: pathOf(place), message: whole });
    return null;
  }
  if (!Array.isArray(value)) return completeItem(field, { value, place, errorPlace: place, completion });
  const isUnfit = (item: Json, index: number) => {
    const message = mark?.items.get(index) ?? shape.explainItem(item, index);
    if (message === undefined) return false;
    completion.unfit.note({ ...facts, path: [...pathOf(place), index], message });
    return true;
  };
  return completeList(field, { values: value, place, completion, isUnfit });
}

function completeList(
  field: StoredProgram,
  {
    values,
    place,
    completion,
    isUnfit,
  }: {
    values: readonly Json[];
    place: Place;
    completion: Completion;
    isUnfit?: (item: Json, index: number) => boolean;
  },
): unknown[] {
  const list: unknown[] = [];
  completion.budget.countRest(values.length, values.length * (nullBytes + 1));
  for (const [index, value] of values.entries()) {
    if (isUnfit?.(value, index)) {
      list.push(null);
      continue;
    }
    const itemPlace = { holder: list, key: index, isNullable: field.areItemsNullable, parent: place };
    list.push(completeItem(field, { value, place: itemPlace, errorPlace: place, completion }));
  }
  return list;
}

/** Completes a single value, which fits. */
function completeItem(
  field: StoredProgram,
  {
    value,
    place,
    errorPlace,
    completion,
  }: { value: Json; place: Place; errorPlace: Place; completion: Completion },
): unknown {
  if (value === null) return null;
  if (field.kind === 'leaf') return completeLeaf(field, value, completion);
  // The shape of embedded values and of references was checked: both are objects.
  const source = value as JsonObject;
  if (field.kind === 'embedded') return completeObject(field.select(source), { source, place, completion });
  completion.references.push({ id: String(source._ref), place, errorPlace, field });
  return null;
}

/** Where a value is in the data. */
export interface Place {
  /** The object or the list that has the value. */
  readonly holder: Record<string, unknown> | unknown[];
  readonly key: string | number;
  readonly isNullable: boolean;
  /** The place of `holder`; absent when that is the data itself. */
  readonly parent: Place | undefined;
}

/** An error, with the fields of the document that it belongs to. */
interface PlacedError {
  readonly error: unknown;
  /** The place that has caused the error, if it is below the one that fails. */
  readonly cause?: Place;
  readonly nodes: readonly FieldNode[];
}

/** The data of a response while it is completed. */
export type PlacedData = ReturnType<typeof createPlacedData>;

/** Creates empty data. At most `maxErrors` errors with the same cause are recorded, since all of their places become null alike. */
export function createPlacedData(maxErrors: number) {
  const data = createBareObject();
  const errors: GraphQLError[] = [];
  const causes = new Map<unknown, number>();
  let isNull = false;

  function record(place: Place, { error, nodes }: PlacedError): void {
    const count = (causes.get(error) ?? 0) + 1;
    causes.set(error, count);
    if (count <= maxErrors) errors.push(locatedError(error, [...nodes], pathOf(place)));
  }

  return {
    data,
    errors,
    /** Tells whether an error has made the data as a whole null. */
    isNull: () => isNull,
    /** Puts null at a place, or at the nearest one above it that may be null. Does nothing where that has happened already. */
    fail(place: Place, error: PlacedError) {
      if (isNull || !isLive(error.cause ?? place)) return;
      record(place, error);
      const nulled = nearestNullable(place);
      if (nulled) setValue(nulled, null);
      else isNull = true;
    },
  };
}

function pathOf(place: Place): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at: Place | undefined = place; at; at = at.parent) path.push(at.key);
  return path.reverse();
}

const valueAt = ({ holder, key }: Place): unknown => Reflect.get(holder, key);

/** Puts a value at a place. */
export function setValue({ holder, key }: Place, value: unknown): void {
  if (Array.isArray(holder)) holder[Number(key)] = value;
  else holder[key] = value;
}

/** Tells whether no place above has become null. */
function isLive(place: Place): boolean {
  for (let at = place; at.parent; at = at.parent) if (valueAt(at.parent) !== at.holder) return false;
  return true;
}

function nearestNullable(place: Place): Place | undefined {
  let at: Place | undefined = place;
  while (at && !at.isNullable) at = at.parent;
  return at;
}
