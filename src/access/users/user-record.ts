/**
 * The records of users: how they are found, read and checked.
 */

import { invalidBody, notFound, openidUser, type Problem, unlessError } from '../../base/errors.ts';
import type { ContentService, StoredAsset } from '../../content/content-service.ts';
import type { Asset } from '../../model/content-type.ts';
import { deleteRecord, deleteRecords, findRecords } from '../expiring-records.ts';
import { nobodysHash } from './password.ts';
import { isRole, type Role } from './roles.ts';

export const userType = 'com.colophon.system.User';

/** A person who may use the admin UI; the email is in lower case. */
export interface User {
  readonly id: string;
  readonly email: string;
  /** What people call the user; absent until an invited user has given it, and for users without one. */
  readonly name?: string;
  readonly role: Role;
  /** Whether the user has a password. An invited user has none until the invitation is accepted. */
  readonly hasPassword: boolean;
  /** Whether the user signs in by OpenID Connect, and has no password here. */
  readonly isOfProvider: boolean;
  /** When the user was disabled; absent when the user may sign in. */
  readonly disabledAtMs?: number;
  /** Until when the link of the latest invitation can be used; absent without a link. */
  readonly invitedUntilMs?: number;
}

export async function findRecord(system: ContentService, id: string): Promise<StoredAsset | undefined> {
  const record = await unlessError(system.get(id, {}), 'not_found');
  return record?.asset._type === userType ? record : undefined;
}

/** Returns the record of a user. Errors: not_found. */
export async function getRecord(system: ContentService, id: string): Promise<StoredAsset> {
  const record = await findRecord(system, id);
  if (!record) throw notFound(id, 'user');
  return record;
}

/** Converts a record. */
export function toUser(asset: Asset): User {
  const { _id, email, name, role, passwordHash, issuer, disabledAt, invitationExpiresAt } = asset;
  return {
    id: _id,
    email: String(email),
    ...(typeof name === 'string' ? { name } : {}),
    role: isRole(role) ? role : 'admin',
    hasPassword: passwordHash !== nobodysHash,
    isOfProvider: typeof issuer === 'string',
    ...(typeof disabledAt === 'number' ? { disabledAtMs: disabledAt } : {}),
    ...(typeof invitationExpiresAt === 'number' ? { invitedUntilMs: invitationExpiresAt } : {}),
  };
}

/**
 * Tells whether a user can sign in with a password and has the role `admin`. Users of OpenID Connect do not count: the provider may
 * fail, or take the role from all of them.
 */
export const isActiveAdmin = ({ role, hasPassword, disabledAtMs }: User): boolean =>
  role === 'admin' && hasPassword && disabledAtMs === undefined;

/** Whether a user can sign in, has been invited only, or is disabled. */
type UserState = 'active' | 'invited' | 'disabled';

export function stateOf({ disabledAtMs, hasPassword, isOfProvider }: User): UserState {
  if (disabledAtMs !== undefined) return 'disabled';
  return hasPassword || isOfProvider ? 'active' : 'invited';
}

type SignInMethod = 'password' | 'openid-connect';

export const signInMethodOf = ({ isOfProvider }: User): SignInMethod =>
  isOfProvider ? 'openid-connect' : 'password';

/** Requires of a user not to sign in by OpenID Connect; `why` says what the provider has instead. Errors: openid_user. */
export function assertNotOfProvider({ isOfProvider, email }: User, why: string): void {
  if (isOfProvider) throw openidUser(email, why);
}

/** Finds what is wrong with an email. */
export function checkEmail(email: string): Problem[] {
  return emailPattern.test(email) ? [] : [{ path: 'email', message: 'must be an email address' }];
}

/** Errors: invalid_body, if there are problems. */
export function assertSound(problems: readonly Problem[]): void {
  if (problems.length > 0) throw invalidBody(problems);
}

export const sessionType = 'com.colophon.system.Session';
export const deviceType = 'com.colophon.system.KnownDevice';

/** Counts the sessions that have not ended. */
export async function countSessions(system: ContentService, nowMs: number): Promise<number> {
  const query = { from: sessionType, where: 'expiresAt > ?', values: [nowMs], offset: 0, limit: 0 };
  return (await system.find({ ...query, withCount: true }, {})).count ?? 0;
}

/** Ends the sessions of a user, except that of the token with the given hash, and forgets the user's devices. */
export async function endSessions(
  system: ContentService,
  userId: string,
  keptTokenHash?: string,
): Promise<void> {
  const of = (from: string) => ({ from, where: 'user = ?', value: userId });
  while (await deleteRecords(system, of(deviceType)));
  for (;;) {
    const found = await findRecords(system, of(sessionType));
    const ending = found.filter(({ tokenHash }) => tokenHash !== keptTokenHash);
    if (ending.length === 0) return;
    await Promise.all(ending.map(({ _id }) => deleteRecord(system, _id)));
  }
}

// The email addresses of users: text before and after one `@`, without invisible characters. Whether mail arrives there is not
// checked.

/** The form of an email address; a host without dots, such as `localhost`, is allowed. */
export const emailPattern = /^(?=.{3,254}$)[^\s@\p{C}]+@[^\s@\p{C}]+$/u;

/** Returns the one spelling of an address that is stored and looked up. */
export function toEmail(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
