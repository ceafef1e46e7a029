/**
 * The router of an API, built once from its OpenAPI document.
 *
 * The router of openapi-backend lists the operations and builds their patterns for each request, and copies the request
 * several times. This router does both once, because a document does not change while it is served, and never copies a
 * request.
 */
import {
  type Document,
  OpenAPIRouter,
  type Operation,
  type ParsedRequest,
  type Request,
} from 'openapi-backend';

interface Route {
  readonly operation: Operation;
  readonly pattern: RegExp;
}

/**
 * Finds the operation of a request. Paths match exactly. A parameter matches one segment and is decoded. A literal path has
 * priority over a path with parameters, whichever methods they have. Expects header names in lower case and a parsed query;
 * ignores cookies.
 */
export class RequestRouter extends OpenAPIRouter {
  readonly #routes: readonly Route[];
  readonly #operations: Operation[];

  constructor(definition: Document) {
    super({ definition });
    this.#routes = super
      .getOperations()
      .toSorted((a, b) => Number(hasParameters(a)) - Number(hasParameters(b)))
      // Authentication runs before this router, and the handlers also require an authenticated sender.
      .map((operation) => ({
        operation: { ...operation, security: [] },
        pattern: toPattern(operation.path),
      }));
    this.#operations = this.#routes.map(({ operation }) => operation);
  }

  override getOperations(): Operation[] {
    return this.#operations;
  }

  override matchOperation(request: Request): Operation | undefined;
  override matchOperation(request: Request, strict: boolean): Operation;
  override matchOperation({ method, path }: Request, strict?: boolean): Operation | undefined {
    const operations = this.#operationsAt(path);
    const match = operations.find((operation) => operation.method === method.toLowerCase());
    if (match || !strict) return match;
    // openapi-backend chooses the fallback handler by these messages.
    throw new Error(operations.length === 0 ? '404-notFound' : '405-methodNotAllowed');
  }

  /** Lists the methods of a path, in upper case. */
  methodsOf(path: string): string[] {
    return this.#operationsAt(path).map(({ method }) => method.toUpperCase());
  }

  /** Adds the path parameters if the operation is known. Fails with a URIError if their percent-encoding is broken. */
  override parseRequest(request: ParsedRequest, operation?: Operation): ParsedRequest {
    if (!operation) return request;
    const pattern = this.#routes.find((route) => route.operation === operation)?.pattern;
    for (const [name, text] of Object.entries(pattern?.exec(request.path)?.groups ?? {})) {
      request.params[name] = decodeURIComponent(text);
    }
    return request;
  }

  #operationsAt(path: string): Operation[] {
    const known = this.#routes.find(({ pattern }) => pattern.test(path))?.operation.path;
    return this.#operations.filter((operation) => operation.path === known);
  }
}

function hasParameters({ path }: Operation): boolean {
  return path.includes('{');
}

function toPattern(template: string): RegExp {
  const segments = template.split('/').map((segment) => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    return name ? `(?<${name}>[^/]+)` : RegExp.escape(segment);
  });
  return new RegExp(`^${segments.join('/')}$`);
}
