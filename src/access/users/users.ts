/**
 * Users of the admin UI as records: an email, a role and the hash of a password.
 *
 * A change of password ends the user's sessions and forgets the user's devices, since somebody else may have signed in with the
 * old password. A disabled user cannot sign in; sessions check this at every request, so that it takes effect at once in every
 * process.
 */
import { isDomainError, lastAdmin } from '../../base/errors.ts';
import type { Clock, IdSource } from '../../base/runtime.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { Asset, JsonObject } from '../../model/content-type.ts';
import { findAll } from '../find-all-records.ts';
import { deleteOwnViews } from '../saved-views.ts';
import { checkNewPassword, hashOfNobody, hashPassword, isPassword, type PasswordCost } from './password.ts';
import type { Role } from './roles.ts';
import {
  assertNotOfProvider,
  assertSound,
  checkEmail,
  emailPattern,
  endSessions,
  findRecord,
  getRecord,
  isActiveAdmin,
  toEmail,
  toUser,
  type User,
  userType,
} from './user-record.ts';

export { type User, userType } from './user-record.ts';

/** The credentials of a user. */
export interface SignIn {
  readonly email: string;
  readonly password: string;
}

/** A user to create; a missing password is generated, and a missing role is `admin`. */
export interface NewUser {
  readonly email: string;
  readonly password?: string;
  readonly role?: Role;
  /** The `_id` of the record; when it is in use, `create` fails with id_in_use. */
  readonly recordId?: string;
}

/** A change of a user; absent members stay as they are. */
export interface UserChanges {
  readonly role?: Role;
  readonly isDisabled?: boolean;
}

/** The records of all users. */
export type Users = ReturnType<typeof createUsers>;

const roleReason = 'the role comes from the groups at the provider';
/** Why there is no password to change. */
export const passwordReason = 'the provider has the password';

/** One ID for the first user's record, so that of several processes only one can create it. */
const firstRecordId = '5c0b0c5e-7b1e-5f0e-9d55-0d6f2f6f0002';

