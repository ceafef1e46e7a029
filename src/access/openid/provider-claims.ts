/**
 * What a provider says about a user, read from the claims of the ID token and of its userinfo endpoint.
 */
import type { Json, JsonObject } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';

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
