import { describe, expect, it } from 'vitest';
import { isDomainError } from '../../../../src/base/errors.ts';
import { scanJson } from '../../../../src/model/values/parse-json.ts';

const limits = { maxDepth: 10, maxValues: 5, maxMembers: 3 };

/** Returns the code of the error, or `undefined` when the text is within the limits. */
function codeOf(json: string): string | undefined {
  try {
    scanJson(json, limits);
    return undefined;
  } catch (error) {
    if (!isDomainError(error)) throw error;
    return error.code;
  }
}

describe('a JSON text within the limit of values', () => {
  it.each([
    ['a list', '[1,2,3,4]'],
    ['a list with blanks', ' [ 1 ,\n2\t, 3 ,4 ] '],
    ['an object and its members', '{"a":1,"b":{"c":"d"},"e":null}'],
    ['empty lists and objects', '[[],{},[ ],{ }]'],
    ['lists within each other', '[[[[1]]]]'],
    ['commas, colons and brackets within strings', '["a,b,c,d","[{:,:,:,:}]"]'],
    ['escaped quotes', String.raw`["\",\",\",\"","\\",",,,,"]`],
    ['a string that does not end', '["a,b,c,d,e,f,g'],
    ['a backslash at the end', '["a,b,c,d,e,f\\'],
  ])('%s', (_name, json) => {
    expect(codeOf(json)).toBeUndefined();
  });
});

describe('a JSON text beyond a limit', () => {
  it.each([
    ['a list', '[1,2,3,4,5]'],
    ['objects in a list', '[{"a":1},{"b":2},{}]'],
    ['empty lists', '[[],[],[],[],[]]'],
    ['lists within each other', '[[[[[1]]]]]'],
    ['an object of too many members', '{"a":1,"b":2,"c":3,"d":4}'],
    ['too many members behind an inner object', '{"a":{},"b":2,"c":3,"d":4}'],
    ['values behind a string with escapes', String.raw`["\\\"",2,3,4,5]`],
  ])('%s', (_name, json) => {
    expect(codeOf(json)).toBe('too_many_values');
  });

  it('counts the members of each object alone', () => {
    const scan = () => scanJson('[{"a":1,"b":2,"c":3},{"a":1,"b":2,"c":3}]', { ...limits, maxValues: 20 });
    expect(scan()).toMatchObject({ members: 6, values: 9, mostMembers: 3 });
  });

  it('is not refused where no limit is given', () => {
    expect(scanJson('[1,2,3,4,5,6]', { maxDepth: 1 })).toMatchObject({ members: 0, values: 7 });
  });
});
