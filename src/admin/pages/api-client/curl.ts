/**
 * A command that tries an API client's credentials on something it may do.
 */
import type { IssuedClient } from '../../../../generated/client/lib/admin.js';
import { shellQuote as quote } from '../../parts/shell-quote.ts';

/** What there is to try. */
export interface Places {
  /** Of the server. */
  readonly origin: string;
  /** Of the assets, in the content management API. */
  readonly cmaUrl: string | undefined;
  /** Of a GraphQL endpoint that the client may use. */
  readonly graphqlPath: string | undefined;
}

/** The line for a shell; undefined when there is nothing to try. */
export function toCurl(issued: IssuedClient, { origin, cmaUrl, graphqlPath }: Places): string | undefined {
  const { client, secret } = issued;
  const credentials = `-H ${quote(`X-Client-Id: ${client.clientId}`)} -H ${quote(`X-Client-Secret: ${secret}`)}`;
  if (client.scopes.includes('cma:read')) {
    return cmaUrl && `curl ${credentials} ${quote(`${cmaUrl}?from=com.colophon.cms.db.Site`)}`;
  }
  if (client.scopes.includes('admin')) return `curl ${credentials} ${quote(`${origin}/api/admin/types`)}`;
  if (client.scopes.includes('graphql') && graphqlPath !== undefined) {
    const body = `-H 'Content-Type: application/json' -d '{"query": "{ __typename }"}'`;
    return `curl ${credentials} ${body} ${quote(`${origin}/graphql/${graphqlPath}`)}`;
  }
  return undefined;
}
