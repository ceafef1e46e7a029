/**
 * Creates the functions of mapped routes from the generated table.
 */
import { randomKey } from './clock-and-random.ts';
import {
  type CallOptions,
  type Connection,
  type ConnectionOptions,
  createConnection,
  type FetchOptions,
  type Idempotency,
} from './connection.ts';
import { ColophonError } from './errors.ts';
import { sendRequest } from './send-request.ts';
import { type VariableSyntax, writeVariables } from './write-variables.ts';

export interface Route {
  readonly method: string;
  /** With the names of the variables in it, such as `/talks/{slug}`. */
  readonly path: string;
  /** Where the other variables are: in a JSON body, or in the query string in one of its syntaxes. */
  readonly variables: 'body' | VariableSyntax;
  /** Whether it is safe to run twice. */
  readonly repeatable: boolean;
  /** Whether a response consists of one value of the data. */
  readonly isValue?: boolean;
  /** Whether it accepts an idempotency key, which makes it safe to send again. */
  readonly acceptsKey?: boolean;
  /** Whether it reads the drafts of a release on request. */
  readonly acceptsRelease?: boolean;
  readonly cacheTags?: readonly string[];
}

/** The routes by name, within their endpoints by name. */
export type RouteTable = Readonly<Record<string, Readonly<Record<string, Route>>>>;

/** The server's address, with an API key, an API client's credentials, or neither. */
export type RoutesOptions = ConnectionOptions &
  (
    | { apiKey?: string | undefined; clientId?: undefined; clientSecret?: undefined }
    | { clientId: string; clientSecret: string; apiKey?: undefined }
  );

/** Options for calling a route. */
export interface RouteOptions extends CallOptions {
  /** Options for `fetch`, such as `{ cache: 'force-cache' }`, or `{ next: { tags } }` in Next.js. */
  fetch?: FetchOptions | undefined;
}

/** The release whose drafts a query reads over the live content. Such a call is never cached. */
export interface ReleaseOptions {
  /** The token of a preview link. When the link has ended, the call fails with an UnauthorizedError. */
  preview?: string | undefined;
  /** The name of a release; needs the credentials of an API client with the scope `cma:draft`. */
  release?: string | undefined;
}

/** The data of a route, with the status and the headers of its response. */
export interface RouteResponse<Data> {
  data: Data;
  status: number;
  headers: Headers;
}

/** The function of a route. It rejects with a ColophonError. */
export interface RouteFunction<Args extends unknown[], Data> {
  (...args: Args): Promise<Data>;
  /** Calls the route, and returns the status and the headers of the response with the data. */
  withResponse(...args: Args): Promise<RouteResponse<Data>>;
  /** The cache tags of the types that its query reads: each change that can change its data purges one of them. Mutations have none. */
  readonly cacheTags: string[];
}

/** Creates the functions of a table; their types are generated with it. */
export function bindRoutes<Routes>(table: RouteTable, options: RoutesOptions): Routes {
  const connection = createConnection(options, credentialsOf(options));
  const bound = mapMembers(table, (endpoint) =>
    mapMembers(endpoint, (route) => bindRoute(connection, route)),
  );
  // The generated types describe these functions.
  return bound as Routes;
}

function bindRoute(connection: Connection, route: Route): RouteFunction<RouteArguments, unknown> {
  const withResponse = (...[variables, call]: RouteArguments) =>
    callRoute(connection, route, { variables, ...call });
  return Object.assign(async (...args: RouteArguments) => (await withResponse(...args)).data, {
    withResponse,
    cacheTags: [...(route.cacheTags ?? [])],
  });
}

type AnyRouteOptions = RouteOptions & ReleaseOptions & Idempotency;
type RouteArguments = [variables?: object, options?: AnyRouteOptions];

function credentialsOf({ apiKey, clientId, clientSecret }: RoutesOptions): Record<string, string> {
  if (clientId !== undefined) return { 'X-Client-Id': clientId, 'X-Client-Secret': clientSecret };
  return apiKey === undefined ? {} : { 'X-API-Key': apiKey };
}

async function callRoute(
  connection: Connection,
  { method, path: template, variables: place, repeatable, acceptsKey, isValue = false, ...route }: Route,
  {
    variables: given = {},
    idempotencyKey = randomKey(),
    signal,
    preview,
    release,
    ...options
  }: AnyRouteOptions & { readonly variables: object | undefined },
): Promise<RouteResponse<unknown>> {
  const { path, variables } = fillPath(template, given);
  const inBody = place === 'body';
  const chosen = writeVariables({ preview, release }, 'slash').slice(1);
  if (chosen !== '' && !route.acceptsRelease)
    throw new TypeError(`${method} ${template} has no previews: give neither preview nor release`);
  const query = [inBody ? '' : writeVariables(variables, place).slice(1), chosen].filter(
    (part) => part !== '',
  );
  const { status, headers, body } = await sendRequest(connection, {
    method,
    path: query.length === 0 ? path : `${path}?${query.join('&')}`,
    ...(inBody ? { body: variables } : {}),
    ...(acceptsKey ? { headers: { 'Idempotency-Key': idempotencyKey } } : {}),
    repeatable: repeatable || acceptsKey === true,
    isValue,
    signal,
    fetchOptions: chosen === '' ? options.fetch : { ...options.fetch, cache: 'no-store' },
  });
  if (body && 'data' in body) return { data: body.data, status, headers };
  const requestId = headers.get('X-Request-Id') ?? undefined;
  const message = `${method} ${path} was answered ${status} without data`;
  throw new ColophonError(message, { code: 'unexpected_answer', status, requestId, body });
}

/** Puts variables into the path, and returns the others. Throws a TypeError for a value that a path cannot contain. */
function fillPath(
  template: string,
  variables: object,
): { readonly path: string; readonly variables: object } {
  const others: Record<string, unknown> = { ...variables };
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const text = String(others[name] ?? '');
    delete others[name];
    // URLs drop segments of dots, even if these are encoded.
    if (text === '' || text === '.' || text === '..') {
      throw new TypeError(`${name} must be a text that a path can contain, and not ${JSON.stringify(text)}`);
    }
    return encodeURIComponent(text);
  });
  return { path, variables: others };
}

function mapMembers<From, To>(
  members: Readonly<Record<string, From>>,
  map: (member: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, map(member)]));
}
