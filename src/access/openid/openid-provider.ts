/**
 * The OpenID Connect provider, through `openid-client`: where to send the browser, and who has come back from there.
 *
 * The package is loaded on first use, because most installations have no provider. What the provider says about itself is read once an
 * hour and shared by all sign-ins.
 */

import { hash } from 'node:crypto';
import type * as OpenidClient from 'openid-client';
import type { CustomFetch, FetchBody } from 'openid-client';
import { type DomainError, isDomainError, providerFailed, unauthorized } from '../../base/errors.ts';
import type { Clock } from '../../base/runtime.ts';
import type { JsonObject } from '../../model/content-type.ts';
import { maxResponseBytes, type SendOutbound } from '../../outbound/send-outbound.ts';
import type { BegunSignIn } from './begun-sign-ins.ts';
import type { OpenidSettings } from './openid-settings.ts';
import { isComplete, type ProviderPerson, toPerson } from './openid-users.ts';

export interface OpenidProvider {
  /** Returns the address where the browser begins a sign-in. Errors: provider_failed. */
  locate(begun: BegunSignIn): Promise<string>;
  /** Returns who has signed in, by the query string that the browser has brought. Errors: unauthorized, provider_failed. */
  identify(begun: BegunSignIn, query: URLSearchParams): Promise<ProviderPerson>;
  /** Reads what the provider says about itself. Errors: provider_failed. */
  check(): Promise<void>;
}

/** How long what the provider says about itself is used. */
const discoveryMs = 60 * 60 * 1000;

/** Creates it; sends nothing yet. */
export function createOpenidProvider({
  settings,
  send,
  clock,
}: {
  settings: OpenidSettings;
  send: SendOutbound;
  clock: Clock;
}): OpenidProvider {
  const { issuer, clientId, clientSecret, redirectUri, scopes, groupsClaim } = settings;
  let discovered: { readonly found: Promise<OpenidClient.Configuration>; readonly atMs: number } | undefined;

  /** Runs an action with the library and the provider, and turns its errors into ours. */
  async function use<Result>(
    act: (client: typeof OpenidClient, provider: OpenidClient.Configuration) => Promise<Result>,
  ): Promise<Result> {
    const client = await import('openid-client');
    try {
      return await act(client, await discoverOnce(client));
    } catch (error) {
      throw toSignInError(error, client);
    }
  }

  function discoverOnce(client: typeof OpenidClient): Promise<OpenidClient.Configuration> {
    if (discovered && clock.nowMs() - discovered.atMs < discoveryMs) return discovered.found;
    const found = discover(client);
    discovered = { found, atMs: clock.nowMs() };
    // The next sign-in tries again.
    found.catch(() => {
      if (discovered?.found === found) discovered = undefined;
    });
    return found;
  }

  async function discover(client: typeof OpenidClient): Promise<OpenidClient.Configuration> {
    const url = new URL(issuer);
    const authenticate: OpenidClient.ClientAuth = (server, ...rest) =>
      chooseAuthentication(client, server, clientSecret)(server, ...rest);
    const provider = await client.discovery(url, clientId, undefined, authenticate, {
      [client.customFetch]: createProviderFetch(send),
      // The configuration allows http for private addresses only.
      execute: url.protocol === 'http:' ? [client.allowInsecureRequests] : [],
    });
    // For Entra ID the library also accepts an issuer of many tenants, of which anybody can make one.
    const { issuer: received } = provider.serverMetadata();
    if (URL.parse(received)?.href !== url.href)
      throw providerFailed(`Its issuer is ${received}, and not ${issuer}`);
    client.enableNonRepudiationChecks(provider);
    return provider;
  }

  return {
    locate: ({ state, nonce, verifier }) =>
      use(async (client, provider) => {
        const parameters = {
          redirect_uri: redirectUri,
          scope: scopes,
          state,
          nonce,
          code_challenge: hash('sha256', verifier, 'base64url'),
          code_challenge_method: 'S256',
        };
        return client.buildAuthorizationUrl(provider, parameters).href;
      }),

    identify: ({ state, nonce, verifier }, query) =>
      use(async (client, provider) => {
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
        const tokens = await client.authorizationCodeGrant(
          provider,
          new URL(`${redirectUri}?${query}`),
          checks,
        );
        const claims = tokens.claims();
        if (!claims) throw providerFailed('It sends no ID token');
        // Parsed from JSON by the library, which has checked the standard claims.
        const token = claims as JsonObject & { iss: string; sub: string };
        const isAsked =
          !isComplete(token, groupsClaim) && provider.serverMetadata().userinfo_endpoint !== undefined;
        const userinfo = isAsked ? await client.fetchUserInfo(provider, tokens.access_token, token.sub) : {};
        return toPerson({ token, userinfo: userinfo as JsonObject }, groupsClaim);
      }),

    check: () => use(async () => {}),
  };
}

