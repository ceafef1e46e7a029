/**
 * Converts what the operation of a mapped route has returned to the response of the route: its status, its own headers and its body.
 */
import type { GraphqlResponse } from '../../graphql/operation.ts';
import { headersOf, statusOf } from '../error-map.ts';
import {
  findStoreFailure,
  type GraphqlBody,
  statusOfBody,
  toFailureBody,
  toGraphqlBody,
} from '../graphql/graphql-response.ts';
import { toChangeHeader } from '../response/change-header.ts';

/** The response of a route, without headers for caches. */
export interface RouteResult {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: GraphqlBody;
}

/** Converts the result of an operation that has run. */
export function toRouteResult(result: GraphqlResponse): RouteResult {
  const failure = findStoreFailure(result);
  const body = toGraphqlBody(result);
  return {
    status: failure ? statusOf(failure) : statusOfBody(body),
    headers: { ...(failure ? headersOf(failure) : {}), ...changeHeaderOf(result) },
    body,
  };
}

/** Converts an error that occurred before the operation ran. */
export function toFailedResult(error: unknown): RouteResult {
  return { status: statusOf(error), headers: headersOf(error), body: toFailureBody(error) };
}

/** Names the change of a route that has written once; the body names several. */
function changeHeaderOf({ changes = [] }: GraphqlResponse): { readonly 'X-Change'?: string } {
  const [change] = changes;
  return change !== undefined && changes.length === 1 ? toChangeHeader({ change }) : {};
}
