/**
 * Wrong predicates: each is answered 400 with its own code, and with a column when the mistake lies in the text.
 */
import { memberOf } from '../../apis/api-under-test.ts';
import type { CmaUnderTest } from '../../apis/cma-under-test.ts';
import { assertSame, type CaseGroup, toCase } from '../../case.ts';

interface Wrong {
  readonly title: string;
  readonly where: string;
  readonly values?: readonly string[];
  readonly code: string;
  readonly column?: number;
}

const zero = '00000000-0000-4000-8000-000000000000';

const wrongPredicates: readonly Wrong[] = [
  { title: 'is empty', where: '', code: 'predicate_syntax', column: 1 },
  { title: 'ends after a path', where: '_id', code: 'predicate_syntax', column: 4 },
  { title: 'ends after an operator', where: '_id = ', code: 'predicate_syntax', column: 7 },
  { title: 'lacks an operator', where: `_id ${zero}`, code: 'predicate_syntax', column: 5 },
  { title: 'leaves a parenthesis open', where: '(true', code: 'predicate_syntax', column: 6 },
  { title: 'closes a parenthesis that is not open', where: 'true)', code: 'predicate_syntax', column: 5 },
  { title: 'leaves a quote open', where: "_id = 'abc", code: 'predicate_syntax' },
  { title: 'continues after its end', where: 'true true', code: 'predicate_syntax', column: 6 },
  { title: 'leaves a condition on items out', where: '_id any true', code: 'predicate_syntax', column: 9 },
  {
    title: 'is about the items of what is no list',
    where: '_id any (true)',
    code: 'predicate_type',
    column: 1,
  },
  {
    title: 'compares what is no list with an empty one',
    where: '_id = []',
    code: 'predicate_type',
    column: 7,
  },
  { title: 'names an unknown field', where: 'true and noSuchField = 1', code: 'unknown_field' },
  { title: 'names a member of every JavaScript object', where: "__proto__ = 'x'", code: 'unknown_field' },
  {
    title: 'compares an _id with a text that is not a UUID',
    where: "true and _id = 'x'",
    code: 'predicate_type',
    column: 16,
  },
  { title: 'has too few values', where: '_id = ? or _id = ?', values: [zero], code: 'values_mismatch' },
  { title: 'has too many values', where: '_id = ?', values: [zero, zero], code: 'values_mismatch' },
  {
    title: 'has a value of another type',
    where: '_id = ?',
    values: ['x'],
    code: 'predicate_type',
    column: 7,
  },
];

/** Yields the cases on the first type, and queries from unknown types. */
export function* wrongPredicateCases(cma: CmaUnderTest): CaseGroup {
  const [type] = cma.types.types;
  if (!type) return;
  for (const { title, where, values = [], code, column } of wrongPredicates) {
    yield toCase('queryAssets', `400 a predicate that ${title}`, async () => {
      const query = [['from', type.class], ['where', where], ...values.map((value) => ['values', value])];
      const request = { method: 'GET', path: cma.path, query: query as [string, string][] };
      const { body } = await cma.call(request, 400);
      const error = { code: memberOf(body, 'error', 'code'), column: memberOf(body, 'error', 'column') };
      const expected = { code, column: column ?? error.column };
      assertSame({ what: 'the error', received: error, expected, request });
    });
  }
  for (const from of ['com.example.NoSuchType', zero, '__proto__']) {
    yield toCase('queryAssets', `400 from ${from}, which is not a type`, async () => {
      const { body } = await cma.call(cma.find({ from }), 400);
      assertSame({ what: 'the code', received: memberOf(body, 'error', 'code'), expected: 'unknown_type' });
    });
  }
  yield toCase('queryAssets', '400 values without a predicate', async () => {
    await cma.call(cma.find({ from: type.class, values: ['x'] }), 400);
  });
}
