/**
 * CORS: lets pages of other origins call an API, as its setting says. Where no origins are set, nothing is done.
 */
import { type CorsSettings, defaultMaxAge } from '../../access/allowed-origins.ts';
import type { Request, Response } from '../request/http-request.ts';
import { addHeader, addVary } from './response-headers.ts';
import { sendResponse } from './send-response.ts';

/** The response headers that scripts may read, besides those that they always may. */
const exposedHeaders =
  'Accept-Patch, ETag, Idempotency-Replayed, Location, Retry-After, X-Change, X-Release, X-Request-Id, X-Unfit, RateLimit, RateLimit-Policy';

/** The request headers that the APIs read. */
const allowedHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'X-API-Key',
  'X-Base-Version',
  'X-Client-Id',
  'X-Client-Secret',
  'X-Request-Id',
  'X-Run',
  'traceparent',
  'tracestate',
].join(', ');

/**
 * Adds the headers of a response to a page of another origin. Returns true if the request was a preflight request, which has been
 * answered: it has no credentials, so this runs before they are checked. `methods` are those of the resource.
 */
export function applyCors(
  request: Request,
  response: Response,
  { cors, methods }: { cors: CorsSettings | undefined; methods: readonly string[] },
): boolean {
  if (cors === undefined || cors.origins.length === 0) return false;
  addVary(response, 'Origin');
  const { origin, 'access-control-request-method': wanted } = request.headers;
  const isPreflight = request.method === 'OPTIONS' && origin !== undefined && wanted !== undefined;
  const allowed = cors.origins.includes('*') ? '*' : cors.origins.find((one) => one === origin);
  if (allowed !== undefined && origin !== undefined) {
    addHeader(response, 'Access-Control-Allow-Origin', allowed);
    if (isPreflight) addPermissions(response, { methods, maxAge: cors.maxAge });
    else addHeader(response, 'Access-Control-Expose-Headers', exposedHeaders);
  }
  if (isPreflight) sendResponse(response, { status: 204 });
  return isPreflight;
}

function addPermissions(
  response: Response,
  { methods, maxAge = defaultMaxAge }: { methods: readonly string[]; maxAge: number | undefined },
): void {
  addHeader(response, 'Access-Control-Allow-Methods', methods.join(', '));
  addHeader(response, 'Access-Control-Allow-Headers', allowedHeaders);
  addHeader(response, 'Access-Control-Max-Age', String(maxAge));
}
