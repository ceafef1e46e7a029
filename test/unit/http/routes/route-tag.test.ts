import { describe, expect, it } from 'vitest';
import {
  parseRouteTags,
  printRouteTag,
  toBodyHash,
  toStateName,
} from '../../../../src/http/routes/route-answers.ts';

const [state, hash] = [toStateName(['a', 'b']), toBodyHash('{}')];

describe('the ETag of a mapped route', () => {
  it.each([
    { state, hash, isCompressible: true },
    { state, hash, isCompressible: false },
    { state: undefined, hash, isCompressible: true },
    { state: undefined, hash, isCompressible: false },
  ])('is parsed as it was printed, strong or weak: %j', (tag) => {
    const strong = printRouteTag(tag, { isCompressed: false });
    const weak = printRouteTag(tag, { isCompressed: true });
    expect(strong).toMatch(/^"[\w-]{27,44}"$/);
    expect(weak).toBe(`W/${strong}`);
    expect([parseRouteTags(strong), parseRouteTags(weak)]).toEqual([[tag], [tag]]);
  });

  it('is found in a list with ETags of other forms', () => {
    const tag = printRouteTag({ state, hash, isCompressible: false }, { isCompressed: false });
    const header = ` "other",W/${tag} , "", ${tag.slice(1, -1)}, x${tag}, "a.b"`;
    expect(parseRouteTags(header)).toEqual([{ state, hash, isCompressible: false }]);
    expect([parseRouteTags(undefined), parseRouteTags(''), parseRouteTags('"a", *')]).toEqual([[], [], '*']);
  });

  it('names another state when any part differs', () => {
    const names = [
      ['a', 'b'],
      ['a', 'c'],
      ['b', 'b'],
      ['ab', ''],
    ].map(toStateName);
    expect(new Set(names).size).toBe(4);
  });
});
