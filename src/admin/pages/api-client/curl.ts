/**
 * A curl command that tests the credentials or the key of an API client with a request its scopes allow.
 */
import type { ApiClient, GraphqlEndpoint } from 'colophon-client/admin';
import { toShellWord } from '../../../text/shell-word.ts';

/** What there is to try. */
export interface Places {
  /** Of the server. */
  readonly serverUrl: string;
  /** Of the assets, in the content management API. */
  readonly cmaUrl: string | undefined;
  readonly graphqlEndpoints: readonly Pick<GraphqlEndpoint, 'id' | 'path' | 'access' | 'trustedOnly'>[];
}

/** The members of a client that decide what it may request. */
type Caller = Pick<ApiClient, 'clientId' | 'scopes' | 'endpoints'>;

/** The command line for the ID and the secret, or undefined when no scope allows a request. */
export function toCurl(
  { client, secret }: { readonly client: Caller; readonly secret: string },
  places: Places,
): string | undefined {
  const { serverUrl, cmaUrl } = places;
  const { clientId, scopes } = client;
  const headers = [`X-Client-Id: ${clientId}`, `X-Client-Secret: ${secret}`];
  const release = scopes.includes('cma:read')
    ? ''
    : scopes.includes('cma:draft')
      ? '&release=drafts'
      : undefined;
  if (release !== undefined)
    return cmaUrl && commandOf(headers, `${cmaUrl}?from=com.colophon.cms.db.Site${release}`);
  if (scopes.includes('admin')) return commandOf(headers, `${serverUrl}/api/admin/types`);
  if (scopes.includes('metrics')) return commandOf(headers, `${serverUrl}/metrics`);
  return graphqlCommand(headers, client, places);
}

/** The command line for a key, or undefined when no endpoint takes the keys of the client. */
export function toKeyCurl(
  { client, secret }: { readonly client: Caller; readonly secret: string },
  places: Places,
): string | undefined {
  const graphqlEndpoints = places.graphqlEndpoints.filter(({ access }) => access === 'API_KEY');
  return graphqlCommand([`X-API-Key: ${secret}`], client, { ...places, graphqlEndpoints });
}

/** Asks an endpoint for nothing but the name of its root type; one with trusted documents only would refuse that. */
function graphqlCommand(
  headers: readonly string[],
  { scopes, endpoints }: Caller,
  { serverUrl, graphqlEndpoints }: Places,
): string | undefined {
  const open = graphqlEndpoints.find(
    ({ id, trustedOnly }) => !trustedOnly && (endpoints?.includes(id) ?? true),
  );
  if (!open || !scopes.includes('graphql')) return undefined;
  const body = `-d '{"query": "{ __typename }"}'`;
  return commandOf([...headers, 'Content-Type: application/json'], `${serverUrl}/graphql/${open.path}`, body);
}

const commandOf = (headers: readonly string[], url: string, body?: string) =>
  [
    'curl',
    ...headers.map((header) => `-H ${toShellWord(header)}`),
    ...(body ? [body] : []),
    toShellWord(url),
  ].join(' ');
