/**
 * The session of the user that the run was given: signed in once, sent along by those cases that ask for it, and ended with the run.
 */

import type { ReceivedAnswer } from '../responses/response-validator.ts';
import type { ApiUnderTest, OwnResources } from './api-under-test.ts';
import { memberOf } from './api-under-test.ts';
import type { ContractDocument } from './contract-document.ts';

/** Who signs in. */
export interface SignIn {
  readonly email: string;
  readonly password: string;
}

/** The session of one user. */
export interface OwnSession {
  readonly user: SignIn;
  /** Where it is, such as `/api/admin/session`. */
  readonly path: string;
  signIn(): Promise<ReceivedAnswer>;
  /** The `Set-Cookie` of an answer that carries the session. */
  findCookie(answer: ReceivedAnswer): string | undefined;
  /** The headers of the signed-in user; absent when nobody is signed in. */
  headers(): SessionHeaders | undefined;
}

/** What a browser sends for a signed-in user. */
export interface SessionHeaders {
  readonly cookie: Readonly<Record<string, string>>;
  /** Proves where a change comes from. */
  readonly token: Readonly<Record<string, string>>;
}

/** Makes the session, in which nobody is signed in yet. */
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

  async function signIn(): Promise<ReceivedAnswer> {
    const body = { email: user.email, password: user.password };
    const answer = await call({ method: 'POST', path, body, credentials: null }, 200);
    const [pair = ''] = (findCookie(answer) ?? '').split(';');
    headers = {
      cookie: { Cookie: pair },
      token: { [schemeName('csrfToken')]: String(memberOf(answer.body, 'csrfToken')) },
    };
    const both = { ...headers.cookie, ...headers.token };
    own.add(path, { method: 'DELETE', path, credentials: null, headers: both });
    return answer;
  }

  /** The cookie that carries the session, by the name that the document gives it. */
  const findCookie = ({ cookies = [] }: ReceivedAnswer) =>
    cookies.find((cookie) => cookie.startsWith(`${schemeName('session')}=`));

  return { user, path, signIn, findCookie, headers: () => (own.has(path) ? headers : undefined) };
}