/** Chooses how the client authenticates; a provider that names no method accepts `client_secret_basic`. Errors: provider_failed. */
function chooseAuthentication(
  client: typeof OpenidClient,
  { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] }: OpenidClient.ServerMetadata,
  secret: string,
): OpenidClient.ClientAuth {
  if (methods.includes('client_secret_basic')) return client.ClientSecretBasic(secret);
  if (methods.includes('client_secret_post')) return client.ClientSecretPost(secret);
  throw providerFailed('It accepts client secrets neither by client_secret_basic nor by client_secret_post');
}

/** Statuses of responses without a body. */
const withoutBody = [204, 205, 304];

/** Creates the function. Errors: provider_failed. */
function createProviderFetch(send: SendOutbound): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const sent = await send({ method, url, headers, body: toText(body), ...(signal && { signal }) });
    if (sent.kind === 'failed') throw providerFailed(sent.reason);
    // What was cut off could still be valid.
    if (Buffer.byteLength(sent.body) >= maxResponseBytes)
      throw providerFailed(`It answers with more than ${maxResponseBytes / 1024} KiB`);
    const text = withoutBody.includes(sent.status) ? null : sent.body;
    return new Response(text, { status: sent.status, headers: sent.headers });
  };
}

function toText(body: FetchBody): string {
  if (body === undefined || body === null) return '';
  if (typeof body === 'string' || body instanceof URLSearchParams) return String(body);
  throw new Error('openid-client sends a body of another kind');
}

// Turns the errors of `openid-client` into those of Colophon: a refused sign-in, which the person can begin again, or a failed
// provider, of which an administrator should know.

/** The errors that a provider sends about the person, and not about the client that Colophon is there (RFC 6749, OpenID Connect Core). */
const ofPerson = [
  'access_denied',
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
];

/** The checks of an ID token that one for another sign-in or another client does not pass. */
const ofToken = ['OAUTH_JWT_CLAIM_COMPARISON_FAILED', 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED'];

/** The longest text of the provider that is shown. */
const maxTextLength = 300;

/** Returns unauthorized or provider_failed for an error of the library, and other domain errors as they are. */
function toSignInError(error: unknown, client: typeof OpenidClient): DomainError {
  const known = findDomainError(error);
  if (known) return known;
  if (error instanceof client.AuthorizationResponseError) {
    const text = describe(error);
    return ofPerson.includes(error.error)
      ? unauthorized(`The provider did not sign you in: ${text}`)
      : providerFailed(`It refused the sign-in: ${text}`, error);
  }
  if (error instanceof client.ResponseBodyError) {
    if (error.error === 'invalid_grant')
      return unauthorized('The provider no longer accepts this sign-in. Sign in again');
    return providerFailed(`It refused the request for the tokens: ${describe(error)}`, error);
  }
  const reason = reasonsOf(error).join(': ');
  if (error instanceof client.ClientError && ofToken.includes(error.code ?? ''))
    return unauthorized(`The ID token is not valid for this sign-in: ${reason}`);
  return providerFailed(clip(reason), error);
}

/** Errors of our own that the library has wrapped. */
function findDomainError(error: unknown): DomainError | undefined {
  if (isDomainError(error)) return error;
  return error instanceof Error ? findDomainError(error.cause) : undefined;
}

function reasonsOf(error: unknown): string[] {
  return error instanceof Error ? [error.message, ...reasonsOf(error.cause)] : [];
}

function describe({
  error,
  error_description: more,
}: {
  error: string;
  error_description?: string | undefined;
}): string {
  return clip(more === undefined ? error : `${error} (${more})`);
}

/** The provider may have sent anything. */
const clip = (text: string) => text.toWellFormed().replaceAll(/\p{C}/gu, ' ').slice(0, maxTextLength);
