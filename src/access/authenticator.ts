/**
 * Authenticates API clients. They are kept in memory, so a request costs one hash.
 *
 * A secret rotated, a key removed or a client revoked by any process stops working here within a second.
 */
import { unauthorized } from '../base/errors.ts';
import type { Logger } from '../base/runtime.ts';
import { createRevisionCache } from '../content/revision-cache.ts';
import type { ApiClient } from './clients/api-client.ts';
import { maxClientIdLength } from './clients/api-client.ts';
import type { ApiClients } from './clients/api-clients.ts';
import { hashSecret, isSameText, isSecret } from './clients/secret.ts';
import type { Access, Credentials } from './endpoint-access.ts';

/** Authenticates requests against the current API clients of the store. */
export interface Authenticator {
  /** Returns the client of an ID and a secret. Errors: unauthorized, which does not say which of the two is wrong. */
  authenticate(clientId: string | undefined, secret: string | undefined): ApiClient;
  /** Returns the client of an API key. Errors: unauthorized. */
  authenticateKey(key: string): ApiClient;
  /**
   * Authenticates `<client ID>.<secret>`, divided at the first dot before which a client is known.
   *
   * `undefined` when the token names no client; it may be meant for a proxy. Errors: unauthorized.
   */
  authenticateToken(token: string): ApiClient | undefined;
  /**
   * Returns the client whose credentials a request to an endpoint sends. Where an API key is enough, a given key is used and
   * other credentials are ignored. Errors: unauthorized.
   */
  identify(access: Exclude<Access, 'ANYONE'>, credentials: Credentials): ApiClient;
  /** Reads the clients again if they have changed. */
  refresh(): Promise<void>;
  /** Stops refreshing the clients. */
  stop(): Promise<void>;
}

/** Creates the authenticator: reads the API clients, and refreshes them until stopped. */
export async function createAuthenticator({
  clients,
  logger,
}: {
  clients: ApiClients;
  logger: Logger;
}): Promise<Authenticator> {
  const known = await createRevisionCache({
    revision: clients.revision,
    read: async () => toKnownClients(await clients.list()),
    logger,
    subject: 'API clients',
  });
  // The secret is compared with this hash if the client ID is unknown, so that the response takes the same time.
  const unknownClientHash = hashSecret('');

  function authenticate(clientId: string | undefined, secret: string | undefined): ApiClient {
    if (clientId === undefined || secret === undefined) {
      throw unauthorized(credentialsNeeded);
    }
    const client = known.current().byId.get(clientId);
    const matches = isSecret(secret, client?.secretHash ?? unknownClientHash);
    if (!client || !matches) throw unauthorized('The client ID or the client secret is wrong');
    return client;
  }

  function authenticateKey(key: string): ApiClient {
    const given = hashSecret(key);
    const found = known.current().byKeyHash.get(given);
    if (!found || !isSameText(given, found.keyHash)) throw unauthorized('The API key is wrong');
    return found.client;
  }

  function authenticateToken(token: string): ApiClient | undefined {
    const { byId } = known.current();
    for (
      let dot = token.indexOf('.');
      dot > 0 && dot <= maxClientIdLength;
      dot = token.indexOf('.', dot + 1)
    ) {
      const clientId = token.slice(0, dot);
      if (byId.has(clientId)) return authenticate(clientId, token.slice(dot + 1));
    }
    return undefined;
  }

  function identify(access: Exclude<Access, 'ANYONE'>, credentials: Credentials): ApiClient {
    return access === 'API_KEY' ? identifyByKey(credentials) : identifyBySecret(credentials);
  }

  function identifyByKey(credentials: Credentials): ApiClient {
    if (credentials.apiKey !== undefined) return authenticateKey(credentials.apiKey);
    return (
      findBySecret(credentials) ??
      refuse('The header X-API-Key is needed, or X-Client-Id with X-Client-Secret, or a bearer token')
    );
  }

  function identifyBySecret(credentials: Credentials): ApiClient {
    const isKeyOnly = credentials.apiKey !== undefined;
    return (
      findBySecret(credentials) ??
      refuse(isKeyOnly ? `${credentialsNeeded}: an API key does not do here` : credentialsNeeded)
    );
  }

  /** Finds the client of an ID and a secret, or else of a token; `undefined` without either. Errors: unauthorized. */
  function findBySecret({ clientId, clientSecret, token }: Credentials): ApiClient | undefined {
    if (clientId !== undefined || clientSecret !== undefined) return authenticate(clientId, clientSecret);
    return token === undefined ? undefined : authenticateToken(token);
  }

  return {
    authenticate,
    authenticateKey,
    authenticateToken,
    identify,
    refresh: known.refresh,
    stop: known.stop,
  };
}

const credentialsNeeded =
  'The headers X-Client-Id and X-Client-Secret are both needed, or Authorization: Bearer <client ID>.<secret>';

function refuse(message: string): never {
  throw unauthorized(message);
}

/** The clients that are not revoked, by ID and by the hashes of their keys. */
interface KnownClients {
  readonly byId: ReadonlyMap<string, ApiClient>;
  readonly byKeyHash: ReadonlyMap<string, { readonly client: ApiClient; readonly keyHash: string }>;
}

function toKnownClients(clients: readonly ApiClient[]): KnownClients {
  const active = clients.filter(({ revokedAtMs }) => revokedAtMs === undefined);
  return {
    byId: new Map(active.map((client) => [client.clientId, client])),
    byKeyHash: new Map(
      active.flatMap((client) => client.keys.map(({ keyHash }) => [keyHash, { client, keyHash }] as const)),
    ),
  };
}
