/**
 * Authenticates API clients. They are kept in memory, so a request costs one hash.
 *
 * A secret rotated, a key removed or a client revoked by any process stops working here within a second; a key that expires, at once.
 * New credentials work at once: those that are wrong here wait until the clients were read again, at most fifty times a second.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { unauthorized } from '../base/errors.ts';
import type { Clock, Logger } from '../base/runtime.ts';
import { createRevisionCache } from '../content/revision-cache.ts';
import type { ApiClient } from './clients/api-client.ts';
import { isExpired, maxClientIdLength } from './clients/api-client.ts';
import type { ApiClients } from './clients/api-clients.ts';
import { hashSecret, isSameText } from './clients/secret.ts';
import type { Access, Credentials } from './endpoint-access.ts';
import {
  type AuthenticatedClient,
  allowsSame,
  type ClientSecret,
  divideAnyToken,
  divideToken,
  findBySecret,
  toKnownClients,
} from './known-clients.ts';
import type { WrongCredentials } from './wrong-credentials.ts';

/**
 * Authenticates requests against the current API clients of the store. After many wrong credentials from the same network, all calls
 * but those with a right API key throw too_many_attempts for some time.
 */
export interface Authenticator {
  /** Returns the client of an ID and a secret. Errors: unauthorized, which does not say which of the two is wrong. */
  authenticate(credentials: ClientCredentials): Promise<ApiClient>;
  /** Returns the client of an API key. Errors: unauthorized. */
  authenticateKey(key: string, address?: string): Promise<AuthenticatedClient>;
  /**
   * Returns the client of `<client ID>.<secret>`, divided at the first dot before which a client is known. Errors: unauthorized, which is
   * that of `authenticate` for an unknown client, too.
   */
  authenticateToken(token: string, address?: string): Promise<ApiClient>;
  /** Does the same beside other credentials: `undefined` when the token names no client, because it may be meant for a proxy. */
  findByToken(token: string, address?: string): Promise<ApiClient | undefined>;
  /**
   * Returns the client whose credentials a request to an endpoint sends. Where an API key is enough, a given key is used and
   * other credentials are ignored. Errors: unauthorized.
   */
  identify(access: Exclude<Access, 'ANYONE'>, credentials: Credentials): Promise<AuthenticatedClient>;
  /** Tells whether a client that was authenticated before still is as it was: its secret, its scopes and its sites. */
  isCurrent(client: ApiClient): boolean;
  /** Reads the clients again if they have changed. */
  refresh(): Promise<void>;
  /** Stops refreshing the clients. */
  stop(): Promise<void>;
}

