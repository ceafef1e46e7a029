/**
 * Reads a response: the body of a success, or the error of a refusal.
 *
 * Colophon reports errors in three forms: the envelope of the content management API, the `errors` of GraphQL, and the problem
 * details of the admin API. Any other response, such as a proxy's page, becomes an error of the class for its status.
 */

import { nowMs } from './clock-and-random.ts';
import type { EditConflict, Problem, Referrers } from './cma/types.gen.ts';
import {
  BadRequestError,
  ColophonError,
  ConflictError,
  type ErrorFacts,
  ForbiddenError,
  MethodNotAllowedError,
  NotFoundError,
  PayloadTooLargeError,
  PreconditionFailedError,
  PredicateError,
  type RouteError,
  ServerError,
  TooManyRequestsError,
  UnauthorizedError,
  UnfitContentError,
  UnsupportedMediaTypeError,
  ValidationError,
} from './errors.ts';

/** A success; `body` is a JSON object, and absent with 304 and where media types were given, which have `bytes`. */
export interface SuccessResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body?: JsonBody;
  readonly bytes?: ArrayBuffer;
}

/** A JSON object with unknown members. */
export type JsonBody = Readonly<Record<string, unknown>>;

/** A response as received; `bytes` are its body. */
export interface RawResponse {
  readonly response: Response;
  readonly bytes: ArrayBuffer;
}

/** What is known of a response before it arrives. */
export interface ExpectedResponse {
  /** Names the request in messages, such as `GET /contents`. */
  readonly what: string;
  /** Whether a success consists of any JSON value, the `data` of the body that is returned. */
  readonly isValue?: boolean;
  /** The media types of a success, if it need not be a JSON object. */
  readonly mediaTypes?: readonly string[] | undefined;
}

/** Reads a response. Throws the error of a refusal. */
export function readResponse(
  { response, bytes }: RawResponse,
  { what, isValue, mediaTypes }: ExpectedResponse,
): SuccessResponse {
  const { status, headers } = response;
  if (status === 304) return { status, headers };
  if (mediaTypes && response.ok && isDocumented({ response, bytes }, mediaTypes))
    return { status, headers, bytes };
  const text = new TextDecoder().decode(bytes);
  if (isValue && status === 200) return { status, headers, body: readValue({ response, text }, what) };
  const body = parseObject(text);
  if (response.ok && body && !mediaTypes && !Array.isArray(body.errors)) return { status, headers, body };
  throw toError({ response, text, body, what });
}

/** Whether a success has a media type that the document names, or no body where it names none. */
function isDocumented({ response, bytes }: RawResponse, mediaTypes: readonly string[]): boolean {
  if (mediaTypes.length === 0 || response.status === 204) return bytes.byteLength === 0;
  const type = response.headers
    .get('Content-Type')
    ?.replace(/\s*;.*/, '')
    .toLowerCase();
  return mediaTypes.some((documented) => documented.includes('*') || documented === type);
}

interface TextResponse {
  readonly response: Response;
  readonly text: string;
}

function readValue({ response, text }: TextResponse, what: string): JsonBody {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw toError({ response, text, body: undefined, what });
  }
  const unfit = response.headers.get('X-Unfit');
  if (unfit === null) return { data };
  const message = `${what} returned ${unfit} values that do not fit their content types and are null`;
  const requestId = response.headers.get('X-Request-Id') ?? undefined;
  throw new UnfitContentError(message, { code: 'unfit_content', status: 200, requestId, data, body: data });
}

/** Reads the `result` of a success. Throws a ColophonError when there is none. */
export function readResult<Result>({ status, headers, body }: SuccessResponse): Result {
  // The caller knows which operation it is, and so what its response is documented to hold.
  if (body && 'result' in body) return body.result as Result;
  const requestId = headers.get('X-Request-Id') ?? undefined;
  const message = `The response ${status} is none of the content management API's: it has no result`;
  throw new ColophonError(message, { code: 'unexpected_answer', status, requestId, body });
}

interface Refusal extends TextResponse {
  readonly body: JsonBody | undefined;
  readonly what: string;
}

function toError({ response, text, body, what }: Refusal): ColophonError {
  const { status, headers } = response;
  const reason = readReason(body);
  const facts = {
    ...reason,
    code: reason?.code ?? (response.ok || isRedirect(response) ? 'unexpected_answer' : `http_${status}`),
    status,
    requestId: headers.get('X-Request-Id') ?? undefined,
    retryAfterSeconds: readRetryAfter(headers.get('Retry-After')),
    body: body ?? text,
    ...(body?.data ? { data: body.data } : {}),
  };
  const isNotFound = status === 404 && reason === undefined && body !== undefined && 'data' in body;
  if (isNotFound) return new NotFoundError(`${what} found nothing`, { ...facts, code: 'not_found' });
  const message = reason?.message ?? describeForeign(response, { text, what });
  return new (classOf(status, facts.code))(message, facts);
}

