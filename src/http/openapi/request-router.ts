/**
 * The router of an API, built once from its OpenAPI document.
 *
 * The router of openapi-backend lists the operations and builds their patterns for each request, and copies the request
 * several times. This router does both once, because a document does not change while it is served, and never copies a
 * request.
 */
import { type Document, OpenAPIRouter, type Operation, type ParsedRequest } from 'openapi-backend';

/** A path of the document with its operations. */
interface Path {
  readonly template: string;
  readonly pattern: RegExp;
  /** By upper-case name. */
  readonly byMethod: ReadonlyMap<string, Operation>;
}

/**
 * Finds the operation of a request. Paths match exactly. A parameter matches one segment and is decoded. A literal path has
 * priority over a path with parameters, whichever methods they have. Expects header names in lower case and a parsed query;
 * ignores cookies.
 */
export class RequestRouter extends OpenAPIRouter {
  readonly #literal: ReadonlyMap<string, Path>;
  readonly #withParameters: readonly Path[];
  readonly #patterns: ReadonlyMap<Operation, RegExp>;
  readonly #operations: Operation[];

  constructor(definition: Document) {
    super({ definition });
    // Authentication runs before this router, and the handlers also require an authenticated sender.
    const operations = super.getOperations().map((operation) => ({ ...operation, security: [] }));
    const paths = [...Map.groupBy(operations, ({ path }) => path)].map(([template, own]) =>
      toPath(template, own),
    );
    this.#literal = new Map(paths.filter(isLiteral).map((path) => [path.template, path]));
    this.#withParameters = paths.filter((path) => !isLiteral(path));
    this.#patterns = new Map(
      this.#withParameters.flatMap(({ byMethod, pattern }) =>
        [...byMethod.values()].map((operation) => [operation, pattern] as const),
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
    const groups = operation && this.#patterns.get(operation)?.exec(request.path)?.groups;
    for (const name in groups) request.params[name] = decodeURIComponent(groups[name] ?? '');
    return request;
  }

  #findPath(path: string): Path | undefined {
    return this.#literal.get(path) ?? this.#withParameters.find(({ pattern }) => pattern.test(path));
  }
}

const isLiteral = ({ template }: Path) => !template.includes('{');

function toPath(template: string, operations: readonly Operation[]): Path {
  return {
    template,
    pattern: toPattern(template),
    byMethod: new Map(operations.map((operation) => [operation.method.toUpperCase(), operation])),
  };
}

function toPattern(template: string): RegExp {
  const segments = template.split('/').map((segment) => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    return name ? `(?<${name}>[^/]+)` : RegExp.escape(segment);
  });
  return new RegExp(`^${segments.join('/')}$`);
}
