/**
 * A curl command that tests an API client's credentials with a request its scopes allow.
 */
import type { IssuedClient } from 'colophon-client/admin';
import { toShellWord } from '../../../text/shell-word.ts';

/** What there is to try. */
export interface Places {
  /** Of the server. */
  readonly serverUrl: string;
  /** Of the assets, in the content management API. */
  readonly cmaUrl: string | undefined;
  /** Of a GraphQL endpoint that the client may use. */
  readonly graphqlPath: string | undefined;
}

/** The command line, or undefined when no scope allows a request. */
export function toCurl(issued: IssuedClient, { serverUrl, cmaUrl, graphqlPath }: Places): string | undefined {
  const { client, secret } = issued;
  const credentials = `-H ${toShellWord(`X-Client-Id: ${client.clientId}`)} -H ${toShellWord(`X-Client-Secret: ${secret}`)}`;
  if (client.scopes.includes('cma:read')) {
    return cmaUrl && `curl ${credentials} ${toShellWord(`${cmaUrl}?from=com.colophon.cms.db.Site`)}`;
  }
  if (client.scopes.includes('admin'))
    return `curl ${credentials} ${toShellWord(`${serverUrl}/api/admin/types`)}`;
  if (client.scopes.includes('graphql') && graphqlPath !== undefined) {
    const body = `-H 'Content-Type: application/json' -d '{"query": "{ __typename }"}'`;
    return `curl ${credentials} ${body} ${toShellWord(`${serverUrl}/graphql/${graphqlPath}`)}`;
  }
  return undefined;
}
