/**
 * A command that tries an API client's credentials on something it may do.
 */
import type { IssuedClient } from '../../../../generated/client/lib/admin.js';
import { toShellWord } from '../../parts/shell-word.ts';

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
  const credentials = `-H ${toShellWord(`X-Client-Id: ${client.clientId}`)} -H ${toShellWord(`X-Client-Secret: ${secret}`)}`;
  if (client.scopes.includes('cma:read')) return `curl ${credentials} ${toShellWord(origin + cmaPath)}`;
  if (client.scopes.includes('admin'))
    return `curl ${credentials} ${toShellWord(`${origin}/api/admin/types`)}`;
  if (client.scopes.includes('graphql') && graphqlPath !== undefined) {
    const body = `-H 'Content-Type: application/json' -d '{"query": "{ __typename }"}'`;
    return `curl ${credentials} ${body} ${toShellWord(`${origin}/graphql/${graphqlPath}`)}`;
  }
  return undefined;
}