/** Creates the authenticator: reads the API clients, and refreshes them until stopped. */
export async function createAuthenticator({
  clients,
  wrongCredentials,
  clock,
  logger,
}: {
  clients: ApiClients;
  wrongCredentials: WrongCredentials;
  clock: Clock;
  logger: Logger;
}): Promise<Authenticator> {
  const known = await createRevisionCache({
    revision: clients.revision,
    read: async () => toKnownClients(await clients.list()),
    logger,
    subject: 'API clients',
  });
  /** The latest state of a client that was found to allow the same. */
  const sameAs = new WeakMap<ApiClient, ApiClient>();

  let readingAgain: Promise<void> | undefined;
  let readAgainAtMs = Number.NEGATIVE_INFINITY;

  /** Reads the clients again, for all whose credentials were wrong meanwhile. If the store does not answer, they stay as they were. */
  function readAgain(): Promise<void> {
    readingAgain ??= (async () => {
      await delay(Math.max(0, readAgainAtMs + shortestPauseMs - performance.now()), undefined, {
        ref: false,
      });
      readAgainAtMs = performance.now();
      const reading = known
        .refresh()
        .catch((err: unknown) => logger.error({ err }, 'API clients could not be read'));
      await Promise.race([reading, delay(longestReadingMs, undefined, { ref: false })]);
      readingAgain = undefined;
    })();
    return readingAgain;
  }

  async function authenticate({ clientId, clientSecret, address }: ClientCredentials): Promise<ApiClient> {
    if (clientId === undefined || clientSecret === undefined) throw unauthorized(credentialsNeeded);
    return authenticateBy(() => ({ clientId, clientSecret }), address);
  }

  /** Authenticates what `read` returns, which may depend on the clients that are known. */
  async function authenticateBy(read: () => ClientSecret, address: string | undefined): Promise<ApiClient> {
    const given = read();
    const attempt = { clientId: given.clientId, address };
    wrongCredentials.assertMayTry(attempt);
    let client = findBySecret(known.current(), given);
    // No client has a longer ID, so there is nothing to guess.
    if (!client && given.clientId.length <= maxClientIdLength) {
      wrongCredentials.wrong(attempt);
      await readAgain();
      client = findBySecret(known.current(), read());
    }
    if (!client) throw unauthorized('The client ID or the client secret is wrong');
    wrongCredentials.right(attempt);
    return client;
  }

  async function authenticateKey(key: string, address?: string): Promise<AuthenticatedClient> {
    const given = hashSecret(key);
    const client = findByKey(given);
    if (client) return client;
    wrongCredentials.assertMayTry({ address });
    wrongCredentials.wrong({ address });
    await readAgain();
    const found = findByKey(given);
    if (!found) throw unauthorized('The API key is wrong');
    wrongCredentials.right({ address });
    return found;
  }

  /** Finds the client of a key by its hash. Errors: unauthorized for an expired key. */
  function findByKey(given: string): AuthenticatedClient | undefined {
    const found = known.current().byKeyHash.get(given);
    // Colophon makes all keys, and nobody can guess one, so a right one need not wait for the wrong ones of others at the address.
    if (!found || !isSameText(given, found.key.keyHash)) return undefined;
    if (isExpired(found.key, clock.nowMs())) throw unauthorized('The API key has expired');
    return found.client;
  }

  async function authenticateToken(token: string, address?: string): Promise<ApiClient> {
    if (!token.includes('.'))
      throw unauthorized('The token of Authorization: Bearer must be "<client ID>.<secret>"');
    return authenticateBy(() => divideAnyToken(known.current(), token), address);
  }

  async function findByToken(token: string, address?: string): Promise<ApiClient | undefined> {
    if (!token.includes('.')) return undefined;
    if (!divideToken(known.current(), token)) await readAgain();
    return divideToken(known.current(), token) && authenticateToken(token, address);
  }

  async function identify(
    access: Exclude<Access, 'ANYONE'>,
    credentials: Credentials,
  ): Promise<AuthenticatedClient> {
    return access === 'API_KEY' ? identifyByKey(credentials) : identifyBySecret(credentials);
  }

  async function identifyByKey(credentials: Credentials): Promise<AuthenticatedClient> {
    if (credentials.apiKey !== undefined) return authenticateKey(credentials.apiKey, credentials.address);
    return (
      (await findClient(credentials)) ??
      refuse('The header X-API-Key is needed, or X-Client-Id with X-Client-Secret, or a bearer token')
    );
  }

  async function identifyBySecret(credentials: Credentials): Promise<ApiClient> {
    const isKeyOnly = credentials.apiKey !== undefined;
    return (
      (await findClient(credentials)) ??
      refuse(isKeyOnly ? `${credentialsNeeded}: an API key does not do here` : credentialsNeeded)
    );
  }

  /** Finds the client of an ID and a secret, or else of a token; `undefined` without either. Errors: unauthorized. */
  async function findClient(credentials: Credentials): Promise<ApiClient | undefined> {
    const { clientId, clientSecret, token, address } = credentials;
    if (clientId !== undefined || clientSecret !== undefined) return authenticate(credentials);
    return token === undefined ? undefined : authenticateToken(token, address);
  }

  function isCurrent(client: ApiClient): boolean {
    const current = known.current().byId.get(client.clientId);
    if (current === undefined) return false;
    if (sameAs.get(client) !== current && !allowsSame(client, current)) return false;
    sameAs.set(client, current);
    return true;
  }

  return {
    authenticate,
    authenticateKey,
    authenticateToken,
    findByToken,
    identify,
    isCurrent,
    refresh: known.refresh,
    stop: known.stop,
  };
}

type ClientCredentials = Pick<Credentials, 'clientId' | 'clientSecret' | 'address'>;

/** Wrong credentials make the clients be read again at most so often, and wait for it at most so long. */
const shortestPauseMs = 20;
const longestReadingMs = 1_000;

const credentialsNeeded =
  'The headers X-Client-Id and X-Client-Secret are both needed, or Authorization: Bearer <client ID>.<secret>';

function refuse(message: string): never {
  throw unauthorized(message);
}
