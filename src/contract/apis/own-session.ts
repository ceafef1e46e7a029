/**
 * The session of the run's user: opened once, used by the cases that need it, and ended with the run.
 */

import type { ReceivedResponse } from '../responses/response-validator.ts';
import type { ApiUnderTest, OwnResources } from './api-under-test.ts';
import { memberOf } from './api-under-test.ts';
import type { ContractDocument } from './contract-document.ts';

/** The credentials of the user. */
export interface SignIn {
  readonly email: string;
  readonly password: string;
}

/** The session of one user. */
export interface OwnSession {
  readonly user: SignIn;
  /** Where it is, such as `/api/admin/session`. */
  readonly path: string;
  signIn(): Promise<ReceivedResponse>;
  /** Finds the `Set-Cookie` header with the session in a response. */
  findCookie(response: ReceivedResponse): string | undefined;
  /** The headers of the signed-in user; absent when the user is not signed in. */
  headers(): SessionHeaders | undefined;
}

/** The headers that a browser sends for a signed-in user. */
export interface SessionHeaders {
  readonly cookie: Readonly<Record<string, string>>;
  /** The CSRF token. */
  readonly token: Readonly<Record<string, string>>;
}

/** Creates the session; the user is not signed in yet. */
export function createOwnSession({
  user,
  path,
  document,
  call,
  own,
}: {
  user: SignIn;
  path: string;
  document: ContractDocument;
  call: ApiUnderTest['call'];
  own: OwnResources;
}): OwnSession {
  const schemeName = (scheme: string) => String(document.at(`#/components/securitySchemes/${scheme}`).name);
  let headers: SessionHeaders | undefined;

  async function signIn(): Promise<ReceivedResponse> {
    const body = { email: user.email, password: user.password };
    const response = await call({ method: 'POST', path, body, credentials: null }, 200);
    const [pair = ''] = (findCookie(response) ?? '').split(';');
    headers = {
      cookie: { Cookie: pair },
      token: { [schemeName('csrfToken')]: String(memberOf(response.body, 'csrfToken')) },
    };
    const both = { ...headers.cookie, ...headers.token };
    own.add(path, { method: 'DELETE', path, credentials: null, headers: both });
    return response;
  }

  /** Finds the session's cookie by its documented name. */
  const findCookie = ({ cookies = [] }: ReceivedResponse) =>
    cookies.find((cookie) => cookie.startsWith(`${schemeName('session')}=`));

  return { user, path, signIn, findCookie, headers: () => (own.has(path) ? headers : undefined) };
}