/** What a response says of an error. */
export type Reason = Pick<
  ErrorFacts,
  'path' | 'column' | 'problems' | 'conflicts' | 'referrers' | 'errors'
> & {
  readonly message: string;
  readonly code?: string | undefined;
};

function readReason(body: JsonBody | undefined): Reason | undefined {
  if (!body) return undefined;
  const [first] = Array.isArray(body.errors) ? body.errors : [];
  if (first !== undefined) {
    const { message, extensions } = asObject(first);
    // GraphQL's `errors` have this form.
    const errors = body.errors as readonly RouteError[];
    return toReason({ ...asObject(extensions), message, errors });
  }
  const { error, result } = body;
  return readErrorReason(error) ?? toReason({ ...body, message: body.detail }) ?? toReason(asObject(result));
}

/** Reads the `error` of an envelope, or of one operation of a batch. */
export const readErrorReason = (error: unknown): Reason | undefined => toReason(asObject(error));

function toReason({
  message,
  code,
  path,
  column,
  problems,
  conflicts,
  referrers,
  errors,
}: JsonBody): Reason | undefined {
  if (typeof message !== 'string') return undefined;
  return {
    message,
    code: typeof code === 'string' ? code : undefined,
    path: typeof path === 'string' ? path : undefined,
    column: typeof column === 'number' ? column : undefined,
    // Where Colophon sends these members, they have these types.
    problems: Array.isArray(problems) ? (problems as Problem[]) : undefined,
    conflicts: Array.isArray(conflicts) ? (conflicts as EditConflict[]) : undefined,
    referrers: referrers === undefined ? undefined : (referrers as unknown as Referrers),
    errors: Array.isArray(errors) ? (errors as RouteError[]) : undefined,
  };
}

/** Describes a response that does not come from Colophon: its redirect, or the beginning of its text. */
function describeForeign(
  response: Response,
  { text, what }: { readonly text: string; readonly what: string },
): string {
  if (isRedirect(response)) {
    const target = response.headers.get('Location');
    return `${what} was redirected${target ? ` to ${target}` : ''}: set baseUrl to an address that does not redirect`;
  }
  // The patterns below take quadratic time for unclosed tags.
  const plain = text
    .slice(0, 10_000)
    .replace(/<(script|style)\b.*?<\/\1>/gis, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const excerpt = plain.length > 200 ? `${plain.slice(0, 200)}…` : plain;
  const answered = `${what} was answered ${response.status} without a body of Colophon's`;
  return excerpt === '' ? answered : `${answered}: ${excerpt}`;
}

/** In a browser, a redirect that is not followed hides everything, even its status. */
const isRedirect = ({ status, type }: Response) =>
  type === 'opaqueredirect' || (status >= 300 && status < 400);

type ErrorClass = new (message: string, facts: ErrorFacts) => ColophonError;

const classes: ReadonlyMap<number, ErrorClass> = new Map<number, ErrorClass>([
  [401, UnauthorizedError],
  [403, ForbiddenError],
  [404, NotFoundError],
  [405, MethodNotAllowedError],
  [409, ConflictError],
  [412, PreconditionFailedError],
  [413, PayloadTooLargeError],
  [415, UnsupportedMediaTypeError],
  [429, TooManyRequestsError],
]);

function classOf(status: number, code: string): ErrorClass {
  if (status >= 500) return ServerError;
  if (status === 200 && code === 'unfit_content') return UnfitContentError;
  if (status !== 400) return classes.get(status) ?? ColophonError;
  if (code === 'invalid_body' || code === 'missing_file') return ValidationError;
  const isPredicate = code.startsWith('predicate_') || code === 'values_mismatch' || code === 'unknown_field';
  return isPredicate ? PredicateError : BadRequestError;
}

/** Reads `Retry-After`, which is a number of seconds or a date. */
function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? undefined : Math.max(0, Math.ceil((atMs - nowMs()) / 1000));
}

function parseObject(text: string): JsonBody | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? asObject(value) : undefined;
  } catch {
    return undefined;
  }
}

/** The members of an object; none for other values. */
function asObject(value: unknown): JsonBody {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
