/**
 * Shows the fields of a backfill to people and programs: the present class name, and both names of the field as paths.
 */
import type { Catalog } from '../../model/content-type.ts';

/** A renamed field; both paths are in JSON names, such as `address.city`. */
export interface ShownField {
  /** The present class name. */
  readonly type: string;
  readonly formerPath: string;
  readonly path: string;
}

/** A renamed field as a backfill knows it: the former names from the outermost field on, and the present name of the field itself. */
interface RenamedField {
  readonly type: string;
  readonly path: readonly string[];
  readonly name: string;
}

/** Shows fields in their order; `type` of `fields` may be a present or a former class name. */
export function showFields(catalog: Catalog, fields: readonly RenamedField[]): ShownField[] {
  const names = new Map(fields.map(({ type, path, name }) => [keyOf(type, path), name]));
  return fields.map(({ type, path }) => ({
    type: catalog.find(type)?.class ?? type,
    formerPath: path.join('.'),
    path: path.map((step, n) => names.get(keyOf(type, path.slice(0, n + 1))) ?? step).join('.'),
  }));
}

const keyOf = (type: string, path: readonly string[]) => JSON.stringify([type, ...path]);
