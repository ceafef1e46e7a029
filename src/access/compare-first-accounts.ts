/**
 * Compares the first API client and the first user that the environment configures with those of a store in use. The environment
 * does not change them, so differences are reported.
 */
import type { ApiClients } from './clients/api-clients.ts';
import { isSecret } from './clients/secret.ts';
import type { Users } from './users/users.ts';

/** The configured credentials; absent ones are not compared. */
export interface GivenFirst {
  readonly clientId?: string | undefined;
  readonly secret?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly email?: string | undefined;
  readonly password?: string | undefined;
}

/** Reports the differences, each as a sentence with the command that helps. No sentence contains a secret. */
export async function findIgnoredCredentials(
  { clients, users }: { clients: ApiClients; users: Users },
  given: GivenFirst,
): Promise<string[]> {
  return [...(await findIgnoredClient(clients, given)), ...(await findIgnoredUser(users, given))];
}

async function findIgnoredClient(
  clients: ApiClients,
  { clientId, secret, scopes }: GivenFirst,
): Promise<string[]> {
  if (clientId === undefined && secret === undefined) return [];
  const active = (await clients.list()).filter(({ revokedAtMs }) => revokedAtMs === undefined);
  const named = active.filter((client) => clientId === undefined || client.clientId === clientId);
  if (named.length === 0) {
    const help = 'make one with `colophon client create`, or unset the variable';
    return [`COLOPHON_CLIENT_ID is not the ID of an API client of this store, which has others; ${help}`];
  }
  const valid = secret === undefined ? named : named.filter((one) => isSecret(secret, one.secretHash));
  const [client] = valid;
  if (client) {
    const isSame = !scopes || scopes.toSorted().join() === client.scopes.toSorted().join();
    if (isSame || valid.length > 1) return [];
    return [
      `COLOPHON_CLIENT_SCOPES are not the scopes of the API client ${client.clientId}, which keeps ${client.scopes.join(', ')}; an administrator can change them`,
    ];
  }
  if (clientId === undefined) {
    return [
      'COLOPHON_CLIENT_SECRET is not the secret of any API client of this store; `colophon client rotate <client ID>` gives one a new secret',
    ];
  }
  return [
    `COLOPHON_CLIENT_SECRET is not the secret of the API client ${clientId}, which keeps the one it has; \`colophon client rotate ${clientId}\` gives it a new one`,
  ];
}

async function findIgnoredUser(users: Users, { email, password }: GivenFirst): Promise<string[]> {
  if (email === undefined && password === undefined) return [];
  const all = await users.list();
  const sought = email?.toLowerCase();
  const named = all.filter((user) => sought === undefined || user.email === sought);
  const help = '`colophon user create <email>` makes another user';
  if (named.length === 0) return [`COLOPHON_ADMIN_EMAIL is not the email of a user of this store; ${help}`];
  // Verifying is slow on purpose and users may be many: without an email only the first user is checked.
  const [user] = named;
  if (password === undefined || !user || (await users.verify({ email: user.email, password }))) return [];
  return [
    `COLOPHON_ADMIN_PASSWORD is not the password of ${user.email}, who keeps the one there is; ${help}`,
  ];
}
