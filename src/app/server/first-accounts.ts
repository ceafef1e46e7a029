/**
 * Creates the first API client and the first user in an empty store.
 */
import { type ApiCredentials, createFirstApiClient } from '../../access/clients/api-clients.ts';
import { findIgnoredCredentials } from '../../access/compare-first-accounts.ts';
import { checkNewPassword } from '../../access/users/password.ts';
import { createFirstUser, firstEmail, type SignIn } from '../../access/users/users.ts';
import { badConfig, type Problem } from '../../base/errors.ts';
import type { Logger } from '../../base/runtime.ts';
import type { AccessRecords } from '../compose/compose-records.ts';
import type { Config } from '../config/config.ts';

/** The client and the user that a start has created in an empty store. */
export interface FirstAccounts {
  readonly client?: ApiCredentials | undefined;
  readonly user?: SignIn | undefined;
}

/**
 * Creates those that the store lacks, and logs which configured credentials are not used, or would be refused. Errors: bad_config for a
 * password that no new user may have, before anything is created.
 */
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
  const faults = password === undefined ? [] : checkFirstPassword(password, email);
  if (faults.length > 0 && (await records.users.list()).length === 0) throw badConfig(faults);
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
  const weak = faults.map(({ path, message }) => `${path} ${message}: an empty store would refuse it`);
  for (const sentence of [...weak, ...ignored]) logger.warn({}, sentence);
  return { client, user };
}

const checkFirstPassword = (password: string, email = firstEmail): Problem[] =>
  checkNewPassword(password, { email, path: 'COLOPHON_ADMIN_PASSWORD' });
