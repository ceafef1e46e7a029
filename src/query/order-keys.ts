/**
 * The keys by which stores order, compare and index values. Where a database orders values as `sort.ts` does, a value is its own key.
 */
import type { Asset } from '../model/content-type.ts';
import type { FieldPath, LeafType } from '../model/field-path.ts';
import type { BoundValue } from './ast.ts';
import { familyOf, textOrderOf } from './operators.ts';
import { findValues } from './path-values.ts';

/** The key of a value: absent values, which have none, sort first. */
export type OrderKey = string | number;

/** The number of these rules. Raise it when the key of any value changes: indexes record it. */
export const orderKeyVersion = 1;

/** Names the rule that orders the values of a path: the scalar of `ordered` values, the family of all others. */
export const orderRuleOf = (leaf: LeafType): string =>
  leaf.kind === 'scalar' && textOrderOf(leaf) ? leaf.scalar : familyOf(leaf);

/** Returns the key of a value: a truth value as a number. */
const toOrderKey = (value: BoundValue): OrderKey => (typeof value === 'boolean' ? Number(value) : value);

/** Returns the keys of the values of a path within an asset. */
export const findOrderKeys = (asset: Asset, path: FieldPath): OrderKey[] =>
  findValues(asset, path).map(toOrderKey);

/** Returns a value as clients write it: the text that stands for a key. */
export function toWrittenValue({ leaf }: Pick<FieldPath, 'leaf'>, value: BoundValue): BoundValue {
  const order = textOrderOf(leaf);
  return order && typeof value === 'string' ? order.fromKey(value) : value;
}
