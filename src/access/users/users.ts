/**
 * Users of the admin UI as records: an email and the hash of a password.
 *
 * A change of password ends the user's sessions and forgets the user's devices, since somebody else may have signed in with the
 * old password.
 */
import { invalidBody, isDomainError, notFound, type Problem } from '../../base/errors.ts';
import type { IdSource } from '../../base/runtime.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { Asset } from '../../model/content-type.ts';
import { deleteRecords } from '../expiring-records.ts';
import { findAll } from '../find-all-records.ts';
import { emailPattern, toEmail } from './email.ts';
import { hashPassword, isPassword, nobodysHash, passwordPattern } from './password.ts';
import { deviceType, sessionType } from './session-records.ts';

/** A person who may use the admin UI; the email is in lower case. */
export interface User {
  readonly id: string;
  readonly email: string;
}

/** The credentials of a user. */
export interface SignIn {
  readonly email: string;
  readonly password: string;
}

/** A user to create; a missing password is generated. */
export interface NewUser {
  readonly email: string;
  readonly password?: string;
  /** The `_id` of the record; when it is in use, `create` fails with id_in_use. */
  readonly recordId?: string;
}

/** The records of all users. */
export interface Users {
  /** Lists all users in the order of their records' IDs. */
  list(): Promise<readonly User[]>;
  /** Finds a user by ID. */
  find(id: string): Promise<User | undefined>;
  /**
   * Creates a user; returns the password, too, which is available here only. Errors: invalid_body, value_in_use for the email.
   */
  create(user: NewUser): Promise<User & SignIn>;
  /** Finds the user of an email and password. An unknown email takes as long as a wrong password. */
  verify(signIn: SignIn): Promise<User | undefined>;
  /** Changes a password. Errors: not_found, invalid_body. */
  changePassword(change: { id: string; password: string }): Promise<void>;
}

export const userType = 'com.colophon.system.User';
/** One ID for the first user's record, so that of several processes only one can create it. */
const firstRecordId = '5c0b0c5e-7b1e-5f0e-9d55-0d6f2f6f0002';

/** Creates the service, which keeps users in the system's content service. */
export function createUsers({ system, ids }: { system: ContentService; ids: IdSource }): Users {
  async function list(): Promise<readonly User[]> {
    return (await findAll(system, userType)).map(({ asset }) => toUser(asset));
  }

  async function find(id: string): Promise<User | undefined> {
    try {
      const { asset } = await system.get(id, {});
      return asset._type === userType ? toUser(asset) : undefined;
    } catch (error) {
      if (isDomainError(error, 'not_found')) return undefined;
      throw error;
    }
  }

  async function create({ email, password, recordId }: NewUser): Promise<User & SignIn> {
    const signIn = { email: toEmail(email), password: password ?? ids.secret() };
    assertSound([...checkEmail(signIn.email), ...checkPassword(signIn.password)]);
    const passwordHash = await hashPassword(signIn.password, ids.secret());
    const record = { _id: recordId, _type: userType, email: signIn.email, passwordHash };
    const { asset } = await system.create(record, {});
    return { id: asset._id, ...signIn };
  }

  async function verify({ email, password }: SignIn): Promise<User | undefined> {
    const sought = toEmail(email);
    const record = emailPattern.test(sought) ? await findByEmail(sought) : undefined;
    const isRight = await isPassword(password, record ? String(record.passwordHash) : nobodysHash);
    return record && isRight ? toUser(record) : undefined;
  }

  async function findByEmail(email: string): Promise<Asset | undefined> {
    const query = { from: userType, where: 'email = ?', values: [email] };
    const { items } = await system.find({ ...query, offset: 0, limit: 1, withCount: false }, {});
    return items[0]?.asset;
  }

  async function changePassword({ id, password }: { id: string; password: string }): Promise<void> {
    assertSound(checkPassword(password));
    if (!(await find(id))) throw notFound(id, 'user');
    await system.update({ id, body: { passwordHash: await hashPassword(password, ids.secret()) } }, {});
    for (const from of [sessionType, deviceType]) {
      while (await deleteRecords(system, { from, where: 'user = ?', value: id }));
    }
  }

  return { list, find, create, verify, changePassword };
}

/** Creates the first user of an empty store; `undefined` when the store has users already. */
export async function createFirstUser(users: Users, given: Partial<SignIn>): Promise<SignIn | undefined> {
  if ((await users.list()).length > 0) return undefined;
  try {
    return await users.create({ email: 'admin@localhost', recordId: firstRecordId, ...given });
  } catch (error) {
    // Another process, starting on the same store, was first.
    if (isDomainError(error, 'id_in_use')) return undefined;
    throw error;
  }
}

const toUser = ({ _id, email }: Asset): User => ({ id: _id, email: String(email) });

function checkEmail(email: string): Problem[] {
  return emailPattern.test(email) ? [] : [{ path: 'email', message: 'must be an email address' }];
}

function checkPassword(password: string): Problem[] {
  return passwordPattern.test(password)
    ? []
    : [{ path: 'password', message: 'must have 10 to 1000 characters' }];
}

function assertSound(problems: readonly Problem[]): void {
  if (problems.length > 0) throw invalidBody(problems);
}
