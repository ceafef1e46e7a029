/**
 * Sessions: a signed-in user, recognized by a token in a cookie.
 *
 * A session ends twelve hours after its sign-in, used or not: that covers a day's work, limits the use of a stolen cookie, and
 * spares each request a write. Only the hash of the token is stored; the CSRF token is derived from the token and not stored.
 */
import { forbidden, unauthorized } from '../../base/errors.ts';
import type { Clock, IdSource } from '../../base/runtime.ts';
import type { SignedInUser } from '../../content/changes/record-sign-in.ts';
import type { ContentService } from '../../content/content-service.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import { hashSecret, isSameText } from '../clients/secret.ts';
import { deleteExpired, deleteRecords, findRecords, type RecordQuery } from '../expiring-records.ts';
import { toEmail } from './email.ts';
import { createFailedAttempts } from './failed-attempts.ts';
import { createKnownDevices } from './known-devices.ts';
import { sessionType } from './session-records.ts';
import { createSignInLimiter } from './sign-in-limiter.ts';
import { type SignIn, type User, type Users, userType } from './users.ts';

/** A session that has not ended. */
export interface Session {
  readonly user: User;
  readonly expiresAtMs: number;
  /** Pages must send this with every change: other sites can make a browser send the cookie, but cannot read this token. */
  readonly csrfToken: string;
}

/** An attempt to sign in. */
export interface SignInAttempt extends SignIn {
  /** The IP address of the client, if known. */
  readonly address?: string | undefined;
  /** The `deviceToken` of an earlier sign-in, if the client sends it. */
  readonly deviceToken?: string | undefined;
}

/** A new session. Its token, and that of a device that was not known before, are available here only. */
export interface BegunSession {
  readonly token: string;
  readonly session: Session;
  readonly deviceToken?: string;
}

/** The sessions of all users. */
export interface Sessions {
  /** Begins a session. Errors: unauthorized, which does not say whether the email or the password is wrong; too_many_attempts. */
  signIn(attempt: SignInAttempt): Promise<BegunSession>;
  /** Finds the session of a token, unless it has ended. */
  find(token: string): Promise<Session | undefined>;
  /** Ends the session of a token, if there is one. */
  signOut(token: string): Promise<void>;
}

/** How long a session lasts. */
export const sessionMs = 12 * 60 * 60 * 1000;

/** Creates the service, which keeps sessions in the system's content service. */
export function createSessions({
  system,
  users,
  clock,
  ids,
  recordSignIn,
}: {
  system: ContentService;
  users: Users;
  clock: Clock;
  ids: IdSource;
  /** Records that a user has signed in. */
  recordSignIn?: (user: SignedInUser) => Promise<void>;
}): Sessions {
  const limiter = createSignInLimiter(createFailedAttempts({ system, clock }));
  const devices = createKnownDevices({ system, clock, ids });

  async function signIn(attempt: SignInAttempt): Promise<BegunSession> {
    const deviceId = await findDevice(attempt);
    const user = await limiter.run({ ...attempt, deviceId }, () => users.verify(attempt));
    if (!user) throw unauthorized('The email or the password is wrong');
    const begun = await begin(user);
    const device = deviceId === undefined ? { deviceToken: await devices.add(user.id) } : {};
    // Last, so that each recorded sign-in has succeeded, and none succeeds without its record.
    await recordSignIn?.({ id: user.id, type: userType, name: user.email });
    return { ...begun, ...device };
  }

  /** Finds the device whose token the client sends, if the user of this email has signed in there. Returns its ID. */
  async function findDevice({ deviceToken, email }: SignInAttempt): Promise<string | undefined> {
    const device = deviceToken === undefined ? undefined : await devices.find(deviceToken);
    const user = device && (await users.find(device.userId));
    return user?.email === toEmail(email) ? device?.id : undefined;
  }

  async function begin(user: User): Promise<BegunSession> {
    const nowMs = clock.nowMs();
    await deleteExpired(system, sessionType, nowMs);
    const [token, expiresAt] = [ids.secret(), nowMs + sessionMs];
    const reference = { _ref: user.id, _type: userType };
    const record = { _type: sessionType, tokenHash: hashSecret(token), user: reference, expiresAt };
    await system.create(record, {});
    return { token, session: { user, expiresAtMs: expiresAt, csrfToken: toCsrfToken(token) } };
  }

  async function find(token: string): Promise<Session | undefined> {
    const [record] = await findRecords(system, ofToken(token));
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
    await deleteRecords(system, ofToken(token));
  }

  return { signIn, find, signOut };
}

/** Requires the CSRF token of a session, for a request that changes something. Errors: forbidden. */
export function assertCsrfToken({ csrfToken }: Session, given: string | undefined): void {
  if (given === undefined || !isSameText(given, csrfToken)) {
    throw forbidden('The header X-CSRF-Token must be the csrfToken of this session');
  }
}

const ofToken = (token: string): RecordQuery => ({
  from: sessionType,
  where: 'tokenHash = ?',
  value: hashSecret(token),
});

const toCsrfToken = (token: string) => hashSecret(`csrf:${token}`);
