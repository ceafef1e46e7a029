import { describe, expect, it } from 'vitest';
import {
  joinConditions,
  quote,
  splitConditions,
} from '../../../src/admin/pages/content/list/filter/conditions.ts';
import { parsePredicate } from '../../../src/query/parse.ts';
import { printPredicate } from '../../../src/query/print.ts';

const same = (text: string) => printPredicate(parsePredicate(text));

describe('the conditions of a predicate', () => {
  it.each([
    ['', []],
    ['a = 1', ['a = 1']],
    [
      "a = 'x and y' AND tags in [b, 'and'] && not (c = 1 and d = 2)",
      ["a = 'x and y'", "tags in [b, 'and']", 'not (c = 1 and d = 2)'],
    ],
    ['a = 1 or b = 2 and c = 3', ['a = 1 or b = 2 and c = 3']],
    ['(a = 1 or b = 2) and c = 3', ['(a = 1 or b = 2)', 'c = 3']],
    ["a = 'it\\'s' and b = 1", ["a = 'it\\'s'", 'b = 1']],
  ])('of %s are joined by and', (where, conditions) => {
    expect(splitConditions(where)).toEqual(conditions);
    if (where !== '') expect(same(joinConditions(conditions))).toBe(same(where));
  });

  it('keep their meaning beside another one', () => {
    const joined = joinConditions([...splitConditions('a = 1 or b = 2'), 'c = 3']);
    expect(same(joined)).toBe(same('(a = 1 or b = 2) and c = 3'));
  });

  it('contain any text as it is', () => {
    for (const text of ["it's", '\\', '"', 'a\nb', '\u202e', '']) {
      expect(parsePredicate(`a = ${quote(text)}`)).toMatchObject({ operand: { kind: 'text', text } });
    }
  });
});
