/**
 * Functions that build the errors about users and their invitations.
 */
import { DomainError } from './domain-error.ts';
import { quote } from './problems.ts';

/** A change after which no user could administer the installation. */
export const lastAdmin = (email: string) =>
  new DomainError(
    'last_admin',
    `${quote(email)} is the last user with the role admin who can sign in: give another user this role first`,
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
