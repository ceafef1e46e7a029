/**
 * What the change log leaves out of system records.
 */
import type { UnloggedParts } from '../model/content-type.ts';

/** By GraphQL name, the records that are no decisions of people, and all secrets. */
export const unloggedParts: Readonly<Record<string, UnloggedParts>> = {
  ApiClient: { secrets: ['secretHash', 'keys'] },
  User: { secrets: ['passwordHash', 'invitationHash'] },
  Session: 'all',
  SavedView: 'all',
  Presence: 'all',
  KnownDevice: 'all',
  FailedAttempts: 'all',
  FinishedSignIn: 'all',
  KeyedRequest: 'all',
  TrustedDocuments: { secrets: ['documents'] },
  RouteClaim: 'all',
  RestEndpointVersion: 'all',
  Run: 'all',
  Usage: 'all',
  StoredFile: 'all',
  FileUse: 'all',
  ErasureProgress: 'all',
  Release: 'all',
  PreviewLink: { secrets: ['tokenHash'] },
  Webhook: { secrets: ['secret', 'formerSecret', 'purgeSecrets'] },
  WebhookCursor: 'all',
  WebhookHeldAsset: 'all',
  WebhookDelivery: 'all',
  WebhookLease: 'all',
};
