/**
 * Sessions: a signed-in user, recognized by a token in a cookie.
 *
 * A session ends twelve hours after its sign-in, used or not: that covers a day's work, limits the use of a stolen cookie, and
 * spares each request a write. Only the hash of the token is stored; the CSRF token is derived from the token and not stored.
 */

import { forbidden, invalidBody, notFound, unauthorized } from '../../base/errors.ts';
import type { Clock, IdSource } from '../../base/runtime.ts';
import type { SignedInUser } from '../../content/changes/record-sign-in.ts';
import type { ContentService } from '../../content/content-service.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import { hashSecret, isSameText } from '../clients/secret.ts';
import {
  deleteExpired,
  deleteRecord,
  deleteRecords,
  findRecords,
  type RecordQuery,
} from '../expiring-records.ts';
import { checkNewPassword } from './password.ts';
import { createFailedAttempts, createSignInLimiter } from './sign-in-limiter.ts';
import {
  assertNotOfProvider,
  assertSound,
  deviceType,
  endSessions,
  sessionType,
  toEmail,
} from './user-record.ts';
import { passwordReason, type SignIn, type User, type Users, userType } from './users.ts';

/** A session that has not ended. */
export interface Session {
  readonly user: User;
  readonly expiresAtMs: number;
  /** Pages must send this with every change: other sites can make a browser send the cookie, but cannot read this token. */
  readonly csrfToken: string;
}

interface SignInAttempt extends SignIn {
  /** The IP address of the client, if known. */
  readonly address?: string | undefined;
  /** The `deviceToken` of an earlier sign-in, if the client sends it. */
  readonly deviceToken?: string | undefined;
  /** The header `User-Agent`, by which the user recognizes the session. */
  readonly userAgent?: string | undefined;
}

/** A session as its user sees it in a list. */
export interface ListedSession {
  readonly id: string;
  readonly beganAtMs: number;
  readonly expiresAtMs: number;
  /** The header `User-Agent` of the sign-in. */
  readonly userAgent?: string;
  /** Whether it is the session that asks. */
  readonly isCurrent: boolean;
}

/** A change of one's own password. */
interface OwnPasswordChange {
  readonly currentPassword: string;
  readonly newPassword: string;
  readonly address?: string | undefined;
  readonly deviceToken?: string | undefined;
}

/** A user with the token of the session that asks. */
export interface SessionOwner {
  readonly user: User;
  readonly token: string;
}

/** A new session. Its token, and that of a device that was not known before, are available here only. */
export interface BegunSession {
  readonly token: string;
  readonly session: Session;
  readonly deviceToken?: string;
}

export type Sessions = ReturnType<typeof createSessions>;

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
  recordSignIn?: (user: SignedInUser) => Promise<void>;
}) {
  const limiter = createSignInLimiter(createFailedAttempts({ system, clock }));
  const devices = createKnownDevices({ system, clock, ids });

  /** Begins a session. Errors: unauthorized, which does not say whether the email or the password is wrong; too_many_attempts. */
  async function signIn(attempt: SignInAttempt): Promise<BegunSession> {
    const deviceId = await findDevice(attempt);
    const user = await limiter.run({ ...attempt, deviceId }, () => users.verify(attempt));
    if (!user) throw unauthorized('The email or the password is wrong');
    assertEnabled(user);
    const begun = await begin(user, attempt.userAgent);
    const device = deviceId === undefined ? { deviceToken: await devices.add(user.id) } : {};
    // Last, so that each recorded sign-in has succeeded, and none succeeds without its record.
    await record(user);
    return { ...begun, ...device };
  }

  /** Begins a session of a user whom a provider has authenticated. Errors: unauthorized for a disabled user. */
  async function beginFor(user: User, userAgent: string | undefined): Promise<BegunSession> {
    assertEnabled(user);
    const begun = await begin(user, userAgent);
    await record(user);
    return begun;
  }

  async function record({ id, email }: User): Promise<void> {
    await recordSignIn?.({ id, type: userType, name: email });
  }

  /** Finds the device whose token the client sends, if the user of this email has signed in there. Returns its ID. */
  async function findDevice({
    deviceToken,
    email,
  }: Pick<SignInAttempt, 'deviceToken' | 'email'>): Promise<string | undefined> {
    const device = deviceToken === undefined ? undefined : await devices.find(deviceToken);
    const user = device && (await users.find(device.userId));
    return user?.email === toEmail(email) ? device?.id : undefined;
  }

  async function begin(user: User, userAgent: string | undefined): Promise<BegunSession> {
    const nowMs = clock.nowMs();
    await deleteExpired(system, sessionType, nowMs);
    const [token, expiresAt] = [ids.secret(), nowMs + sessionMs];
    const reference = { _ref: user.id, _type: userType };
    const agent = userAgent === undefined ? {} : { userAgent: toStoredAgent(userAgent) };
    const record = { _type: sessionType, tokenHash: hashSecret(token), user: reference, expiresAt, ...agent };
    await system.create(record, {});
    return { token, session: { user, expiresAtMs: expiresAt, csrfToken: toCsrfToken(token) } };
  }

  /** Finds the session of a token, unless it has ended. */
  async function find(token: string): Promise<Session | undefined> {
    const [record] = await findRecords(system, ofToken(token));
    if (!record) return undefined;
    const expiresAtMs = Number(record.expiresAt);
    if (expiresAtMs <= clock.nowMs()) {
      await signOut(token);
      return undefined;
    }
    const user = isJsonObject(record.user) ? await users.find(String(record.user._ref)) : undefined;
    if (user === undefined || user.disabledAtMs !== undefined) return undefined;
    return { user, expiresAtMs, csrfToken: toCsrfToken(token) };
  }

  /** Ends the session of a token, if there is one. */
  async function signOut(token: string): Promise<void> {
    await deleteRecords(system, ofToken(token));
  }

  /** Lists the sessions of a user that have not ended, the newest first; at most 100. */
  async function list({ user, token }: SessionOwner): Promise<readonly ListedSession[]> {
    const current = hashSecret(token);
    const records = await findRecords(system, { from: sessionType, where: 'user = ?', value: user.id });
    return records
      .map(({ _id: id, expiresAt, userAgent, tokenHash }) => ({
        id,
        beganAtMs: Number(expiresAt) - sessionMs,
        expiresAtMs: Number(expiresAt),
        ...(typeof userAgent === 'string' ? { userAgent } : {}),
        isCurrent: tokenHash === current,
      }))
      .filter(({ expiresAtMs }) => expiresAtMs > clock.nowMs())
      .sort((one, other) => other.beganAtMs - one.beganAtMs);
  }

  /** Ends one session of a user. Errors: not_found. */
  async function end(owner: SessionOwner, id: string): Promise<void> {
    const found = (await list(owner)).find((session) => session.id === id);
    if (!found) throw notFound(id, 'session');
    await deleteRecord(system, id);
  }

  /**
   * Changes the password of a user and ends all other sessions. Errors: invalid_body when the present password is wrong or the new
   * one is invalid; too_many_attempts; openid_user.
   */
  async function changePassword({ user, token }: SessionOwner, change: OwnPasswordChange): Promise<void> {
    const { currentPassword, newPassword, address, deviceToken } = change;
    assertNotOfProvider(user, passwordReason);
    const { id, email } = user;
    assertSound(checkNewPassword(newPassword, { email, path: 'newPassword' }));
    const deviceId = await findDevice({ deviceToken, email });
    const verified = await limiter.run({ email, address, deviceId }, () =>
      users.verify({ email, password: currentPassword }),
    );
    if (!verified) throw invalidBody([{ path: 'currentPassword', message: 'is not your present password' }]);
    await users.changePassword({ id, password: newPassword, keptTokenHash: hashSecret(token) });
  }

  return {
    signIn,
    beginFor,
    find,
    signOut,
    list,
    end,
    /** Ends all sessions of a user but the one that asks, and forgets the user's devices. */
    endOthers: ({ user, token }: SessionOwner): Promise<void> =>
      endSessions(system, user.id, hashSecret(token)),
    changePassword,
  };
}

