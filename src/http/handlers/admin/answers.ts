/**
 * What the handlers of the admin API have in common: their type, the forms of answers, and what a principal is to services.
 */
import type { Operations } from '../../../../generated/server/admin.ts';
import { unauthorized } from '../../../base/errors.ts';
import type { Caller } from '../../../content/reading/find-assets.ts';
import type { OperationHandlers } from '../../api.ts';
import type { AdminSender, Principal } from '../../credentials/authenticate-admin.ts';
import { parseIfMatch, toEntityTag } from '../../response/entity-tag.ts';

/** The operations whose services answer all problems of a body at once: those that the document shows, and their own. */
export const gatheringOperations = [
  'createGraphqlEndpoint',
  'replaceGraphqlEndpoint',
  'dryRunGraphqlEndpoint',
  'createRestEndpoint',
  'checkRestEndpoint',
  'dryRunRestEndpoint',
  'saveRestEndpoint',
] as const satisfies readonly (keyof Operations)[];
export type GatheringOperation = (typeof gatheringOperations)[number];

/** The handlers of all operations of openapi/admin.yaml. */
export type AdminHandlers = OperationHandlers<Operations, AdminSender, GatheringOperation>;

/** Answers with a resource. */
export function ok<Body>(body: Body) {
  return { status: 200 as const, body };
}

/** Answers with a resource that has versions. */
export function okVersion<Body>(body: Body, version: string) {
  return { ...ok(body), headers: { ETag: toEntityTag(version) } };
}

/** Answers that there is nothing more to say. */
export const noContent = { status: 204 as const };

/** The condition that the header If-Match sets. Errors: invalid_parameter. */
export function conditionOf(headers: { readonly 'if-match'?: string }): { ifVersions?: readonly string[] } {
  const ifVersions = parseIfMatch(headers['if-match']);
  return ifVersions ? { ifVersions } : {};
}

/** On whose behalf content is looked at: an administrator sees all of it. */
export const administrator: Caller = {};

/** The name under which a change is kept. Errors: unauthorized. */
export function authorOf(principal: Principal): string {
  switch (principal.kind) {
    case 'user':
      return principal.session.user.email;
    case 'client':
      return principal.client.clientId;
    case 'nobody':
      throw unauthorized('Credentials are needed');
  }
}
