/**
 * Checks the predicate of a list as far as the document gives it: the text of `where`, and the `values` for its placeholders.
 */
import { type FieldNode, type GraphQLScalarType, Kind, type ValueNode, visit } from 'graphql';
import { isDomainError, locateError } from '../../base/errors.ts';
import { count } from '../../base/problems.ts';
import type { Catalog } from '../../model/content-type.ts';
import { bindPredicate, checkValue } from '../../query/bind.ts';
import { type CheckedPredicate, checkPredicate } from '../../query/check.ts';
import { parsePredicate } from '../../query/parse.ts';
import type { DocumentProblem } from '../operation.ts';
import { positionOf } from '../operations/read-document.ts';
import type { KnownValue, KnownValues } from './known-argument.ts';
import { positionInString } from './position-in-string.ts';

/** The context of a check: the assets that the predicate filters, and a reader of literals. */
export interface WhereSetting {
  readonly catalog: Catalog;
  readonly classes: readonly string[];
  readonly json: GraphQLScalarType;
  readonly known: KnownValues;
}

/**
 * Finds all problems of the predicate of a list. The default of a variable is checked as text only: a request can send another
 * predicate, so the number of its values cannot be checked here.
 */
export function checkWhere(field: FieldNode, setting: WhereSetting): DocumentProblem[] {
  const { catalog, classes, known } = setting;
  const where = known.argument(field, 'where');
  const values = known.fixed(field, 'values');
  const items = known.items(values);
  if (where === 'unknown') return [];
  const isFixed = known.fixed(field, 'where') !== 'unknown' && items !== 'unknown';
  if (where === 'absent') return isFixed ? checkUnused(items) : [];
  if (where.kind !== Kind.STRING) return [];
  let checked: CheckedPredicate;
  try {
    checked = checkPredicate({ catalog, classes, predicate: parsePredicate(where.value) });
  } catch (error) {
    return [{ message: `where: ${reasonOf(error)}`, ...positionInString(where, columnOf(error)) }];
  }
  return isFixed ? checkItems(checked, { where, values, items }, setting) : [];
}

function checkUnused([first]: readonly ValueNode[]): DocumentProblem[] {
  return first ? [{ message: 'values: needs a predicate in "where" to fill', ...positionOf(first) }] : [];
}

function checkItems(
  checked: CheckedPredicate,
  { where, values, items }: { where: ValueNode; values: KnownValue; items: readonly ValueNode[] },
  { json }: WhereSetting,
): DocumentProblem[] {
  const at = positionOf(typeof values === 'string' ? where : values);
  if (items.length !== checked.placeholders) {
    const placeholders = count(checked.placeholders, 'placeholder');
    const message = `values: the predicate has ${placeholders}, and there ${isOrAre(items.length)}`;
    return [{ message, ...at }];
  }
  const given = items.map((item) => readLiteral(item, json));
  const problems = items.flatMap((item, index) => {
    const value = given[index];
    return value ? problemOf(() => checkValue(checked, index, value.json), positionOf(item)) : [];
  });
  if (problems.length > 0 || given.includes(undefined)) return problems;
  return problemOf(
    () =>
      bindPredicate(
        checked,
        given.map((value) => value?.json),
      ),
    at,
  );
}

const isOrAre = (length: number) => `${length === 1 ? 'is' : 'are'} ${count(length, 'value')}`;

/** Reads a literal; returns nothing when it contains a variable or GraphQL refuses it. */
function readLiteral(value: ValueNode, json: GraphQLScalarType): { json: unknown } | undefined {
  if (hasVariable(value)) return undefined;
  try {
    return { json: json.parseLiteral(value, undefined) };
  } catch {
    return undefined;
  }
}

function hasVariable(value: ValueNode): boolean {
  let found = false;
  visit(value, {
    Variable() {
      found = true;
    },
  });
  return found;
}

function problemOf(check: () => unknown, place: { line: number; column: number }): DocumentProblem[] {
  try {
    check();
    return [];
  } catch (error) {
    return [{ message: `values: ${reasonOf(error)}`, ...place }];
  }
}

/** Returns the message of an expected error, without the column in the predicate. Rethrows any other error. */
function reasonOf(error: unknown): string {
  if (!isDomainError(error)) throw error;
  return error.message.replace(/^Column \d+: /, '');
}

function columnOf(error: unknown): number {
  const { column = 1 } = isDomainError(error) ? locateError(error) : {};
  return column;
}
