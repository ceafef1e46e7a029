import { describe, expect, it } from 'vitest';
import { withoutSecrets } from '../../../src/admin/pages/rest-endpoint/try-it/remembered-values.ts';
import { readHeaders } from '../../../src/admin/pages/rest-endpoint/try-it/request.ts';
import { pairOf } from '../../../src/admin/pages/rest-endpoint/versions/compared-pair.ts';

describe('what the browser keeps of a trial', () => {
  it('has no variables and headers that may be secret', () => {
    expect(
      withoutSecrets({
        method: 'POST',
        variables: {
          keyword: 'a',
          monkey: 'b',
          accessToken: 'c',
          newPassword: 'd',
          api_key: 'e',
          ClientSecret: 'f',
        },
        headers: 'if-none-match: *\nAuthorization: g\nX-Own: h\n X-Run : i\nnonsense',
      }),
    ).toEqual({
      method: 'POST',
      variables: { keyword: 'a', monkey: 'b' },
      headers: 'if-none-match: *\n X-Run : i',
    });
  });
});

describe('typed headers', () => {
  it('are read line by line', () => {
    expect(readHeaders('If-None-Match:  "a:b" \n\n x-run:\tnight')).toEqual({
      headers: { 'If-None-Match': '"a:b"', 'x-run': 'night' },
    });
    expect(readHeaders('')).toEqual({ headers: {} });
  });

  it.each([
    ['X-Run', 'Line 1: not a name, a colon and a value of ASCII characters'],
    ['X-Run: a\nX Run: b', 'Line 2: not a name, a colon and a value of ASCII characters'],
    ['X-Run: ü', 'Line 1: not a name, a colon and a value of ASCII characters'],
    ['x-api-key: a', 'Line 1: x-api-key has a field of its own'],
    ['Cookie: a=b', 'Line 1: browsers do not let a page set Cookie'],
    ['X-Run: a\nx-run: b', 'Line 2: x-run is given twice'],
  ])('%j are refused: %s', (text, problem) => {
    expect(readHeaders(text)).toEqual({ problem });
  });
});

describe('the versions that are compared', () => {
  const toVersions = (...actions: readonly ('SAVED' | 'PUBLISHED' | 'UNPUBLISHED')[]) =>
    actions
      .map((action, index) => ({ number: index + 1, action, savedAt: 0, savedBy: 'a test', name: 'News' }))
      .toReversed();
  const pair = (address: string, versions: ReturnType<typeof toVersions>, published?: number) => {
    const { before, after } = pairOf(new URLSearchParams(address), versions, published) ?? {};
    return [before, after];
  };

  it('are the published one and the draft, unless the address names others', () => {
    const versions = toVersions('SAVED', 'PUBLISHED', 'SAVED', 'SAVED');
    expect(pair('', versions, 2)).toEqual([2, 4]);
    expect(pair('from=1', versions, 2)).toEqual([1, 4]);
    expect(pair('from=3&to=1', versions, 2)).toEqual([3, 1]);
    expect(pair('from=-1&to=x', versions, 2)).toEqual([2, 4]);
  });

  it('are the publication before and the draft, when that is published or nothing is', () => {
    expect(pair('', toVersions('SAVED', 'PUBLISHED', 'SAVED', 'SAVED', 'PUBLISHED'), 5)).toEqual([2, 5]);
    expect(pair('', toVersions('SAVED', 'PUBLISHED', 'UNPUBLISHED'))).toEqual([2, 3]);
    expect(pair('', toVersions('SAVED', 'SAVED'))).toEqual([1, 2]);
    expect(pair('', toVersions('SAVED'))).toEqual([1, 1]);
    expect(pair('', [])).toEqual([undefined, undefined]);
  });
});
