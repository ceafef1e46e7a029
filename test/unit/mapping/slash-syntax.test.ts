/** Slash syntax tested with a printer: every printed value is read back unchanged. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDomainError } from '../../../src/base/errors.ts';
import { createVariableReader } from '../../../src/mapping/variables/variables.ts';
import type { JsonObject } from '../../../src/model/content-type.ts';
import { declare, filter, list, scalar, status, sure } from './input-types.ts';

const variables = declare({
  text: scalar('String'),
  int: scalar('Int'),
  float: scalar('Float'),
  at: scalar('EpochMillis'),
  bool: scalar('Boolean'),
  status,
  tags: list(sure(scalar('String'))),
  matrix: list(list(scalar('Int'))),
  json: scalar('JSON'),
  filter,
  filters: list(sure(filter)),
});

const reader = createVariableReader({ variables, disableSlashSyntax: false });

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const int = fc.integer();
const some = <Value>(value: fc.Arbitrary<Value>) => fc.array(value, { maxLength: 4 });

/** JSON that slash syntax can express: no empty objects, and no special characters in names. */
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    text,
    some(tie('json')),
    fc.dictionary(
      text.filter((name) => name !== '' && name !== '__proto__' && !/[/[\]]/.test(name)),
      tie('json'),
      { minKeys: 1, maxKeys: 3 },
    ),
  ),
}));

const { filterValue } = fc.letrec<{ filterValue: unknown }>((tie) => ({
  filterValue: fc.record(
    {
      text,
      min: int,
      sure: int,
      status: fc.constantFrom('DRAFT', 'LIVE'),
      tags: some(text),
      extra: json,
      not: fc.oneof({ maxDepth: 2 }, fc.constant({ text: 'a' }), tie('filterValue')),
      any: some(fc.oneof({ maxDepth: 1 }, fc.constant({ text: 'b' }), tie('filterValue'))),
    },
    { requiredKeys: ['text'], noNullPrototype: true },
  ),
}));

const values = fc.record(
  {
    text,
    int,
    float: fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    at: fc.integer({ min: -8.64e15, max: 8.64e15 }),
    bool: fc.boolean(),
    status: fc.constantFrom('DRAFT', 'LIVE'),
    tags: some(text),
    matrix: some(some(int)),
    json,
    filter: filterValue,
    filters: some(filterValue),
  },
  { requiredKeys: [], noNullPrototype: true },
);

type Pair = [name: string, text?: string];

/** The parameters of a value; lists of plain values are appended to or indexed. */
function print(value: unknown, name: string, appends: boolean): Pair[] {
  if (Array.isArray(value)) {
    if (value.length === 0) return [[`${name}[]`]];
    const canAppend = appends && value.every((item) => typeof item !== 'object');
    return value.flatMap((item, index) => print(item, `${name}[${canAppend ? '' : index}]`, appends));
  }
  if (typeof value !== 'object' || value === null) return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, inner]) => print(inner, `${name}/${key}`, appends));
}

function printAll(variableValues: object, appends: boolean): Pair[] {
  return Object.entries(variableValues).flatMap(([name, value]) => print(value, name, appends));
}

const depthOf = (name: string) => name.split(/\/|\[/).length;

const encode = (pairs: readonly Pair[]) =>
  pairs.map((pair) => pair.map((part) => encodeURIComponent(part ?? '')).join('=')).join('&');

describe('variables written in slash syntax', () => {
  it('are read back unchanged', () => {
    fc.assert(
      fc.property(values, fc.boolean(), (given, appends) => {
        const pairs = printAll(given, appends);
        fc.pre(pairs.every(([name]) => depthOf(name) <= 8));
        expect(reader.read({ query: encode(pairs) })).toEqual(given);
      }),
      { numRuns: 100 },
    );
  });

  it('are read back unchanged in any order, encoded as forms are', () => {
    const shuffled = values.chain((given) =>
      fc.tuple(
        fc.constant(given),
        fc.shuffledSubarray(printAll(given, false), { minLength: printAll(given, false).length }),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([given, pairs]) => {
        fc.pre(pairs.every(([name]) => depthOf(name) <= 8));
        expect(reader.read({ query: encode(pairs).replaceAll('%20', '+') })).toEqual(given);
      }),
      { numRuns: 50 },
    );
  });

  it('turn any query string into variables or into a refusal that names a parameter', () => {
    const scrap = fc.constantFrom(
      ...[
        'filter',
        'json',
        'tags',
        'matrix',
        'text',
        '__proto__',
        'x',
        '/',
        '[',
        ']',
        '[]',
        '[0]',
        '[1]',
        '=',
      ],
      ...['&', '=1&', '%', '%5B', '%2F', '+', '\0', '😀', 'DRAFT'],
    );
    fc.assert(
      fc.property(fc.array(scrap, { maxLength: 25 }), (scraps) => {
        try {
          const read: JsonObject = JSON.parse(JSON.stringify(reader.read({ query: scraps.join('') })));
          expect(
            Object.keys(read).filter((name) => !variables.some((variable) => variable.name === name)),
          ).toEqual([]);
        } catch (error) {
          if (!isDomainError(error, 'invalid_parameter')) throw error;
          expect(error.message).toContain(error.details.reason);
        }
      }),
      { numRuns: 1_500 },
    );
  });
});
