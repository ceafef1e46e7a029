/**
 * Gives openapi-backend's router the work of a request once, ahead of requests.
 *
 * As it comes, the router lists the operations, builds their patterns and copies the whole request several times for each
 * request, which cost more than all the rest of an API together. A document does not change while it is served.
 */
import type { OpenAPIBackend } from 'openapi-backend';

type Router = OpenAPIBackend['router'];
type Request = Parameters<Router['parseRequest']>[0];
type Operation = ReturnType<Router['getOperations']>[number];

interface Route {
  readonly operation: Operation;
  readonly pattern: RegExp;
}

/**
 * Prepares a router whose API is initialized. A path parameter is one segment, decoded; paths match exactly; cookies are left
 * alone. Headers must come with lower-case names, the query parsed and the body as it is to be handled.
 */
export function prepareRouter(router: Router): void {
  const operations = router.getOperations();
  const routes = operations.map((operation) => ({ operation, pattern: toPattern(operation.path) }));
  // Literal paths win over those with parameters, as OpenAPI has it.
  routes.sort((a, b) => Number(hasParameters(a)) - Number(hasParameters(b)));

  function matchOperation({ method, path }: Request, strict?: boolean): Operation | undefined {
    const onPath = routes.filter(({ pattern }) => pattern.test(path));
    const wanted = method.toLowerCase();
    const route = onPath.find(({ operation }) => operation.method === wanted);
    if (route || !strict) return route?.operation;
    throw new Error(onPath.length === 0 ? '404-notFound' : '405-methodNotAllowed');
  }

  function parseRequest(request: Request, operation?: Operation) {
    const { body: requestBody, query, path } = request;
    const route = operation && routes.find((one) => one.operation === operation);
    // Validation converts parameters where they stand, so each caller has its own.
    const params = Object.fromEntries(
      Object.entries(route?.pattern.exec(path)?.groups ?? {}).map(([name, text]) => [
        name,
        decodeURIComponent(text),
      ]),
    );
    return { ...request, requestBody, params, query: { ...Object(query) }, cookies: {} };
  }

  Object.assign(router, { getOperations: () => operations, matchOperation, parseRequest });
}

function hasParameters({ operation }: Route): boolean {
  return operation.path.includes('{');
}

function toPattern(template: string): RegExp {
  const segments = template.split('/').map((segment) => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    return name ? `(?<${name}>[^/]+)` : RegExp.escape(segment);
  });
  return new RegExp(`^${segments.join('/')}$`);
}
