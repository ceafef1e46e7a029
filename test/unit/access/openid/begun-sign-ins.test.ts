/** The cookie of sign-ins that were begun. */
import { expect, it } from 'vitest';
import { createBegunSignIns } from '../../../../src/access/openid/begun-sign-ins.ts';
import { randomIds } from '../../../../src/base/runtime.ts';

const create = (clientSecret: string) => createBegunSignIns({ clientSecret, ids: randomIds });
const begun = (n: number, returnTo = '/admin') => ({
  state: `state ${n} ${'s'.repeat(36)}`,
  nonce: 'n'.repeat(43),
  verifier: 'v'.repeat(43),
  returnTo,
  expiresAtMs: 1000 * n,
});

it('is read by every server that has the client secret, and by no other', () => {
  const sealed = create('a secret of 16 letters').seal([begun(2), begun(1)]);
  expect(sealed).toMatch(/^[\w-]+$/);
  expect(sealed).not.toBe(create('a secret of 16 letters').seal([begun(2), begun(1)]));
  expect(create('a secret of 16 letters').open(sealed, 0)).toEqual([begun(2), begun(1)]);
  expect(create('another secret of some letters').open(sealed, 0)).toEqual([]);
});

it('has no sign-in that has expired, was changed, or never began', () => {
  const { seal, open } = create('a secret of 16 letters');
  const sealed = seal([begun(2), begun(1)]);
  expect(open(sealed, 1000)).toEqual([begun(2)]);
  expect(open(sealed, 2000)).toEqual([]);
  const changed = (sealed.at(40) === 'A' ? 'B' : 'A') + sealed.slice(41);
  for (const text of [undefined, '', 'x', '?', sealed.slice(0, 30), sealed.slice(0, 40) + changed])
    expect(open(text, 0)).toEqual([]);
});

it('keeps the latest sign-ins that fit a cookie', () => {
  const { seal, open } = create('a secret of 16 letters');
  const many = [6, 5, 4, 3, 2, 1].map((n) => begun(n));
  expect(open(seal(many), 0)).toEqual(many.slice(0, 4));
  const long = [4, 3, 2, 1].map((n) => begun(n, `/admin?${'x'.repeat(1000)}`));
  const sealed = seal(long);
  expect(sealed.length).toBeLessThan(3_900);
  expect(open(sealed, 0)).toEqual(long.slice(0, 2));
  const longest = [begun(1, `/admin?${'x'.repeat(1990)}`)];
  expect(seal(longest).length).toBeLessThan(3_900);
  expect(open(seal(longest), 0)).toEqual(longest);
});
