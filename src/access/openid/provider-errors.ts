/**
 * Turns the errors of `openid-client` into those of Colophon: a refused sign-in, which the person can begin again, or a failed
 * provider, of which an administrator should know.
 */
import type * as OpenidClient from 'openid-client';
import { type DomainError, isDomainError, providerFailed, unauthorized } from '../../base/errors.ts';

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
export function toSignInError(error: unknown, client: typeof OpenidClient): DomainError {
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
