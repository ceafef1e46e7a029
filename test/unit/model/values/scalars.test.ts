import { buildSchema, isInputType } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../../src/base/errors.ts';
import { defineScalars } from '../../../../src/graphql/schema/executable-schema.ts';
import { checkJson } from '../../../../src/mapping/variables/check-json.ts';
import { convertText } from '../../../../src/mapping/variables/convert-text.ts';
import { type ScalarName, scalarNames } from '../../../../src/model/content-type.ts';
import { scalars } from '../../../../src/model/values/scalars.ts';
import { compileScalar } from '../../../../src/model/values/validate-scalar.ts';
import { checkPredicate } from '../../../../src/query/check.ts';
import { parsePredicate } from '../../../../src/query/parse.ts';
import { bindPredicate } from '../../../../src/query/prepare.ts';
import { libraryCatalog } from '../../../support/catalog.ts';

describe('the table of scalars', () => {
  it('has a row for each name, in the order of the names', () => {
    expect(Object.keys(scalars).toSorted()).toEqual(scalarNames.toSorted());
  });

  it.each<[ScalarName, text: string, value: unknown]>([
    ['String', '5', '5'],
    ['Int', '-0', 0],
    ['Int', '1e3', undefined],
    ['EpochMillis', '1700000000000', 1_700_000_000_000],
    ['EpochMillis', '9007199254740993', undefined],
    ['Float', '1e3', 1000],
    ['Float', '.5', undefined],
    ['Boolean', 'true', true],
    ['Boolean', 'TRUE', undefined],
    ['JSON', '{}', '{}'],
  ])('reads %s from the text %j', (name, text, value) => {
    expect(scalars[name].fromText(text)).toEqual(value);
  });
});

const catalog = libraryCatalog();
const type = { kind: 'scalar', name: 'EpochMillis', nullable: false } as const;

function compare(where: string, values: readonly unknown[]) {
  const predicate = parsePredicate(where);
  const checked = checkPredicate({ catalog, root: ['library.Book'], predicate });
  return bindPredicate(checked, values);
}

function coerce(value: number) {
  const schema = buildSchema(scalarNames.map((name) => `scalar ${name}`).join(' '));
  defineScalars(schema);
  const scalar = schema.getType('EpochMillis');
  if (!isInputType(scalar) || !('coerceInputValue' in scalar)) throw new Error('no scalar EpochMillis');
  return scalar.coerceInputValue(value);
}

function store(value: number) {
  const problems: Problem[] = [];
  compileScalar('EpochMillis', {})(value, 'at', { problems, hints: true });
  if (problems.length > 0) throw new Error(problems[0]?.message);
}

describe('EpochMillis has the range of a JavaScript date', () => {
  const surfaces: [name: string, take: (value: number) => unknown][] = [
    ['in an asset', store],
    ['in a predicate', (value) => compare(`printed < ${value}`, [])],
    ['as the value of a placeholder', (value) => compare('printed < ?', [value])],
    ['as the text of a placeholder', (value) => compare('printed < ?', [String(value)])],
    ['in a query string of a route', (value) => convertText(String(value), type, 'at')],
    ['in a body of a route', (value) => checkJson(value, type, 'at')],
    ['as a variable of GraphQL', coerce],
  ];

  it.each(surfaces)('%s', (_name, take) => {
    for (const value of [8.64e15, -8.64e15, 0]) expect(() => take(value)).not.toThrow();
    for (const value of [8.64e15 + 1, -8.64e15 - 1, 0.5]) {
      expect(() => take(value)).toThrow('a whole number of milliseconds since 1970');
    }
  });
});
