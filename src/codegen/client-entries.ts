/**
 * The entry modules of the client's package: how each API's client is made.
 *
 * They stand here as text, since they import what is generated beside them. `http/` has what all generated calls are built on.
 */
import { documentedCmaPath } from '../http/openapi-document.ts';

/** The module that `colophon-client` stands for. */
export const cmaEntry = `import { createClient as createHttpClient, createConfig } from './http/client/index.js';
import { CmaClient } from './cma/sdk.gen.js';

export type { CmaClient } from './cma/sdk.gen.js';
export type * from './cma/types.gen.js';

/** How to reach a server, and as which API client. */
export interface ClientOptions {
  /** The server's address, such as \`https://cms.example.com\`. */
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  /** The base path of the content management API, if it is not \`${documentedCmaPath}\`. */
  cmaPath?: string;
  /** Called in place of the global \`fetch\`. */
  fetch?: typeof globalThis.fetch;
}

/** Makes a client of the content management API; it does nothing until one of its methods is called. */
export function createClient({ baseUrl, clientId, clientSecret, cmaPath, fetch }: ClientOptions): CmaClient {
  const headers = { 'X-Client-Id': clientId, 'X-Client-Secret': clientSecret };
  const client = createHttpClient(createConfig({ baseUrl, headers, ...(fetch ? { fetch } : {}) }));
  if (cmaPath !== undefined) {
    client.interceptors.request.use((request, options) => {
      const url = request.url.replace('${documentedCmaPath}', () => cmaPath);
      return new Request(url, { ...options, headers: request.headers, body: options.serializedBody });
    });
  }
  return new CmaClient({ client });
}
`;

/** The module that `colophon-client/admin` stands for. */
export const adminEntry = `import { type Client, createClient as createHttpClient, createConfig } from './http/client/index.js';
import { AdminClient } from './admin/sdk.gen.js';

export type { AdminClient } from './admin/sdk.gen.js';
export type * from './admin/types.gen.js';

/** How to reach a server. */
export interface AdminClientOptions {
  /** The server's address, such as \`https://cms.example.com\`. */
  baseUrl: string;
  /** The ID and the secret of an API client with the scope \`admin\`; without them, a user signs in. */
  credentials?: { clientId: string; clientSecret: string };
  /** Called in place of the global \`fetch\`. */
  fetch?: typeof globalThis.fetch;
}

/**
 * Makes a client of the admin API; it does nothing until one of its methods is called.
 *
 * In a browser the session's cookie goes along by itself, and so does its CSRF token once \`signIn\` or \`getSession\` was called.
 */
export function createAdminClient({ baseUrl, credentials, fetch }: AdminClientOptions): AdminClient {
  const headers = credentials && {
    'X-Client-Id': credentials.clientId,
    'X-Client-Secret': credentials.clientSecret,
  };
  const client = createHttpClient(createConfig({ baseUrl, ...(headers ? { headers } : {}), ...(fetch ? { fetch } : {}) }));
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
      ({ csrfToken } = await response.clone().json());
    }
    return response;
  });
}
`;
