import type { Request } from 'express';
import { describe, expect, it } from 'vitest';
import {
  readSessionToken,
  toExpiredCookie,
  toSessionCookie,
} from '../../../../src/http/credentials/authenticate-admin.ts';

/** A request with only cookies. */
const withCookie = (cookie?: string) => ({ headers: { cookie } }) as Request;

describe('the session cookie', () => {
  it('is hidden from scripts and kept from other sites, for twelve hours', () => {
    expect(toSessionCookie({ token: 'abc', isSecure: false, basePath: '' })).toBe(
      'colophon_session=abc; Path=/; HttpOnly; SameSite=Lax; Max-Age=43200',
    );
  });

  it('is Secure when the request used https', () => {
    expect(toSessionCookie({ token: 'abc', isSecure: true, basePath: '' })).toMatch(/; Secure$/);
    expect(toExpiredCookie({ isSecure: true, basePath: '' })).toMatch(/; Secure$/);
  });

  it('expires immediately when the session ends', () => {
    expect(toExpiredCookie({ isSecure: false, basePath: '' })).toBe(
      'colophon_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
    );
  });

  it.each([
    ['alone', 'colophon_session=abc', 'abc'],
    ['among others', 'a=b; colophon_session=abc;c=d', 'abc'],
    ['not under a name that ends alike', 'x_colophon_session=abc', undefined],
    ['not in the value of another', 'a="colophon_session=abc"', undefined],
    ['not where there is none', undefined, undefined],
    ['not where there is no value', 'colophon_session', undefined],
  ])('is found %s', (_name, cookie, token) => {
    expect(readSessionToken(withCookie(cookie))).toBe(token);
  });

  it('is read back as it was set', () => {
    const [pair = ''] = toSessionCookie({ token: 'a-b_C9', isSecure: true, basePath: '' }).split(';');
    expect(readSessionToken(withCookie(pair))).toBe('a-b_C9');
  });
});
