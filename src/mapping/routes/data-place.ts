/**
 * Places in the data of an operation, named by JSON Pointers (RFC 6901) such as `/articleList/items`.
 *
 * A pointer is checked against the shape of the data, so a place exists in every response, or an object, a list or a field above it is
 * null, too short or left out; then the value of the place is null.
 */
import type { OutputShape, OutputType } from '../../graphql/operation.ts';
import { suggest } from '../../text/suggest.ts';

/** The names and indexes that lead to a value in the data. */
export type DataPath = readonly (string | number)[];

export interface DataPlace {
  readonly path: DataPath;
  /** One type for each group of concrete types that are selected alike on the way. */
  readonly types: readonly OutputType[];
  /** Whether the value can be null. */
  readonly nullable: boolean;
}

/** Finds the place of a pointer; returns the problem of the pointer, to follow the name of its member, if there is none. */
export function findPlace(shape: OutputShape, pointer: string): DataPlace | string {
  if (!pointer.startsWith('/')) return 'must begin with / and name a field of the data';
  const data: OutputType = { kind: 'object', shapes: [shape], nullable: false };
  let place: DataPlace = { path: [], types: [data], nullable: false };
  for (const step of pointer.slice(1).split('/')) {
    const next = stepInto(place, step);
    if (typeof next === 'string') return next;
    place = next;
  }
  return place;
}

function stepInto({ path, types, nullable }: DataPlace, step: string): DataPlace | string {
  const at = path.length === 0 ? 'the data' : `/${path.join('/')}`;
  const next: OutputType[] = [];
  let mayLack = nullable;
  for (const type of types) {
    if (type.kind === 'list') {
      if (!/^(0|[1-9]\d{0,8})$/.test(step)) return `must have an index behind ${at}, which is a list`;
      next.push(type.of);
      mayLack = true;
    } else if (type.kind === 'object') {
      for (const shape of type.shapes) {
        const member = shape.get(step);
        if (!member) {
          return `names ${JSON.stringify(step)}, which ${at} does not always have${suggest([step], shape.keys())}`;
        }
        next.push(member.type);
        mayLack ||= member.optional;
      }
    } else return `must end at ${at}, which has no fields`;
  }
  const isNumber = types[0]?.kind === 'list';
  return {
    path: [...path, isNumber ? Number(step) : step],
    types: next,
    nullable: mayLack || next.some((type) => type.nullable),
  };
}

export function readPlace(data: unknown, path: DataPath): unknown {
  let value = data;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return null;
    // The steps of a checked place are names of objects and indexes of lists.
    value = (value as Readonly<Record<string | number, unknown>>)[step];
  }
  return value ?? null;
}

/** Tells whether the value at an error's path is, contains or is part of the value of a place. */
export function concernsPlace(errorPath: DataPath, place: DataPath): boolean {
  return errorPath.slice(0, place.length).every((step, index) => step === place[index]);
}
