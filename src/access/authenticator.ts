/**
 * Tells who a request comes from, at the price of one hash: the API clients are held in memory.
 *
 * A secret rotated, a key removed or a client revoked by any process stops working here within a second.
 */
import { unauthorized } from '../base/errors.ts';
import type { Logger } from '../base/runtime.ts';
import { createLiveValue } from '../content/live-records.ts';
import type { ApiClient } from './api-client.ts';
import type { ApiClients } from './api-clients.ts';
import { type Access, assertEndpoint, type Credentials } from './endpoint-access.ts';
import { assertScope } from './scopes.ts';
import { hashSecret, isSameText, isSecret } from './secret.ts';

/** Knows the API clients of the store as they are now. */
export interface Authenticator {
  /** Errors: unauthorized, which does not say whether the ID or the secret is wrong. */
  authenticate(clientId: string | undefined, secret: string | undefined): ApiClient;
  /** Errors: unauthorized. */
  authenticateKey(key: string): ApiClient;
  /**
   * Lets a request to a GraphQL endpoint in, and says whose it is; `undefined` where anyone may come, whoever it is.
   *
   * Where a key does, one that is given decides, whatever else is given. Errors: unauthorized, forbidden.
   */
  admit(request: EndpointRequest): ApiClient | undefined;
  /** Reads the clients anew when they have changed. */
  refresh(): Promise<void>;
  /** Stops asking the store. */
  stop(): Promise<void>;
}

/** A request as far as its admission goes; `endpointId` is that of the GraphQL endpoint, for a mapped route too. */
export interface EndpointRequest {
  readonly access: Access;
  readonly endpointId: string;
  readonly credentials: Credentials;
}

/** Reads the API clients and keeps them fresh until stopped. */
export async function createAuthenticator({
  clients,
  logger,
}: {
  clients: ApiClients;
  logger: Logger;
}): Promise<Authenticator> {
  const known = await createLiveValue({
    revision: clients.revision,
    read: async () => toKnownClients(await clients.list()),
    logger,
    subject: 'API clients',
  });
  // Compared against when the ID is unknown, so that the answer takes as long.
  const nobody = hashSecret('');

  function authenticate(clientId: string | undefined, secret: string | undefined): ApiClient {
    if (clientId === undefined || secret === undefined) {
      throw unauthorized('The headers X-Client-Id and X-Client-Secret are both needed');
    }
    const client = known.current().byId.get(clientId);
    const matches = isSecret(secret, client?.secretHash ?? nobody);
    if (!client || !matches) throw unauthorized('The client ID or the client secret is wrong');
    return client;
  }

  function authenticateKey(key: string): ApiClient {
    const given = hashSecret(key);
    const found = known.current().byKeyHash.get(given);
    if (!found || !isSameText(given, found.keyHash)) throw unauthorized('The API key is wrong');
    return found.client;
  }

  function admit({ access, endpointId, credentials }: EndpointRequest): ApiClient | undefined {
    if (access === 'ANYONE') return undefined;
    const client = access === 'API_KEY' ? admitByKey(credentials) : admitBySecret(credentials);
    assertScope(client, 'graphql');
    assertEndpoint(client, endpointId);
    return client;
  }

  function admitByKey({ apiKey, clientId, clientSecret }: Credentials): ApiClient {
    if (apiKey !== undefined) return authenticateKey(apiKey);
    if (clientId === undefined && clientSecret === undefined) {
      throw unauthorized('The header X-API-Key is needed, or X-Client-Id with X-Client-Secret');
    }
    return authenticate(clientId, clientSecret);
  }

  function admitBySecret({ apiKey, clientId, clientSecret }: Credentials): ApiClient {
    if (apiKey !== undefined && clientId === undefined && clientSecret === undefined) {
      throw unauthorized(
        'The headers X-Client-Id and X-Client-Secret are needed: an API key does not do here',
      );
    }
    return authenticate(clientId, clientSecret);
  }

  return { authenticate, authenticateKey, admit, refresh: known.refresh, stop: known.stop };
}

/** The clients that may come in, by what they come with. */
interface KnownClients {
  readonly byId: ReadonlyMap<string, ApiClient>;
  readonly byKeyHash: ReadonlyMap<string, { readonly client: ApiClient; readonly keyHash: string }>;
}

function toKnownClients(clients: readonly ApiClient[]): KnownClients {
  const live = clients.filter(({ revokedAtMs }) => revokedAtMs === undefined);
  return {
    byId: new Map(live.map((client) => [client.clientId, client])),
    byKeyHash: new Map(
      live.flatMap((client) => client.keys.map(({ keyHash }) => [keyHash, { client, keyHash }] as const)),
    ),
  };
}
