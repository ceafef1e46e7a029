/**
 * Creates the first API client and the first user in an empty store.
 */
import { type ApiCredentials, createFirstApiClient } from '../../access/clients/api-clients.ts';
import { findIgnoredCredentials } from '../../access/compare-first-accounts.ts';
import { createFirstUser, type SignIn } from '../../access/users/users.ts';
import type { Logger } from '../../base/runtime.ts';
import type { AccessRecords } from '../compose/compose-records.ts';
import type { Config } from '../config/config.ts';

/** The client and the user that a start has created in an empty store. */
export interface FirstAccounts {
  readonly client?: ApiCredentials | undefined;
  readonly user?: SignIn | undefined;
}

/** Creates those that the store lacks, and logs which configured credentials are not used. */
export async function createFirstAccounts(
  records: AccessRecords,
  config: Config,
  logger: Logger,
): Promise<FirstAccounts> {
  const {
    firstClientId: clientId,
    firstClientSecret: secret,
    firstClientScopes: scopes,
    adminEmail: email,
    adminPassword: password,
  } = config;
  const client = await createFirstApiClient(records.clients, {
    ...(clientId ? { clientId } : {}),
    ...(secret ? { secret } : {}),
    ...(scopes ? { scopes } : {}),
  });
  const user = await createFirstUser(records.users, {
    ...(email ? { email } : {}),
    ...(password ? { password } : {}),
  });
  const ignored = await findIgnoredCredentials(records, {
    ...(client ? {} : { clientId, secret, scopes }),
    ...(user ? {} : { email, password }),
  });
  for (const sentence of ignored) logger.warn({}, sentence);
  return { client, user };
}
