/**
 * The module that `colophon-client/admin` stands for: the admin API, whose calls answer `data` or `error`.
 */

import { AdminClient } from './admin/sdk.gen.ts';
import type { Session } from './admin/types.gen.ts';
import { type Client, createConfig, createClient as createHttpClient } from './http/client/index.ts';

export type { AdminClient } from './admin/sdk.gen.ts';
export type * from './admin/types.gen.ts';
export { createFileFetch, type SentFile, type UploadProgress } from './upload-file.ts';

/** The server's address, and the credentials of an API client. */
export interface AdminClientOptions {
  /** The server's address, such as `https://cms.example.com`. */
  baseUrl: string;
  /** The ID and the secret of an API client with the scope `admin`; without them, a user signs in. */
  credentials?: { clientId: string; clientSecret: string };
  /** Called in place of the global `fetch`. */
  fetch?: typeof globalThis.fetch;
}

/**
 * Creates a client of the admin API; it sends nothing until one of its methods is called.
 *
 * In a browser the session's cookie is sent automatically, and so is its CSRF token after `signIn`, `finishOpenidSignIn` or
 * `getSession`.
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

/** Where a session begins or is read. */
const sessionUrls = ['/api/admin/session', '/api/admin/session/openid-connect/callback'];

function rememberCsrfToken(client: Client): void {
  let csrfToken: string | undefined;
  client.interceptors.request.use((request) => {
    if (csrfToken !== undefined && request.method !== 'GET') request.headers.set('X-CSRF-Token', csrfToken);
    return request;
  });
  client.interceptors.response.use(async (response, _request, { url }) => {
    if (sessionUrls.includes(url) && response.status === 200) {
      // All their operations are documented to return a session.
      ({ csrfToken } = (await response.clone().json()) as Session);
    }
    return response;
  });
}
