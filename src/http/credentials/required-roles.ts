/**
 * The role that each operation of the admin API requires of a user, as its document says in `x-required-role`.
 *
 * Operations without the member need no user: they are those that need no credentials.
 */
import { assertRole, isRole, type Role } from '../../access/users/roles.ts';
import type { OpenApiDocument } from '../../documents/openapi-document.ts';
import type { Json } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import type { AdminSender } from './authenticate-admin.ts';

/** Requires of the sender what an operation needs. Errors: forbidden. */
export type AuthorizeOperation = (operationId: string, sender: AdminSender) => void;

/**
 * Creates the check from the document. Fails for an operation that needs credentials and names no role, so that no operation can
 * be without the check.
 */
export function authorizeByRole(document: OpenApiDocument): AuthorizeOperation {
  const table = readRequiredRoles(document);
  return (operationId, { principal }) => {
    const needed = table.get(operationId);
    // An API client was authorized by its scope.
    if (needed !== undefined && principal.kind === 'user') assertRole(principal.session.user, needed);
  };
}

/** Returns the required role of each operation, by operation ID. */
export function readRequiredRoles({ paths }: Pick<OpenApiDocument, 'paths'>): ReadonlyMap<string, Role> {
  const operations = Object.values(paths).flatMap(operationsOf);
  return new Map(
    operations.flatMap(({ operationId, security, 'x-required-role': role }) => {
      if (isRole(role)) return [[String(operationId), role] as const];
      if (Array.isArray(security) && security.length === 0) return [];
      throw new Error(`operation ${operationId} names no role in x-required-role`);
    }),
  );
}

function operationsOf(item: Json) {
  return Object.values(isJsonObject(item) ? item : {})
    .filter(isJsonObject)
    .filter(({ operationId }) => operationId !== undefined);
}
