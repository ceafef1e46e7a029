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

/** Requires of the sender what an operation needs, with the parameters of its query. Errors: forbidden. */
export type AuthorizeOperation = (operationId: string, sender: AdminSender, query: QueryNames) => void;

type QueryNames = Readonly<Record<string, unknown>>;

/** The roles that an operation requires. */
export interface RequiredRoles {
  readonly role: Role;
  /** The role that is enough with the parameter `release`, as `x-release-role` says. */
  readonly inRelease: Role;
}

/**
 * Creates the check from the document. Fails for an operation that needs credentials and names no role, so that no operation can
 * be without the check.
 */
export function authorizeByRole(document: OpenApiDocument): AuthorizeOperation {
  const table = readRequiredRoles(document);
  return (operationId, { principal }, { release }) => {
    const needed = table.get(operationId);
    // An API client was authorized by its scope.
    if (needed === undefined || principal.kind !== 'user') return;
    assertRole(principal.session.user, release === undefined ? needed.role : needed.inRelease);
  };
}

/** Returns the required roles of each operation, by operation ID. */
export function readRequiredRoles({
  paths,
}: Pick<OpenApiDocument, 'paths'>): ReadonlyMap<string, RequiredRoles> {
  const operations = Object.values(paths).flatMap(operationsOf);
  return new Map(
    operations.flatMap(({ operationId, security, 'x-required-role': role, 'x-release-role': inRelease }) => {
      if (isRole(role))
        return [[String(operationId), { role, inRelease: isRole(inRelease) ? inRelease : role }] as const];
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
