/**
 * Sessions: a user who has signed in, known again by a token in a cookie.
 *
 * A session ends twelve hours after its sign-in, whatever happens in it: that covers a day's work, a stolen cookie does not last,
 * and no request has to write. Of the token its hash alone is kept; the CSRF token is worked out from it, and kept nowhere.
 */
import { forbidden, unauthorized } from '../base/errors.ts';
import type { Clock, IdSource } from '../base/runtime.ts';
import type { ContentService } from '../content/content-service.ts';
import { isJsonObject } from '../model/validate-asset.ts';
import { hashSecret, isSameText } from './secret.ts';
import { deleteSessions, findSessions, type SessionQuery, sessionType } from './session-records.ts';
import { createSignInGuard, type SignInOrigin } from './sign-in-guard.ts';
import { type SignIn, type User, type Users, userType } from './users.ts';

/** A sign-in that has not ended. */
export interface Session {
  readonly user: User;
  readonly expiresAtMs: number;
  /** What a page has to send back with whatever changes something: other sites can send the cookie, and not read this. */
  readonly csrfToken: string;
}

/** The sessions of all users. */
export interface Sessions {
  /**
   * The token is to be had here only; `address` is the IP address of who signs in, if it is known.
   *
   * Errors: unauthorized, which does not say whether the email or the password is wrong; too_many_attempts.
   */
  signIn(signIn: SignIn & SignInOrigin): Promise<{ token: string; session: Session }>;
  /** The session of a token, unless it has ended. */
  find(token: string): Promise<Session | undefined>;
  /** Ends the session of a token; that there is none is fine. */
  signOut(token: string): Promise<void>;
}

/** How long a session lasts. */
export const sessionMs = 12 * 60 * 60 * 1000;

/** Keeps sessions in the system's content service. */
export function createSessions({
  system,
  users,
  clock,
  ids,
}: {
  system: ContentService;
  users: Users;
  clock: Clock;
  ids: IdSource;
}): Sessions {
  const guard = createSignInGuard(clock);

  async function signIn(given: SignIn & SignInOrigin): Promise<{ token: string; session: Session }> {
    const user = await guard.admit(given, () => users.verify(given));
    if (!user) throw unauthorized('The email or the password is wrong');
    const nowMs = clock.nowMs();
    // Up to a hundred that nobody came back to; each sign-in leaves one at most, so they do not pile up.
    await deleteSessions(system, { where: 'expiresAt <= ?', value: nowMs });
    const [token, expiresAt] = [ids.secret(), nowMs + sessionMs];
    const reference = { _ref: user.id, _type: userType };
    const record = { _type: sessionType, tokenHash: hashSecret(token), user: reference, expiresAt };
    await system.create(record, {});
    return { token, session: { user, expiresAtMs: expiresAt, csrfToken: toCsrfToken(token) } };
  }

  async function find(token: string): Promise<Session | undefined> {
    const [record] = await findSessions(system, ofToken(token));
    if (!record) return undefined;
    const expiresAtMs = Number(record.expiresAt);
    if (expiresAtMs <= clock.nowMs()) {
      await signOut(token);
      return undefined;
    }
    const user = isJsonObject(record.user) ? await users.find(String(record.user._ref)) : undefined;
    return user && { user, expiresAtMs, csrfToken: toCsrfToken(token) };
  }

  async function signOut(token: string): Promise<void> {
    await deleteSessions(system, ofToken(token));
  }

  return { signIn, find, signOut };
}

/** Errors: forbidden when a request that changes something does not bring its session's CSRF token. */
export function assertCsrfToken({ csrfToken }: Session, given: string | undefined): void {
  if (given === undefined || !isSameText(given, csrfToken)) {
    throw forbidden('The header X-CSRF-Token must be the csrfToken of this session');
  }
}

const ofToken = (token: string): SessionQuery => ({ where: 'tokenHash = ?', value: hashSecret(token) });

const toCsrfToken = (token: string) => hashSecret(`csrf:${token}`);
