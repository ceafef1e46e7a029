/**
 * Tells who a request comes from, at the price of one hash: the API clients are held in memory.
 *
 * The store's revision is asked twice a second, so a secret rotated or a client revoked by any process stops working here
 * within a second.
 */
import { unauthorized } from '../base/errors.ts';
import type { Logger } from '../base/runtime.ts';
import type { ApiClient, ApiClients } from './api-clients.ts';
import { hashSecret, isSecret } from './secret.ts';

/** Knows the API clients of the store as they are now. */
export interface Authenticator {
  /** Errors: unauthorized, which does not say whether the ID or the secret is wrong. */
  authenticate(clientId: string | undefined, secret: string | undefined): ApiClient;
  /** Reads the clients anew when they have changed. */
  refresh(): Promise<void>;
  /** Stops asking the store. */
  stop(): Promise<void>;
}

const pollIntervalMs = 500;

/** Reads the API clients and keeps them fresh until stopped. */
export async function createAuthenticator({
  clients,
  logger,
}: {
  clients: ApiClients;
  logger: Logger;
}): Promise<Authenticator> {
  let known = new Map<string, ApiClient>();
  let knownRevision: string | undefined;
  let reading: Promise<void> | undefined;
  // Compared against when the ID is unknown, so that the answer takes as long.
  const nobody = hashSecret('');

  async function readClients(): Promise<void> {
    // The revision is read first: a write between the two reads costs another reading, and is never missed.
    const revision = await clients.revision();
    if (revision === knownRevision) return;
    const list = await clients.list();
    known = new Map(
      list.filter(({ revokedAtMs }) => revokedAtMs === undefined).map((client) => [client.clientId, client]),
    );
    knownRevision = revision;
  }

  function read(): Promise<void> {
    reading = readClients().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  /** A reading under way may have begun before the write that the caller knows of; the next one has not. */
  async function refresh(): Promise<void> {
    await reading?.catch(() => undefined);
    await (reading ?? read());
  }

  function authenticate(clientId: string | undefined, secret: string | undefined): ApiClient {
    if (clientId === undefined || secret === undefined) {
      throw unauthorized('The headers X-Client-Id and X-Client-Secret are both needed');
    }
    const client = known.get(clientId);
    const matches = isSecret(secret, client?.secretHash ?? nobody);
    if (!client || !matches) throw unauthorized('The client ID or the client secret is wrong');
    return client;
  }

  await refresh();
  const timer = setInterval(() => {
    if (reading) return;
    read().catch((error: unknown) => logger.error({ err: error }, 'API clients could not be read'));
  }, pollIntervalMs);
  timer.unref();

  async function stop(): Promise<void> {
    clearInterval(timer);
    await reading?.catch(() => undefined);
  }

  return { authenticate, refresh, stop };
}
