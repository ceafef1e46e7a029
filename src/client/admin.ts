/**
 * The module that `colophon-client/admin` stands for: the admin API, whose calls answer `data` or `error`.
 */

import { type Client, createConfig, createClient as createHttpClient } from './admin/client/index.ts';
import { AdminClient } from './admin/sdk.gen.ts';
import type { Session } from './admin/types.gen.ts';

export type * from './admin/deprecated-names.gen.ts';
export type { AdminClient } from './admin/sdk.gen.ts';
export type * from './admin/types.gen.ts';

/** How to reach a server. */
export interface AdminClientOptions {
  /** The server's address, such as `https://cms.example.com`. */
  baseUrl: string;
  /** The ID and the secret of an API client with the scope `admin`; without them, a user signs in. */
  credentials?: { clientId: string; clientSecret: string };
  /** Called in place of the global `fetch`. */
  fetch?: typeof globalThis.fetch;
}

/**
 * Makes a client of the admin API; it does nothing until one of its methods is called.
 *
 * In a browser the session's cookie goes along by itself, and so does its CSRF token once `signIn` or `getSession` was called.
 */
export function createAdminClient({ baseUrl, credentials, fetch }: AdminClientOptions): AdminClient {
  const headers = credentials && {
    'X-Client-Id': credentials.clientId,
    'X-Client-Secret': credentials.clientSecret,
  };
  const client = createHttpClient(
    createConfig({ baseUrl, ...(headers ? { headers } : {}), ...(fetch ? { fetch } : {}) }),
  );
  if (!credentials) rememberCsrfToken(client);
  return new AdminClient({ client });
}

function rememberCsrfToken(client: Client): void {
  let csrfToken: string | undefined;
  client.interceptors.request.use((request) => {
    if (csrfToken !== undefined && request.method !== 'GET') request.headers.set('X-CSRF-Token', csrfToken);
    return request;
  });
  client.interceptors.response.use(async (response, _request, { url }) => {
    if (url === '/api/admin/session' && response.status === 200) {
      // What these two answer with is documented.
      ({ csrfToken } = (await response.clone().json()) as Session);
    }
    return response;
  });
}
