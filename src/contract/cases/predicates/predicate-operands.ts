/**
 * Operands to compare a path with: values that some assets have, parts and other spellings of them, and values that no asset has;
 * each as predicate text and as a value for `?`.
 */
import type { Asset, ScalarName } from '../../../model/content-type.ts';
import type { FieldPath, LeafType } from '../../../model/field-path.ts';
import type { BoundValue } from '../../../query/ast.ts';
import {
  familyOf,
  isEquality,
  isOrdering,
  isRichText,
  type Operator,
  operatorFits,
  type ValueFamily,
} from '../../../query/operators.ts';
import { toWrittenValue } from '../../../query/order-keys.ts';
import { findValues } from '../../../query/path-values.ts';
import { toWords } from '../../../query/text.ts';

/** Collects the values of a path in some assets, referenced ones included. */
export function valuesOf(
  assets: readonly Asset[],
  path: FieldPath,
  resolve: (id: string) => Asset | undefined,
): readonly BoundValue[] {
  const here = assets.flatMap((asset) => findValues(asset, path));
  const { through } = path;
  if (!through) return [...new Set(here)];
  return valuesOf(
    here.flatMap((id) => resolve(String(id)) ?? []),
    through.path,
    resolve,
  );
}

/** Operands for an operator, of the kind of the path's field; none when the operator does not apply. */
export function operandsFor({
  operator,
  leaf,
  present,
}: {
  operator: Operator;
  leaf: LeafType;
  present: readonly BoundValue[];
}): BoundValue[] {
  const family = familyOf(leaf);
  if (!operatorFits(operator, family) || family === 'opaque') return [];
  const [found] = present;
  if (found === undefined) return [];
  const value = toWrittenValue({ leaf }, found);
  if (isEquality(operator)) return [value, ...absentOf(leaf)];
  if (isOrdering(operator)) return [value];
  const text = String(value);
  const [word = text, other = text] = toWords(text, { richText: isRichText(leaf) });
  switch (operator) {
    case 'startsWith':
      return [startOf(text)];
    case 'contains':
      return [[...text].slice(1, 4).join('') || text];
    case 'matches':
      return [`${word} nosuchword`];
    case 'matchesAll':
      return [`${other} ${word}`, `${word} nosuchword`];
  }
}

/** Values of the kind that no asset has. */
function absentOf(leaf: LeafType): BoundValue[] {
  if (leaf.kind === 'id') return [absentId];
  if (leaf.kind === 'enum') return [];
  return (leaf.kind === 'scalar' && absentTexts[leaf.scalar]) || absentValues[familyOf(leaf)];
}

const absentId = '00000000-0000-4000-8000-000000000000';
const absentValues: Readonly<Record<ValueFamily, BoundValue[]>> = {
  text: ['no \' such \\ " text'],
  number: [-7],
  boolean: [false],
  reference: [absentId],
  ordered: [],
  type: [],
  opaque: [],
};

const absentTexts: { readonly [name in ScalarName]?: BoundValue[] } = {
  Date: ['0001-01-01'],
  DateTime: ['0001-01-01T00:00:00.000001Z'],
  Decimal: ['-7.000000001'],
};

const startOf = (text: string) => [...text].slice(0, 3).join('');

/** A value as a literal: texts in quotes of either kind, numbers and truth values bare. */
export function toLiteral(value: BoundValue, quotes: "'" | '"' = "'"): string {
  if (typeof value !== 'string') return String(value);
  return `${quotes}${value.replaceAll('\\', '\\\\').replaceAll(quotes, `\\${quotes}`)}${quotes}`;
}

/** The value with its letter case swapped. */
export function inOtherCase(value: BoundValue): BoundValue {
  if (typeof value !== 'string') return value;
  const upper = value.toUpperCase();
  return upper === value ? value.toLowerCase() : upper;
}
