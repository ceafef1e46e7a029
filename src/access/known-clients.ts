/**
 * The API clients that an authenticator knows at one moment: finds the client of a secret, of a key and of a bearer token.
 */
import type { ApiClient, ApiKey } from './clients/api-client.ts';
import { maxClientIdLength } from './clients/api-client.ts';
import { hashSecret, isSecret } from './clients/secret.ts';

/** The ID of a client and a secret. */
export interface ClientSecret {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A client as a request has authenticated it. */
export interface AuthenticatedClient extends ApiClient {
  /** The ID of the API key that was sent; absent with other credentials. */
  readonly keyId?: string;
}

/** The clients that are not revoked, by ID and by the hashes of their keys. */
export interface KnownClients {
  readonly byId: ReadonlyMap<string, ApiClient>;
  readonly byKeyHash: ReadonlyMap<string, { readonly client: AuthenticatedClient; readonly key: ApiKey }>;
}

/** Leaves out clients that are revoked. */
export function toKnownClients(clients: readonly ApiClient[]): KnownClients {
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

/** Finds the client of an ID and a secret. */
export function findBySecret(
  { byId }: KnownClients,
  { clientId, clientSecret }: ClientSecret,
): ApiClient | undefined {
  const client = byId.get(clientId);
  const matches = isSecret(clientSecret, client?.secretHash ?? unknownClientHash);
  return matches ? client : undefined;
}

/** Divides a bearer token into the ID of a known client and a secret. */
export function divideToken({ byId }: KnownClients, token: string): ClientSecret | undefined {
  for (let dot = token.indexOf('.'); dot > 0 && dot <= maxClientIdLength; dot = token.indexOf('.', dot + 1))
    if (byId.has(token.slice(0, dot))) return divideAt(token, dot);
  return undefined;
}

/** Divides a bearer token that has a dot, at the first one if it names no client. */
export const divideAnyToken = (known: KnownClients, token: string): ClientSecret =>
  divideToken(known, token) ?? divideAt(token, token.indexOf('.'));

const divideAt = (token: string, dot: number): ClientSecret => ({
  clientId: token.slice(0, dot),
  clientSecret: token.slice(dot + 1),
});

/** Tells whether two states of a client allow the same, with the same secret. */
export function allowsSame(client: ApiClient, other: ApiClient): boolean {
  const allowed = ({ secretHash, scopes, sites }: ApiClient) => JSON.stringify([secretHash, scopes, sites]);
  return client === other || allowed(client) === allowed(other);
}
