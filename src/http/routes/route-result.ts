/**
 * Converts what the operation of a mapped route has returned to the response of the route: its status, its own headers and its body.
 *
 * The body is that of GraphQL, unless the mapping names the place of its result: then a response with status 200 is the value there.
 */
import type { GraphqlResponse } from '../../graphql/operation.ts';
import type { ReadyRoute } from '../../mapping/routes/build-routes.ts';
import { concernsPlace, type DataPath, readPlace } from '../../mapping/routes/data-place.ts';
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
  readonly body: unknown;
  /** Whether the operation had errors, which it also may with status 200. */
  readonly hasErrors: boolean;
}

/** Converts the result of an operation that has run; `places` are those of its mapping. */
export function toRouteResult(result: GraphqlResponse, places: ReadyRoute['places']): RouteResult {
  const failure = findStoreFailure(result);
  const body = toGraphqlBody(result);
  const hasErrors = body.errors !== undefined;
  if (failure) {
    const headers = { ...headersOf(failure), ...changeHeaderOf(result) };
    return { status: statusOf(failure), headers, body, hasErrors };
  }
  const status = isNotFound(body, places.notFound?.path) ? 404 : statusOfBody(body);
  const headers = changeHeaderOf(result);
  if (status !== 200 || !places.result) return { status, headers, body, hasErrors };
  const { path } = places.result;
  const unfit = errorsAt(body, path).length;
  const unfitHeader = unfit > 0 ? { 'X-Unfit': String(unfit) } : {};
  return { status, headers: { ...headers, ...unfitHeader }, body: readPlace(body.data, path), hasErrors };
}

/** Whether the value of a place is null although no error made it so. */
function isNotFound(body: GraphqlBody, place: DataPath | undefined): boolean {
  if (!place || !body.data) return false;
  return readPlace(body.data, place) === null && errorsAt(body, place).length === 0;
}

/** Lists the errors of the value of a place, and of what contains it. */
const errorsAt = ({ errors = [] }: GraphqlBody, place: DataPath) =>
  errors.filter(({ path }) => path && concernsPlace(path, place));

/** Converts an error that occurred before the operation ran. */
export function toFailedResult(error: unknown): RouteResult {
  return { status: statusOf(error), headers: headersOf(error), body: toFailureBody(error), hasErrors: true };
}

/** Names the change of a route that has written once; the body names several. */
function changeHeaderOf({ changes = [] }: GraphqlResponse): { readonly 'X-Change'?: string } {
  const [change] = changes;
  return change !== undefined && changes.length === 1 ? toChangeHeader({ change }) : {};
}
