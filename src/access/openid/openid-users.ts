/**
 * The users of OpenID Connect as records: known by the issuer and the subject of the provider, and brought up to date by each sign-in.
 */

import { forbidden, isDomainError, storeBusy } from '../../base/errors.ts';
import type { RequestOrigins } from '../../base/request-origin.ts';
import { toHashedUuid } from '../../base/uuid.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { Json, JsonObject } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import { nobodysHash } from '../users/password.ts';
import type { Role } from '../users/roles.ts';
import { emailPattern, findRecord, toEmail, toUser, type User, userType } from '../users/user-record.ts';
import type { Users } from '../users/users.ts';

/** The users of OpenID Connect. */
export type OpenidUsers = ReturnType<typeof createOpenidUsers>;

/** How often a user is saved again when the record was changed in the meantime. */
const maxTries = 5;

/** The errors of a change that came between. */
const passing = ['precondition_failed', 'not_found', 'id_in_use', 'value_in_use'] as const;

/** Creates the service, which keeps users in the system's content service. */
export function createOpenidUsers({
  system,
  users,
  origins,
}: {
  system: ContentService;
  users: Pick<Users, 'findByEmail'>;
  origins: RequestOrigins;
}) {
  /**
   * Returns the user of a person, created or brought up to date. A disabled user stays as it is. Errors: forbidden without an email, or
   * when another user has it.
   */
  async function save(person: ProviderPerson, role: Role): Promise<User> {
    const email = toEmail(person.email ?? '');
    if (!emailPattern.test(email))
      throw forbidden('The provider sends no email of yours, and a user needs one');
    // The change is the provider's, whoever signs in.
    const origin = { ...origins.current(), by: { kind: 'system', name: 'OpenID Connect' } as const };
    return origins.runAs(origin, () => saveAgain(person, { email, role }));
  }

  /** Saves again when another sign-in, or an administrator, was faster. */
  async function saveAgain(
    person: ProviderPerson,
    { email, role }: { email: string; role: Role },
  ): Promise<User> {
    const { issuer, subject } = person;
    const id = toHashedUuid(`user of OpenID Connect: ${JSON.stringify([issuer, subject])}`);
    for (let tries = 0; tries < maxTries; tries++) {
      try {
        return await trySaving(id, person, { email, role });
      } catch (error) {
        if (!passing.some((code) => isDomainError(error, code))) throw error;
        // Of two first sign-ins of one person, the second finds the email in use, too.
        const holder = await users.findByEmail(email);
        if (holder && holder.id !== id) throw forbidden(emailMessage(email));
      }
    }
    throw storeBusy('the user is being changed by others');
  }

  async function trySaving(
    id: string,
    { issuer, subject, name }: ProviderPerson,
    { email, role }: { email: string; role: Role },
  ): Promise<User> {
    const record = await findRecord(system, id);
    if (!record) {
      const fields = { email, role, issuer, subject, passwordHash: nobodysHash };
      const { asset } = await system.create(
        { _id: id, _type: userType, ...fields, ...(name === undefined ? {} : { name }) },
        {},
      );
      return toUser(asset);
    }
    const before = toUser(record.asset);
    if (before.disabledAtMs !== undefined) return before;
    const isSame = before.email === email && before.role === role && before.name === name;
    if (isSame) return before;
    const body = { email, role, name: name ?? null };
    const { asset } = await system.update({ id, body, ifVersions: [record.version] }, {});
    return toUser(asset);
  }

  return { save };
}

const emailMessage = (email: string) =>
  `Another user of Colophon has the email ${email}. An administrator can delete that user, and then you can sign in`;

/** A person, as the provider knows them; issuer and subject together never change. */
export interface ProviderPerson {
  readonly issuer: string;
  readonly subject: string;
  readonly email?: string;
  readonly name?: string;
  /** Absent if the provider sends no such claim. */
  readonly groups?: readonly string[];
}

/** Reads the claims; those of `token`, which is signed, come before those of `userinfo`. */
export function toPerson(
  { token, userinfo }: { token: JsonObject & { iss: string; sub: string }; userinfo: JsonObject },
  groupsClaim: string,
): ProviderPerson {
  const claims = { ...userinfo, ...token };
  const { email } = claims;
  const name = [claims.name, claims.preferred_username].find((one) => typeof one === 'string');
  const groups = findGroups(claims, groupsClaim);
  return {
    issuer: token.iss,
    subject: token.sub,
    ...(typeof email === 'string' ? { email } : {}),
    ...(typeof name === 'string' ? toName(name) : {}),
    ...(groups ? { groups } : {}),
  };
}

/** Whether claims say all that a sign-in needs. */
export const isComplete = (claims: JsonObject, groupsClaim: string): boolean =>
  typeof claims.email === 'string' &&
  typeof claims.name === 'string' &&
  findGroups(claims, groupsClaim) !== undefined;

/** Finds the groups under the name of a claim, or under a path with dots; one text stands for a list. */
function findGroups(claims: JsonObject, groupsClaim: string): readonly string[] | undefined {
  const value = Object.hasOwn(claims, groupsClaim) ? claims[groupsClaim] : findMember(claims, groupsClaim);
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : undefined;
}

function findMember(claims: JsonObject, path: string): Json | undefined {
  return path
    .split('.')
    .reduce<Json | undefined>(
      (value, name) => (isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
      claims,
    );
}

/** The name as the record of a user can hold it. */
function toName(text: string): { name?: string } {
  const name = text.toWellFormed().replaceAll(/\p{C}/gu, '').trim().slice(0, 100).toWellFormed().trim();
  return name === '' ? {} : { name };
}
