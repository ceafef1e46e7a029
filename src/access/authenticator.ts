/**
 * Authenticates API clients. They are kept in memory, so a request costs one hash.
 *
 * A secret rotated, a key removed or a client revoked by any process stops working here within a second; a key that expires, at once.
 * New credentials work at once: those that are wrong here wait until the clients were read again, at most fifty times a second.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { tooManyAttempts, unauthorized } from '../base/errors.ts';
import { networkOf } from '../base/request-origin.ts';
import type { Clock, Logger } from '../base/runtime.ts';
import { createRevisionCache } from '../content/revision-cache.ts';
import { type ApiClient, type ApiKey, isExpired, maxClientIdLength } from './clients/api-client.ts';
import type { ApiClients } from './clients/api-clients.ts';
import { hashSecret, isSameText, isSecret } from './clients/secret.ts';
import type { Access, Credentials } from './endpoint-access.ts';

/**
 * Authenticates requests against the current API clients of the store. After many wrong credentials from the same network, all calls
 * but those with a right API key throw too_many_attempts for some time.
 */
export type Authenticator = Awaited<ReturnType<typeof createAuthenticator>>;

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
}) {
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

  /** Returns the client of an ID and a secret. Errors: unauthorized, which does not say which of the two is wrong. */
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

  /** Returns the client of an API key. Errors: unauthorized. */
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

  /**
   * Returns the client of `<client ID>.<secret>`, divided at the first dot before which a client is known. Errors: unauthorized, which is
   * that of `authenticate` for an unknown client, too.
   */
  async function authenticateToken(token: string, address?: string): Promise<ApiClient> {
    if (!token.includes('.'))
      throw unauthorized('The token of Authorization: Bearer must be "<client ID>.<secret>"');
    return authenticateBy(() => divideAnyToken(known.current(), token), address);
  }

  /** Does the same beside other credentials: `undefined` when the token names no client, because it may be meant for a proxy. */
  async function findByToken(token: string, address?: string): Promise<ApiClient | undefined> {
    if (!token.includes('.')) return undefined;
    if (!divideToken(known.current(), token)) await readAgain();
    return divideToken(known.current(), token) && authenticateToken(token, address);
  }

  /**
   * Returns the client whose credentials a request to an endpoint sends. Where an API key is enough, a given key is used and
   * other credentials are ignored. Errors: unauthorized.
   */
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

  /** Tells whether a client that was authenticated before still is as it was: its secret, its scopes and its sites. */
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
    /** Reads the clients again if they have changed. */
    refresh: known.refresh,
    /** Stops refreshing the clients. */
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

/** The ID of a client and a secret. */
interface ClientSecret {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A client as a request has authenticated it. */
export interface AuthenticatedClient extends ApiClient {
  /** The ID of the API key that was sent; absent with other credentials. */
  readonly keyId?: string;
}

/** The clients that are not revoked, by ID and by the hashes of their keys. */
interface KnownClients {
  readonly byId: ReadonlyMap<string, ApiClient>;
  readonly byKeyHash: ReadonlyMap<string, { readonly client: AuthenticatedClient; readonly key: ApiKey }>;
}

/** Leaves out clients that are revoked. */
function toKnownClients(clients: readonly ApiClient[]): KnownClients {
  const active = clients.filter(({ revokedAtMs }) => revokedAtMs === undefined);
  return {
    byId: new Map(active.map((client) => [client.clientId, client])),
    byKeyHash: new Map(
      active.flatMap((client) =>
        client.keys.map((key) => [key.keyHash, { client: { ...client, keyId: key.id }, key }] as const),
      ),
    ),
  };
}

/** The secret is compared with this hash if the client ID is unknown, so that the response takes the same time. */
const unknownClientHash = hashSecret('');

function findBySecret(
  { byId }: KnownClients,
  { clientId, clientSecret }: ClientSecret,
): ApiClient | undefined {
  const client = byId.get(clientId);
  const matches = isSecret(clientSecret, client?.secretHash ?? unknownClientHash);
  return matches ? client : undefined;
}

/** Divides a bearer token into the ID of a known client and a secret. */
function divideToken({ byId }: KnownClients, token: string): ClientSecret | undefined {
  for (let dot = token.indexOf('.'); dot > 0 && dot <= maxClientIdLength; dot = token.indexOf('.', dot + 1))
    if (byId.has(token.slice(0, dot))) return divideAt(token, dot);
  return undefined;
}

/** Divides a bearer token that has a dot, at the first one if it names no client. */
const divideAnyToken = (known: KnownClients, token: string): ClientSecret =>
  divideToken(known, token) ?? divideAt(token, token.indexOf('.'));

const divideAt = (token: string, dot: number): ClientSecret => ({
  clientId: token.slice(0, dot),
  clientSecret: token.slice(dot + 1),
});

/** Tells whether two states of a client allow the same, with the same secret. */
function allowsSame(client: ApiClient, other: ApiClient): boolean {
  const allowed = ({ secretHash, scopes, sites }: ApiClient) => JSON.stringify([secretHash, scopes, sites]);
  return client === other || allowed(client) === allowed(other);
}

// Slows down those who guess the credentials of API clients: counts wrong ones by network address and client ID together, so that no
// stranger at another address can lock a client out.
//
// The counts are in memory, because a write for each wrong request would give strangers a way to load the store. The workers of one
// server tell each other every change. The number of counts is bounded; those that changed last are kept.

/** What attempts are counted under. */
interface CredentialAttempt {
  /** Absent for API keys, which are sent without an ID. */
  readonly clientId?: string;
  /** The network address of the sender, if known. */
  readonly address: string | undefined;
}

/** A change of a count: one more wrong attempt, or the first right one after wrong ones. */
export interface AttemptChange {
  readonly name: string;
  readonly isWrong: boolean;
}

/** The wrong credentials of a process. */
export type WrongCredentials = ReturnType<typeof createWrongCredentials>;

interface Count {
  wrong: number;
  lastAtMs: number;
}

/** How many attempts may be wrong before the next one has to wait. */
export const freeAttempts = 20;
/** How long the first attempt beyond the limit must wait; each further wrong one doubles the time. */
const firstWaitMs = 1_000;
const longestWaitMs = 60_000;
/** How long after the last wrong attempt a count is forgotten. */
const memoryMs = 15 * 60_000;
const maxCounts = 10_000;

/** Creates the counts. `now` is a monotonic clock in milliseconds. */
export function createWrongCredentials(now: () => number = () => performance.now()) {
  const counts = new LRUCache<string, Count>({ max: maxCounts });
  let report: (change: AttemptChange) => void = () => {};

  function find(name: string): Count | undefined {
    const count = counts.get(name);
    if (!count || now() - count.lastAtMs < memoryMs) return count;
    counts.delete(name);
    return undefined;
  }

  /** Applies a change in another process. */
  function apply({ name, isWrong }: AttemptChange): void {
    if (isWrong) counts.set(name, { wrong: (find(name)?.wrong ?? 0) + 1, lastAtMs: now() });
    else counts.delete(name);
  }

  function change(name: string, isWrong: boolean): void {
    apply({ name, isWrong });
    report({ name, isWrong });
  }

  return {
    /** Errors: too_many_attempts while attempts with this ID from this network must wait, whether right or wrong. */
    assertMayTry(attempt: CredentialAttempt) {
      if (counts.size === 0) return;
      const count = find(nameOf(attempt));
      if (!count) return;
      const waitMs = waitAfter(count) - (now() - count.lastAtMs);
      if (waitMs > 0) throw tooManyAttempts(Math.ceil(waitMs / 1000), 'attempts with wrong credentials');
    },
    /** Counts a wrong attempt. */
    wrong: (attempt: CredentialAttempt) => change(nameOf(attempt), true),
    /** Forgets the wrong attempts before a right one. */
    right(attempt: CredentialAttempt) {
      if (counts.size === 0) return;
      const name = nameOf(attempt);
      if (counts.has(name)) change(name, false);
    },
    apply,
    /** Calls `listener` with each change in this process. */
    onChange(listener: (change: AttemptChange) => void) {
      report = listener;
    },
  };
}

/** Returns how long the next attempt has to wait, in milliseconds from the last one. */
function waitAfter({ wrong }: Count): number {
  return wrong < freeAttempts ? 0 : Math.min(firstWaitMs * 2 ** (wrong - freeAttempts), longestWaitMs);
}

/** Names the count of an attempt; a network has no blanks. */
const nameOf = ({ clientId, address }: CredentialAttempt) =>
  `${address === undefined ? '' : networkOf(address)}${clientId === undefined ? '' : ` ${clientId}`}`;
