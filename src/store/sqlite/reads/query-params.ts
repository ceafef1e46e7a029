/**
 * Collects the parameters of a statement while it is compiled.
 */
import type { BoundValue } from '../../../query/ast.ts';

/** Starts a list of parameters. Equal values share one, because the select of each type compares with the same values. */
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
