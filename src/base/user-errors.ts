/**
 * Functions that build the errors about users and their invitations.
 */
import { DomainError } from './domain-error.ts';
import { quote } from './problems.ts';

/** A change after which no user could administer the installation without an OpenID Connect provider. */
export const lastAdmin = (email: string) =>
  new DomainError(
    'last_admin',
    `${quote(email)} is the last user with the role admin who can sign in with a password: give another such user this role first`,
    { email },
  );

export const userDisabled = (email: string) =>
  new DomainError('user_disabled', `${quote(email)} is disabled: enable the user first`, { email });

/** A link that was used, replaced or withdrawn, has expired, or never existed. */
export const invitationEnded = () =>
  new DomainError(
    'invitation_ended',
    'This invitation is not valid: it has been used, replaced or withdrawn, or has expired. Ask an administrator for a new link',
    {},
  );

/** What cannot be done with a user who signs in by OpenID Connect; `why` says what the provider has instead. */
export const openidUser = (email: string, why: string) =>
  new DomainError('openid_user', `${quote(email)} signs in by OpenID Connect: ${why}`, { email });

/** `reason` says what the provider did; it has no secret, since the person who signs in reads it. */
export const providerFailed = (reason: string, cause?: unknown) =>
  new DomainError('provider_failed', `The OpenID Connect provider failed: ${reason}`, { reason }, { cause });