/** Creates the service, which keeps users in the system's content service. */
export function createUsers({
  system,
  clock,
  ids,
  passwordCost,
}: {
  system: ContentService;
  clock: Clock;
  ids: IdSource;
  passwordCost?: PasswordCost | undefined;
}) {
  const hash = (password: string) => hashPassword(password, ids.secret(), passwordCost);
  // Checked for an email that nobody has, so that the answer takes as long.
  const dummyHash = hashOfNobody(passwordCost);

  /** Lists all users in the order of their records' IDs. */
  async function list(): Promise<readonly User[]> {
    return (await findAll(system, userType)).map(({ asset }) => toUser(asset));
  }

  async function find(id: string): Promise<User | undefined> {
    const record = await findRecord(system, id);
    return record && toUser(record.asset);
  }

  /** Finds a user by email, in any letter case. */
  async function findByEmail(email: string): Promise<User | undefined> {
    const record = await findAsset(email);
    return record && toUser(record);
  }

  async function findAsset(email: string): Promise<Asset | undefined> {
    const sought = toEmail(email);
    if (!emailPattern.test(sought)) return undefined;
    const query = { from: userType, where: 'email = ?', values: [sought] };
    const { items } = await system.find({ ...query, offset: 0, limit: 1, withCount: false }, {});
    return items[0]?.asset;
  }

  /**
   * Creates a user; returns the password, too, which is available here only. Errors: invalid_body, value_in_use for the email.
   */
  async function create({ email, password, role, recordId }: NewUser): Promise<User & SignIn> {
    const signIn = { email: toEmail(email), password: password ?? ids.secret() };
    assertSound([...checkEmail(signIn.email), ...checkNewPassword(signIn.password, signIn)]);
    const passwordHash = await hash(signIn.password);
    const fields = { email: signIn.email, role: role ?? 'admin', passwordHash };
    const { asset } = await system.create({ _id: recordId, _type: userType, ...fields }, {});
    return { ...toUser(asset), password: signIn.password };
  }

  /**
   * Finds the user of an email and password, who may be disabled. An unknown email takes as long as a wrong password.
   */
  async function verify({ email, password }: SignIn): Promise<User | undefined> {
    const record = await findAsset(email);
    const isRight = await isPassword(password, record ? String(record.passwordHash) : dummyHash);
    return record && isRight ? toUser(record) : undefined;
  }

  /**
   * Changes the role of a user, or disables or enables the user. To disable ends the user's sessions and invitation. Errors:
   * not_found; last_admin when nobody could administer the installation any more; openid_user for another role of a user of OpenID
   * Connect.
   */
  async function update(id: string, changes: UserChanges): Promise<User> {
    const before = toUser((await getRecord(system, id)).asset);
    if (changes.role !== undefined) assertNotOfProvider(before, roleReason);
    const after = { ...before, ...changes };
    const isDisabled = changes.isDisabled ?? before.disabledAtMs !== undefined;
    const isDemoted = isActiveAdmin(before) && (after.role !== 'admin' || isDisabled);
    if (isDemoted) await assertOtherAdmin(before);
    const updated = await write(id, toFields(before, changes));
    if (isDemoted) await undoWithoutAdmin(before);
    if (changes.isDisabled) await endSessions(system, id);
    return updated;
  }

  function toFields({ disabledAtMs }: User, { role, isDisabled }: UserChanges): JsonObject {
    return {
      ...(role === undefined ? {} : { role }),
      ...(isDisabled === true && disabledAtMs === undefined ? { disabledAt: clock.nowMs() } : {}),
      ...(isDisabled === true ? { invitationHash: null, invitationExpiresAt: null } : {}),
      ...(isDisabled === false && disabledAtMs !== undefined ? { disabledAt: null } : {}),
    };
  }

  async function write(id: string, body: JsonObject): Promise<User> {
    return toUser((await system.update({ id, body }, {})).asset);
  }

  async function assertOtherAdmin({ id, email }: User): Promise<void> {
    const others = (await list()).filter((user) => user.id !== id);
    if (!others.some(isActiveAdmin)) throw lastAdmin(email);
  }

  /** Two administrators who disable each other at the same time both pass the check before, so both changes are checked again after. */
  async function undoWithoutAdmin({ id, email }: User): Promise<void> {
    if ((await list()).some(isActiveAdmin)) return;
    await write(id, { role: 'admin', disabledAt: null });
    throw lastAdmin(email);
  }

  async function remove(id: string): Promise<void> {
    const { asset } = await getRecord(system, id);
    // Disabled first, so that the check for the last administrator and the end of all sessions are those of a disabled user.
    await update(asset._id, { isDisabled: true });
    await system.delete({ id: asset._id }, {});
    await deleteOwnViews(system, asset._id);
  }

  /** Changes a password; keeps the session whose token has the hash `keptTokenHash`. Errors: not_found, invalid_body, openid_user. */
  async function changePassword({
    id,
    password,
    keptTokenHash,
  }: {
    id: string;
    password: string;
    keptTokenHash?: string;
  }): Promise<void> {
    const user = toUser((await getRecord(system, id)).asset);
    assertNotOfProvider(user, passwordReason);
    assertSound(checkNewPassword(password, user));
    await system.update({ id, body: { passwordHash: await hash(password) } }, {});
    await endSessions(system, id, keptTokenHash);
  }

  return {
    list,
    find,
    findByEmail,
    create,
    verify,
    update,
    /** Deletes a user with all sessions. Errors: not_found, last_admin. */
    delete: remove,
    changePassword,
  };
}

/** The email of the first user unless another one is given. */
export const firstEmail = 'admin@localhost';

/** Creates the first user of an empty store; `undefined` when the store has users already. */
export async function createFirstUser(users: Users, given: Partial<SignIn>): Promise<SignIn | undefined> {
  if ((await users.list()).length > 0) return undefined;
  try {
    const first = await users.create({ email: firstEmail, recordId: firstRecordId, ...given });
    return { email: first.email, password: first.password };
  } catch (error) {
    // Another process, starting on the same store, was first.
    if (isDomainError(error, 'id_in_use')) return undefined;
    throw error;
  }
}
