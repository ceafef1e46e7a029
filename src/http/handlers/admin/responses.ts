/**
 * Shared parts of the admin API's handlers: their type, common answers, and the identity that services receive.
 */
import type * as api from '../../../../generated/server/admin.ts';
import type { Operations } from '../../../../generated/server/admin.ts';
import type { CorsSettings } from '../../../access/allowed-origins.ts';
import { includesRole } from '../../../access/users/roles.ts';
import { unauthorized } from '../../../base/errors.ts';
import type { ContentService, StoredAsset } from '../../../content/content-service.ts';
import type { Drafter } from '../../../content/drafts/releases.ts';
import type { Written } from '../../../content/prepare-write.ts';
import type { Caller } from '../../../content/reading/find-assets.ts';
import type { AdminSender, Principal } from '../../credentials/authenticate-admin.ts';
import type { OperationHandlers } from '../../operation-handlers.ts';
import { parseIfMatch, toChangeHeader, toEntityTag } from '../../response/streamed-body.ts';

/** The operations whose services report all problems of a body together: those of the schema and their own. */
export const invalidBodyOperations = [
  'createGraphqlEndpoint',
  'replaceGraphqlEndpoint',
  'dryRunGraphqlEndpoint',
  'createRestEndpoint',
  'checkRestEndpoint',
  'dryRunRestEndpoint',
  'saveRestEndpoint',
] as const satisfies readonly (keyof Operations)[];
export type InvalidBodyOperation = (typeof invalidBodyOperations)[number];

/** The handlers of all operations of openapi/admin.yaml. */
export type AdminHandlers = OperationHandlers<Operations, AdminSender, InvalidBodyOperation>;

/** Answers with a resource. */
export function ok<Body>(body: Body) {
  return { status: 200 as const, body };
}

/** Answers with a resource that has versions. */
export function okVersion<Body>(body: Body, version: string) {
  return { ...ok(body), headers: { ETag: toEntityTag(version) } };
}

/** Creates the function that answers with an asset. */
export const createAssetResponse =
  ({ shapeOf }: Pick<ContentService, 'shapeOf'>) =>
  ({ asset, version }: StoredAsset) => ({
    ...ok(asset),
    headers: { ETag: toEntityTag(version, shapeOf(asset._type)) },
  });

/** Creates the function that answers with an asset after a write. */
export function createWrittenResponse(content: Pick<ContentService, 'shapeOf'>) {
  const okAsset = createAssetResponse(content);
  return (written: StoredAsset & Written) => {
    const { headers, ...response } = okAsset(written);
    return { ...response, headers: { ...headers, ...toChangeHeader(written) } };
  };
}

/** Returns the member `cors` of an endpoint, if it has one. */
export function toCorsMember(cors: CorsSettings | undefined): { cors?: api.Cors } {
  return cors ? { cors: { ...cors, origins: [...cors.origins] } } : {};
}

/** A response without a body. */
export const noContent = { status: 204 as const };

/** Parses the header If-Match. Errors: invalid_parameter. */
export function conditionOf(headers: { readonly 'if-match'?: string }): { ifVersions?: readonly string[] } {
  const ifVersions = parseIfMatch(headers['if-match']);
  return ifVersions ? { ifVersions } : {};
}

/** The caller for content services: an administrator has no restrictions. */
export const administrator: Caller = {};

/** Checks whether a sender may discard what others have drafted. */
export const isEditor = (principal: Principal): boolean =>
  principal.kind === 'client' ||
  (principal.kind === 'user' && includesRole(principal.session.user.role, 'editor'));

/** Returns what a sender may do in a release. */
export const drafterOf = (principal: Principal): Drafter => ({ ownDraftsOnly: !isEditor(principal) });

/** Returns whose idempotency keys a sender uses: each user and each API client has its own. Errors: unauthorized. */
export function keyOwnerOf(principal: Principal): string {
  // The ID of a client has no space.
  return principal.kind === 'user' ? `user ${principal.session.user.id}` : authorOf(principal);
}

/** Returns the name to record as the author of a change. Errors: unauthorized. */
export function authorOf(principal: Principal): string {
  switch (principal.kind) {
    case 'user':
      return principal.session.user.email;
    case 'client':
      return principal.client.clientId;
    case 'anonymous':
      throw unauthorized('Credentials are needed');
  }
}
