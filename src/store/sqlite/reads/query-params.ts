/**
 * The parameters of a statement while it is compiled.
 */
import type { BoundValue } from '../../../query/ast.ts';

/** Equal values share a parameter: each type's select, and each target's, compares with the same ones. */
export function createParams() {
  const values: (string | number)[] = [];
  const names = new Map<string | number, string>();
  const add = (value: BoundValue): string => {
    const bound = typeof value === 'boolean' ? Number(value) : value;
    const name = names.get(bound) ?? `?${values.push(bound)}`;
    names.set(bound, name);
    return name;
  };
  return { values, add };
}
