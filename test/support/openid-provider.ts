/** An OpenID Connect provider on a free port, with its own pages, and a browser that signs in there by HTTP. */
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import type { OpenidSettings } from '../../src/access/openid/openid-settings.ts';

/** What the provider says about a user. */
export interface ProviderAccount {
  readonly email?: string;
  readonly name?: string;
  readonly groups?: readonly string[] | string;
}

/** Handles a request in place of the provider; to do nothing leaves it to the provider. */
export type Interception = (request: IncomingMessage, response: ServerResponse) => void;

/** A running provider. */
export interface TestProvider {
  readonly issuer: string;
  /** The accounts by login; any password fits. */
  readonly accounts: Map<string, ProviderAccount>;
  /** The settings of an instance that uses it. */
  readonly settings: OpenidSettings;
  /** Sees every request to a path first, until it is called again without an interception. */
  intercept(path: string, interception?: Interception): void;
  stop(): Promise<void>;
}

/** The roles of groups; the names are such as LDAP has, too. */
const groupRoles = new Map([
  ['cms-editors', 'editor'],
  ['cn=admins,ou=cms', 'admin'],
] as const);

const colophonClient = { client_id: 'colophon', client_secret: 'secret of the test client' };
/** Another client of the same provider. */
export const otherClient = { client_id: 'other', client_secret: 'secret of another client' };

/** Starts a provider whose clients are at a public URL. */
export async function startProvider(publicUrl: string): Promise<TestProvider> {
  const accounts = new Map<string, ProviderAccount>();
  const interceptions = new Map<string, Interception>();
  const redirectUri = `${publicUrl}/admin/sign-in/callback`;
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => {};
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    interceptions.get(path)?.(request, response);
    if (!response.writableEnded && !response.destroyed) handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  handle = createProvider(issuer, { accounts, redirectUri }).callback();
  return {
    issuer,
    accounts,
    settings: {
      issuer,
      clientId: colophonClient.client_id,
      clientSecret: colophonClient.client_secret,
      label: 'Example Inc.',
      scopes: 'openid email profile',
      groupsClaim: 'groups',
      roles: groupRoles,
      redirectUri,
    },
    intercept(path, interception) {
      if (interception) interceptions.set(path, interception);
      else interceptions.delete(path);
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Makes an interception that answers all requests like the first one, which the provider answers. */
export function repeatFirstResponse(): Interception {
  let first: { headers: ReturnType<ServerResponse['getHeaders']>; body: Buffer } | undefined;
  return (request, response) => {
    if (first) {
      request.resume();
      response.writeHead(200, { ...first.headers }).end(first.body);
      return;
    }
    const end = response.end.bind(response) as (...given: unknown[]) => ServerResponse; // One of its overloads.
    response.end = (...given: unknown[]) => {
      first = { headers: response.getHeaders(), body: Buffer.from(String(given[0])) };
      return end(...given);
    };
  };
}

/** A key as the provider publishes it; each has the same ID. */
export const newKey = () => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  kid: 'the key',
  use: 'sig',
  alg: 'ES256',
});
const signingKey = newKey();

function createProvider(
  issuer: string,
  { accounts, redirectUri }: { accounts: Map<string, ProviderAccount>; redirectUri: string },
): Provider {
  const client = { redirect_uris: [redirectUri], id_token_signed_response_alg: 'ES256' };
  return new Provider(issuer, {
    clients: [
      { ...colophonClient, ...client },
      { ...otherClient, ...client },
    ],
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
    jwks: { keys: [signingKey] },
    cookies: { keys: ['a key of the tests'] },
    claims: { email: ['email'], profile: ['name', 'groups'] },
    // As most providers have it; the ID token has little more than the subject.
    conformIdTokenClaims: true,
    features: { devInteractions: { enabled: true } },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, ...accounts.get(id) }),
    }),
  });
}

/**
 * Opens the address of a sign-in as a new browser does, signs in on the pages of the provider and consents. Returns the query string
 * that the provider sends back.
 */
export async function signInAtProvider(location: string, login: string): Promise<string> {
  const browser = createProviderBrowser();
  const asked = await browser.follow(location);
  const consent = await browser.submit(asked, { prompt: 'login', login, password: 'any' });
  const back = await browser.submit(consent, { prompt: 'consent' });
  return new URL(back).search;
}

/** Opens the address of a sign-in and leaves the page of the provider by its link to cancel. */
export async function cancelAtProvider(location: string): Promise<string> {
  const browser = createProviderBrowser();
  const asked = await browser.follow(location);
  return new URL(await browser.follow(`${asked}/abort`)).search;
}

function createProviderBrowser() {
  const cookies = new Map<string, string>();

  async function send(url: string, form?: Record<string, string>): Promise<Response> {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { Cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    await response.body?.cancel();
    return response;
  }

  /** Follows redirects of the provider, to a page of it or back to Colophon. */
  async function follow(url: string, form?: Record<string, string>): Promise<string> {
    const response = await send(url, form);
    const location = response.headers.get('Location');
    if (location === null) {
      if (!response.ok) throw new Error(`The provider answers ${response.status} at ${url}`);
      return url;
    }
    const next = new URL(location, url);
    return next.pathname.endsWith('/admin/sign-in/callback') ? next.href : follow(next.href);
  }

  return { follow: (url: string) => follow(url), submit: follow };
}
