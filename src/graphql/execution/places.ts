/**
 * Places in the data of a response: their paths, and errors that put null there or, where null is not allowed, further up.
 */

import { type FieldNode, type GraphQLError, locatedError } from 'graphql';
import { createBareObject } from '../../base/own-members.ts';

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
export interface PlacedError {
  readonly error: unknown;
  /** The place that has caused the error, if it is below the one that fails. */
  readonly cause?: Place;
  readonly nodes: readonly FieldNode[];
}

/** The data of a response while it is completed. */
export interface PlacedData {
  readonly data: Record<string, unknown>;
  readonly errors: readonly GraphQLError[];
  /** Tells whether an error has made the data as a whole null. */
  isNull(): boolean;
  /** Puts null at a place, or at the nearest one above it that may be null. Does nothing where that has happened already. */
  fail(place: Place, error: PlacedError): void;
}

/** Creates empty data. At most `maxErrors` errors with the same cause are recorded, since all of their places become null alike. */
export function createPlacedData(maxErrors: number): PlacedData {
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
    isNull: () => isNull,
    fail(place, error) {
      if (isNull || !isLive(error.cause ?? place)) return;
      record(place, error);
      const nulled = nearestNullable(place);
      if (nulled) setValue(nulled, null);
      else isNull = true;
    },
  };
}

/** Returns the path of a place. */
export function pathOf(place: Place): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at: Place | undefined = place; at; at = at.parent) path.push(at.key);
  return path.reverse();
}

/** Returns the value at a place. */
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
