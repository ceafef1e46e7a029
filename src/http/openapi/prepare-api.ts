/**
 * Does openapi-backend's work on a document once, ahead of requests.
 *
 * As it comes, its router lists the operations and builds their patterns anew for each request, and router and validator copy
 * the whole request several times: more than all the rest of an API together. A document does not change while it is served.
 */
import type { OpenAPIBackend } from 'openapi-backend';

type Router = OpenAPIBackend['router'];
type Validator = OpenAPIBackend['validator'];
type Request = Parameters<Router['parseRequest']>[0];
type Operation = ReturnType<Router['getOperations']>[number];

/** What is known of an operation before any request. */
interface PreparedOperation {
  readonly operation: Operation;
  readonly pattern: RegExp;
  /** The names of the query parameters that are lists. */
  readonly lists: readonly string[];
  readonly validators: ReturnType<Validator['getRequestValidatorsForOperation']>;
}

/**
 * Prepares an API that is initialized. Path parameters are one segment each, decoded; paths match exactly; cookies are left
 * alone. A request must come authenticated, with lower-case header names, the query parsed and the body as it is to be handled.
 */
export function prepareApi({ router, validator }: OpenAPIBackend): void {
  const prepared = router
    .getOperations()
    .map((operation) => prepareOperation(operation, validator))
    // Literal paths win over those with parameters, as OpenAPI has it, whatever methods they have.
    .sort((a, b) => Number(hasParameters(a)) - Number(hasParameters(b)));
  const operations = prepared.map(({ operation }) => operation);
  const byOperation = new Map(prepared.map((one) => [one.operation, one]));

  function matchOperation({ method, path }: Request, strict?: boolean): Operation | undefined {
    const known = prepared.find(({ pattern }) => pattern.test(path))?.operation.path;
    const wanted = method.toLowerCase();
    const match = operations.find((operation) => operation.path === known && operation.method === wanted);
    if (match || !strict) return match;
    throw new Error(known === undefined ? '404-notFound' : '405-methodNotAllowed');
  }

  function parseRequest(request: Request, operation?: Operation) {
    const one = operation && byOperation.get(operation);
    const params: Record<string, string> = {};
    for (const [name, text] of Object.entries(one?.pattern.exec(request.path)?.groups ?? {})) {
      params[name] = decodeURIComponent(text);
    }
    return { ...request, requestBody: request.body, params, query: request.query, cookies: {} };
  }

  function validateRequest(request: Request, operation: Operation) {
    const { params, query, headers, requestBody } = parseRequest(request, operation);
    const one = byOperation.get(operation);
    // Validation converts parameters where they stand, and handlers take them as they came.
    const parameters: Record<string, unknown> = { ...Object(query) };
    for (const name of one?.lists ?? []) {
      if (typeof parameters[name] === 'string') parameters[name] = [parameters[name]];
    }
    const parts = { path: params, query: parameters, header: headers, cookie: {} };
    const whole = requestBody === undefined ? parts : { ...parts, requestBody };
    const errors = (one?.validators ?? []).flatMap((validate) =>
      validate(whole) ? [] : (validate.errors ?? []),
    );
    return { valid: errors.length === 0, errors: errors.length > 0 ? errors : null };
  }

  Object.assign(router, { getOperations: () => operations, matchOperation, parseRequest });
  Object.assign(validator, { validateRequest });
}

function prepareOperation(operation: Operation, validator: Validator): PreparedOperation {
  const { operationId = '', parameters = [], path } = operation;
  const lists = parameters.flatMap((parameter) =>
    'in' in parameter && parameter.in === 'query' && isList(parameter.schema) ? [parameter.name] : [],
  );
  return {
    // Credentials were looked at before the request came here; handlers insist on a client all the same.
    operation: { ...operation, security: [] },
    pattern: toPattern(path),
    lists,
    validators: validator.getRequestValidatorsForOperation(operationId),
  };
}

function isList(schema: object | undefined): boolean {
  return schema !== undefined && 'type' in schema && schema.type === 'array';
}

function hasParameters({ operation }: PreparedOperation): boolean {
  return operation.path.includes('{');
}

function toPattern(template: string): RegExp {
  const segments = template.split('/').map((segment) => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    return name ? `(?<${name}>[^/]+)` : RegExp.escape(segment);
  });
  return new RegExp(`^${segments.join('/')}$`);
}
