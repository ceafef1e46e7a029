/**
 * The router of an API, built once from its OpenAPI document.
 *
 * The router of openapi-backend lists the operations and builds their patterns for each request, and copies the request
 * several times. This router does both once, because a document does not change while it is served, and never copies a
 * request.
 */
import { type Document, OpenAPIRouter, type Operation, type ParsedRequest } from 'openapi-backend';
import { methodNotAllowed, routeNotFound } from '../../base/errors.ts';
import { readRequestBody } from '../../documents/document-parts.ts';

/** A path of the document with its operations. */
interface Path {
  readonly template: string;
  readonly pattern: RegExp;
  /** The names of its parameters, in the order of the groups of the pattern. */
  readonly names: readonly string[];
  /** By upper-case name. */
  readonly byMethod: ReadonlyMap<string, Operation>;
}

/**
 * Finds the operation of a request. Paths match exactly. A parameter matches one segment or a part of it, and is decoded. A path with
 * less in parameters has priority, whichever methods they have. Expects header names in lower case and a parsed query;
 * ignores cookies.
 */
export class RequestRouter extends OpenAPIRouter {
  readonly #literal: ReadonlyMap<string, Path>;
  /** By the number of their segments. */
  readonly #withParameters: ReadonlyMap<number, readonly Path[]>;
  readonly #pathOf: ReadonlyMap<Operation, Path>;
  readonly #operations: Operation[];

  constructor(definition: Document) {
    super({ definition });
    // Authentication runs before this router, and the handlers also require an authenticated sender.
    const operations = super.getOperations().map((operation) => ({ ...operation, security: [] }));
    const paths = [...Map.groupBy(operations, ({ path }) => path)].map(([template, own]) =>
      toPath(template, own),
    );
    this.#literal = new Map(paths.filter(isLiteral).map((path) => [path.template, path]));
    const withParameters = paths
      .filter((path) => !isLiteral(path))
      .sort((one, other) => literalLength(other) - literalLength(one));
    this.#withParameters = Map.groupBy(withParameters, ({ template }) => countSegments(template));
    this.#pathOf = new Map(
      withParameters.flatMap((path) =>
        [...path.byMethod.values()].map((operation) => [operation, path] as const),
      ),
    );
    this.#operations = operations;
  }

  override getOperations(): Operation[] {
    return this.#operations;
  }

  /** Finds an operation by its method, in upper case, and a path. */
  findOperation(method: string, path: string): Operation | undefined {
    return this.#findPath(path)?.byMethod.get(method);
  }

  /** Lists the methods of a path, in upper case. */
  methodsOf(path: string): string[] {
    return [...(this.#findPath(path)?.byMethod.keys() ?? [])];
  }

  /** Adds the path parameters if the operation is known. Fails with a URIError if their percent-encoding is broken. */
  override parseRequest(request: ParsedRequest, operation?: Operation): ParsedRequest {
    const { pattern, names = [] } = (operation && this.#pathOf.get(operation)) ?? {};
    const [, ...values] = pattern?.exec(request.path) ?? [];
    names.forEach((name, index) => {
      request.params[name] = decodeURIComponent(values[index] ?? '');
    });
    return request;
  }

  #findPath(path: string): Path | undefined {
    const literal = this.#literal.get(path);
    return (
      literal ?? this.#withParameters.get(countSegments(path))?.find(({ pattern }) => pattern.test(path))
    );
  }
}

const isLiteral = ({ template }: Path) => !template.includes('{');

const countSegments = (path: string) => path.split('/').length;

const literalLength = ({ template }: Path) => template.replaceAll(parameter, '').length;

const parameter = /\{([^}]+)\}/g;

function toPath(template: string, operations: readonly Operation[]): Path {
  // Each name stands between two literals.
  const parts = template.split(parameter);
  const pattern = parts.map((part, index) => (index % 2 ? '([^/]+)' : RegExp.escape(part))).join('');
  return {
    template,
    pattern: new RegExp(`^${pattern}$`),
    names: parts.filter((_, index) => index % 2),
    byMethod: new Map(operations.map((operation) => [operation.method.toUpperCase(), operation])),
  };
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Returns the operation of a request. Errors: route_not_found, method_not_allowed. */
export function getOperation(
  router: RequestRouter,
  request: Pick<ParsedRequest, 'method' | 'path'>,
): Operation {
  const { method, path } = request;
  const operation = router.findOperation(method, path);
  if (operation) return operation;
  const known = router.methodsOf(path);
  if (known.length === 0) throw routeNotFound(path);
  const allowed = methods.filter((method) => known.includes(method));
  const withHead = allowed.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one]));
  const patch = router.findOperation('PATCH', path);
  const patchTypes = patch && readRequestBody(router.definition, patch.requestBody)?.kinds.keys();
  throw methodNotAllowed(method, withHead, patchTypes && [...patchTypes]);
}
