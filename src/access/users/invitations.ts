/**
 * Invitations: links with which a person sets a name and a password once.
 *
 * A link has a random secret, of which only the hash is stored, in the record of the user. A new link replaces the one before. The
 * link of a user who has a password already replaces that password when it is used.
 */
import { invitationEnded, isDomainError, storeBusy, userDisabled } from '../../base/errors.ts';
import { createTaskQueue } from '../../base/fair-queue.ts';
import type { RequestOrigins } from '../../base/request-origin.ts';
import type { Clock, IdSource } from '../../base/runtime.ts';
import type { ContentService, StoredAsset } from '../../content/content-service.ts';
import { hashSecret, isSecret } from '../clients/secret.ts';
import { checkNewPassword, hashPassword, nobodysHash, type PasswordCost } from './password.ts';
import type { Role } from './roles.ts';
import {
  assertNotOfProvider,
  assertSound,
  checkEmail,
  endSessions,
  findRecord,
  getRecord,
  toEmail,
  toUser,
  type User,
  userType,
} from './user-record.ts';

/** A new link; its token is available here only. */
export interface Invitation {
  readonly user: User;
  readonly token: string;
  readonly expiresAtMs: number;
}

export type Invitations = ReturnType<typeof createInvitations>;

/** How long a link can be used. */
export const invitationMs = 7 * 24 * 60 * 60 * 1000;

/** How often an invitation is accepted again when the record of the user was changed in the meantime. */
const maxTries = 5;

/** Creates the service, which keeps invitations in the system's content service. */
export function createInvitations({
  system,
  clock,
  ids,
  origins,
  passwordCost,
}: {
  system: ContentService;
  clock: Clock;
  ids: IdSource;
  origins: RequestOrigins;
  passwordCost?: PasswordCost | undefined;
}) {
  // One at a time: only the first of several requests with the same link computes a password hash.
  const queue = createTaskQueue(1);

  /** Makes a secret, and the fields of the record that know it. */
  function makeLink() {
    const [secret, expiresAtMs] = [ids.secret(), clock.nowMs() + invitationMs];
    return {
      secret,
      expiresAtMs,
      fields: { invitationHash: hashSecret(secret), invitationExpiresAt: expiresAtMs },
    };
  }

  /** Creates a user without a password, and a link. Errors: invalid_body, value_in_use for the email. */
  async function invite({ email, role }: { email: string; role: Role }): Promise<Invitation> {
    const sought = toEmail(email);
    assertSound(checkEmail(sought));
    const { secret, expiresAtMs, fields } = makeLink();
    const record = { _type: userType, email: sought, role, passwordHash: nobodysHash, ...fields };
    const { asset } = await system.create(record, {});
    return { user: toUser(asset), token: `${asset._id}.${secret}`, expiresAtMs };
  }

  /** Creates a new link for a user. Errors: not_found, user_disabled, openid_user. */
  async function renew(userId: string): Promise<Invitation> {
    const { asset } = await getRecord(system, userId);
    const user = toUser(asset);
    assertNotOfProvider(user, 'a link would set a password, and the provider has that');
    const { email, disabledAtMs } = user;
    if (disabledAtMs !== undefined) throw userDisabled(email);
    const { secret, expiresAtMs, fields } = makeLink();
    const updated = await system.update({ id: asset._id, body: fields }, {});
    return { user: toUser(updated.asset), token: `${asset._id}.${secret}`, expiresAtMs };
  }

  /** Finds the record that a token belongs to. Errors: invitation_ended. */
  async function getInvited(token: string): Promise<StoredAsset> {
    const dot = token.indexOf('.');
    const [id, secret] = [token.slice(0, Math.max(dot, 0)), token.slice(dot + 1)];
    const record = await findRecord(system, id);
    if (!record) throw invitationEnded();
    const { invitationHash, invitationExpiresAt, disabledAt } = record.asset;
    const isValid = typeof invitationHash === 'string' && isSecret(secret, invitationHash);
    const hasEnded = Number(invitationExpiresAt) <= clock.nowMs() || typeof disabledAt === 'number';
    if (!isValid || hasEnded) throw invitationEnded();
    return record;
  }

  /** Accepts again when the record was changed in the meantime; the link may have been used, or only the role changed. */
  async function acceptNext(given: { token: string; name: string; password: string }): Promise<User> {
    for (let tries = 0; tries < maxTries; tries++) {
      try {
        return await tryToAccept(given);
      } catch (error) {
        if (!isDomainError(error, 'precondition_failed')) throw error;
      }
    }
    throw storeBusy('the user is being changed by others');
  }

  async function tryToAccept(given: { token: string; name: string; password: string }): Promise<User> {
    const { asset, version } = await getInvited(given.token);
    const { id, email } = toUser(asset);
    assertSound([...checkName(given.name), ...checkNewPassword(given.password, { email })]);
    const body = {
      name: given.name.trim(),
      passwordHash: await hashPassword(given.password, ids.secret(), passwordCost),
      invitationHash: null,
      invitationExpiresAt: null,
    };
    // The change is the user's own: the link proves who it is.
    const origin = { ...origins.current(), by: { kind: 'user' as const, id, name: email } };
    return origins.runAs(origin, async () => {
      const updated = await system.update({ id, body, ifVersions: [version] }, {});
      await endSessions(system, id);
      return toUser(updated.asset);
    });
  }

  return {
    invite,
    renew,
    /** Returns the user that a link invites, who has `invitedUntilMs`. Errors: invitation_ended. */
    check: async (token: string): Promise<User> => toUser((await getInvited(token)).asset),
    /** Sets the name and the password of the invited user. The link cannot be used again. Errors: invitation_ended, invalid_body. */
    accept: (given: { token: string; name: string; password: string }): Promise<User> =>
      queue.run(() => acceptNext(given)),
  };
}

function checkName(name: string) {
  const { length } = name.trim();
  return length >= 1 && length <= 100 ? [] : [{ path: 'name', message: 'must have 1 to 100 characters' }];
}
