/**
 * An API client without rights to content and settings, which a client with the scope admin creates, to test for 403.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Credentials, Sender } from '../responses/send-request.ts';
import type { ApiUnderTest, OwnResources } from './api-under-test.ts';
import { memberOf } from './api-under-test.ts';

/** Every process of an instance knows a new client within a second; these attempts allow five. */
const attempts = 50;
const pauseMs = 100;

/** Creates the client on first use; without an admin it returns the reason. */
export function createLimitedClient({
  send,
  own,
  adminPath,
  path,
}: {
  /** Sends as the admin. */
  send: Sender;
  own: OwnResources;
  adminPath: string;
  /** A path that it must not read. */
  path: string;
}): ApiUnderTest['limited'] {
  let client: Promise<Credentials | string> | undefined;

  async function create(): Promise<Credentials | string> {
    const clientId = `contract-${randomUUID()}`;
    const body = { name: 'Contract test without rights', clientId, scopes: ['graphql'] };
    own.add(`${adminPath}/api-clients/${clientId}`);
    const response = await send({ method: 'POST', path: `${adminPath}/api-clients`, body });
    const clientSecret = memberOf(response.body, 'secret');
    if (typeof clientSecret !== 'string') {
      return `could not create a client without rights: status ${response.status}`;
    }
    const credentials = { clientId, clientSecret };
    for (let attempt = 0; attempt < attempts; attempt++) {
      const { status } = await send({ method: 'GET', path, credentials });
      if (status !== 401) return credentials;
      await setTimeout(pauseMs);
    }
    return 'the new client without rights was not authenticated in time';
  }

  return () => {
    client ??= create();
    return client;
  };
}
