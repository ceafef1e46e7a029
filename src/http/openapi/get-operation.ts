/**
 * Finds the operation of a request, or says which paths and methods the document has.
 */
import type { Operation, ParsedRequest } from 'openapi-backend';
import { methodNotAllowed, routeNotFound } from '../../base/errors.ts';
import { readRequestBody } from '../../documents/request-parts.ts';
import type { RequestRouter } from './request-router.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Returns the operation of a request. Errors: route_not_found, method_not_allowed. */
export function getOperation(
  router: RequestRouter,
  request: Pick<ParsedRequest, 'method' | 'path'>,
): Operation {
  const { method, path } = request;
  const operation = router.findOperation(method, path);
  if (operation) return operation;
  const known = router.methodsOf(path);
  if (known.length === 0) throw routeNotFound(path);
  const allowed = methods.filter((method) => known.includes(method));
  const withHead = allowed.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one]));
  const patch = router.findOperation('PATCH', path);
  const patchTypes = patch && readRequestBody(router.definition, patch.requestBody)?.kinds.keys();
  throw methodNotAllowed(method, withHead, patchTypes && [...patchTypes]);
}
