/**
 * A command that tries an API client's credentials on something it may do.
 */
import type { IssuedClient } from '../../../../generated/client/lib/admin.js';

const cmaPath = '/api/rest/cma/contents?from=com.colophon.cms.db.Site';

/** The line for a shell; undefined when there is nothing to try. `graphqlPath` is that of an endpoint it may use. */
export function toCurl({
  origin,
  issued,
  graphqlPath,
}: {
  origin: string;
  issued: IssuedClient;
  graphqlPath: string | undefined;
}): string | undefined {
  const { client, secret } = issued;
  const credentials = `-H ${quote(`X-Client-Id: ${client.clientId}`)} -H ${quote(`X-Client-Secret: ${secret}`)}`;
  if (client.scopes.includes('cma:read')) return `curl ${credentials} ${quote(origin + cmaPath)}`;
  if (client.scopes.includes('admin')) return `curl ${credentials} ${quote(`${origin}/api/admin/types`)}`;
  if (client.scopes.includes('graphql') && graphqlPath !== undefined) {
    const body = `-H 'Content-Type: application/json' -d '{"query": "{ __typename }"}'`;
    return `curl ${credentials} ${body} ${quote(`${origin}/graphql/${graphqlPath}`)}`;
  }
  return undefined;
}

/** A text as one word of a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