function assertEnabled({ disabledAtMs }: User): void {
  if (disabledAtMs === undefined) return;
  throw unauthorized('This user is disabled; an administrator can enable it again');
}

/** Requires the CSRF token of a session, for a request that changes something. Errors: forbidden. */
export function assertCsrfToken({ csrfToken }: Session, given: string | undefined): void {
  if (given !== undefined && isSameText(given, csrfToken)) return;
  throw forbidden('The header X-CSRF-Token must be the csrfToken of this session');
}

const ofToken = (token: string): RecordQuery => ({
  from: sessionType,
  where: 'tokenHash = ?',
  value: hashSecret(token),
});

/** Shortens a header so that the record can hold it, and removes what no record can. */
const toStoredAgent = (userAgent: string) => userAgent.slice(0, 300).toWellFormed().replaceAll(/\p{C}/gu, '');

const toCsrfToken = (token: string) => hashSecret(`csrf:${token}`);

// Devices from which a user has signed in before, recognized by a token in a cookie.
//
// Failed sign-ins are counted separately for a known device: the user can still sign in there after strangers failed too often
// on the same account or from the same address. Only the hash of a token is stored.

/** A device and the user who signed in there. */
interface KnownDevice {
  readonly id: string;
  readonly userId: string;
}

/** How long a device stays known, counted from its first sign-in. */
export const deviceMs = 180 * 24 * 60 * 60 * 1000;

/** The maximum number of known devices of a user; a further one replaces the oldest. */
const maxDevices = 20;

/** Creates the service, which keeps known devices in the system's content service. */
function createKnownDevices({ system, clock, ids }: { system: ContentService; clock: Clock; ids: IdSource }) {
  async function find(token: string): Promise<KnownDevice | undefined> {
    const query = { from: deviceType, where: 'tokenHash = ?', value: hashSecret(token) };
    const [record] = await findRecords(system, query);
    if (!record || Number(record.expiresAt) <= clock.nowMs() || !isJsonObject(record.user)) return undefined;
    return { id: record._id, userId: String(record.user._ref) };
  }

  /** Adds a device, and returns its token, which is available here only. */
  async function add(userId: string): Promise<string> {
    const nowMs = clock.nowMs();
    await deleteExpired(system, deviceType, nowMs);
    await deleteOldest(userId);
    const token = ids.secret();
    const user = { _ref: userId, _type: userType };
    const record = { _type: deviceType, tokenHash: hashSecret(token), user, expiresAt: nowMs + deviceMs };
    await system.create(record, {});
    return token;
  }

  /** Makes room for one more device. */
  async function deleteOldest(userId: string): Promise<void> {
    const query = { from: deviceType, where: 'user = ?', values: [userId], withCount: false };
    const sort = [{ field: 'expiresAt', descending: true }];
    const { items } = await system.find({ ...query, sort, offset: maxDevices - 1, limit: 100 }, {});
    await Promise.all(items.map(({ asset }) => deleteRecord(system, asset._id)));
  }

  return { find, add };
}
