/**
 * An API client that may do nothing with content or settings, made by a client with the scope admin, for answers 403.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Credentials, Sender } from '../responses/send-request.ts';
import type { ApiUnderTest, OwnResources } from './api-under-test.ts';
import { memberOf } from './api-under-test.ts';

/** A new client is in force everywhere within a second; a slow instance gets more. */
const attempts = 50;
const pauseMs = 100;

/** Makes the client when it is first asked for; without an admin there is only a reason why not. */
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
  /** Something that it may not read. */
  path: string;
}): ApiUnderTest['limited'] {
  let made: Promise<Credentials | string> | undefined;

  async function make(): Promise<Credentials | string> {
    const clientId = `contract-${randomUUID()}`;
    const body = { name: 'Contract test without rights', clientId, scopes: ['graphql'] };
    own.add(`${adminPath}/api-clients/${clientId}`);
    const answer = await send({ method: 'POST', path: `${adminPath}/api-clients`, body });
    const clientSecret = memberOf(answer.body, 'secret');
    if (typeof clientSecret !== 'string') {
      return `a client without rights could not be made: status ${answer.status}`;
    }
    const credentials = { clientId, clientSecret };
    for (let attempt = 0; attempt < attempts; attempt++) {
      const { status } = await send({ method: 'GET', path, credentials });
      if (status !== 401) return credentials;
      await setTimeout(pauseMs);
    }
    return 'a client without rights was made, and never let in';
  }

  return () => {
    made ??= make();
    return made;
  };
}
