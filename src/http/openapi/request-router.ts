/**
 * The router of an API, prepared once from its document.
 *
 * The router of openapi-backend lists the operations and builds their patterns for each request, and copies the request several times.
 * A document does not change while it is served, so here both are prepared, and a request stays one object from its arrival to its
 * handler.
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
 * Finds the operations of requests. Paths match exactly; a parameter is one segment, decoded; a literal path wins over one with
 * parameters, whatever methods they have. Header names must be in lower case and the query parsed; cookies are not read.
 */
export class RequestRouter extends OpenAPIRouter {
  readonly #routes: readonly Route[];
  readonly #operations: Operation[];

  constructor(definition: Document) {
    super({ definition });
    this.#routes = super
      .getOperations()
      .toSorted((a, b) => Number(hasParameters(a)) - Number(hasParameters(b)))
      // Credentials are checked before a request gets here, and handlers insist on a sender all the same.
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
    // The words by which openapi-backend knows which handler to call.
    throw new Error(operations.length === 0 ? '404-notFound' : '405-methodNotAllowed');
  }

  /** The methods of a path, in upper case. */
  methodsOf(path: string): string[] {
    return this.#operationsAt(path).map(({ method }) => method.toUpperCase());
  }

  /** Adds the parameters in the path, once the operation is known. */
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
