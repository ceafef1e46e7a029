/**
 * Creates the functions of mapped routes from the generated table.
 */
import { randomKey } from './clock-and-random.ts';
import {
  type CallOptions,
  type Connection,
  type ConnectionOptions,
  createConnection,
  type Idempotency,
} from './connection.ts';
import { ColophonError } from './errors.ts';
import { sendRequest } from './send-request.ts';
import { type VariableSyntax, writeVariables } from './write-variables.ts';

/** One route. */
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
}

/** The routes by name, within their endpoints by name. */
export type RouteTable = Readonly<Record<string, Readonly<Record<string, Route>>>>;

/** The server's address, with an API key, an API client's credentials, or neither. */
export type RoutesOptions = ConnectionOptions &
  (
    | { apiKey?: string | undefined; clientId?: undefined; clientSecret?: undefined }
    | { clientId: string; clientSecret: string; apiKey?: undefined }
  );

/** Creates the functions of a table; their types are generated with it. */
export function bindRoutes<Routes>(table: RouteTable, options: RoutesOptions): Routes {
  const connection = createConnection(options, credentialsOf(options));
  const bound = mapMembers(table, (endpoint) =>
    mapMembers(
      endpoint,
      (route) => (variables?: object, call?: CallOptions & Idempotency) =>
        callRoute(connection, route, { variables, ...call }),
    ),
  );
  // The generated types describe these functions.
  return bound as Routes;
}

function credentialsOf({ apiKey, clientId, clientSecret }: RoutesOptions): Record<string, string> {
  if (clientId !== undefined) return { 'X-Client-Id': clientId, 'X-Client-Secret': clientSecret };
  return apiKey === undefined ? {} : { 'X-API-Key': apiKey };
}

async function callRoute(
  connection: Connection,
  { method, path: template, variables: place, repeatable, acceptsKey, isValue = false }: Route,
  {
    variables: given = {},
    idempotencyKey = randomKey(),
    signal,
  }: CallOptions & Idempotency & { readonly variables: object | undefined },
): Promise<unknown> {
  const { path, variables } = fillPath(template, given);
  const inBody = place === 'body';
  const { status, headers, body } = await sendRequest(connection, {
    method,
    path: inBody ? path : path + writeVariables(variables, place),
    ...(inBody ? { body: variables } : {}),
    ...(acceptsKey ? { headers: { 'Idempotency-Key': idempotencyKey } } : {}),
    repeatable: repeatable || acceptsKey === true,
    isValue,
    signal,
  });
  if (body && 'data' in body) return body.data;
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
