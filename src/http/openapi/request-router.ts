/**
 * Finds the operation of a request in an OpenAPI document, what is wrong with its parameters and its body, and whether it may be repeated.
 */

import { isDeepStrictEqual } from 'node:util';
import type { ErrorObject, ValidateFunction } from 'ajv';
import {
  type Document,
  OpenAPIRouter,
  OpenAPIValidator,
  type Operation,
  type ParsedRequest,
  type ValidationResult,
} from 'openapi-backend';
import {
  invalidBody,
  methodNotAllowed,
  type Problem,
  preconditionFailed,
  routeNotFound,
} from '../../base/errors.ts';
import {
  followReference,
  listOperations,
  readRequestBody,
  separatorOf,
  typesOfSchema,
} from '../../documents/document-parts.ts';
import type { OpenApiDocument } from '../../documents/openapi-document.ts';
import type { Json, JsonObject } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import type { HttpResponse } from '../error-map.ts';
import { parseIfMatch } from '../response/streamed-body.ts';

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

/** The functions that validate `{path, query, header, requestBody}`, by operation ID. */
export type RequestValidators = Readonly<Record<string, readonly ValidateFunction[]>>;

/** Finds all problems of a request. */
export class RequestValidator extends OpenAPIValidator {
  readonly #validators: RequestValidators;
  /** The lists in queries that are one text, by operation ID. */
  readonly #separated: ReadonlyMap<string, readonly SeparatedList[]>;

  constructor({ router, validators }: { router: RequestRouter; validators: RequestValidators }) {
    super({ definition: router.definition, router, lazyCompileValidators: true });
    this.#validators = validators;
    const { definition } = router;
    this.#separated = new Map(
      listOperations(definition).map(({ operationId, parameters }) => [
        String(operationId),
        [parameters ?? []].flat().flatMap((one) => toSeparatedList(definition, Object(one))),
      ]),
    );
  }

  override validateRequest(request: ParsedRequest, { operationId = '' }: Operation): ValidationResult {
    const { params, query, headers, requestBody } = request;
    const validators = this.#validators[operationId];
    if (!validators) throw new Error(`operation ${operationId} has no validators`);
    // Validation converts parameters in place. Copies keep the original texts for the handlers.
    const inQuery: Record<string, unknown> = { ...Object(query) };
    const parts = { path: { ...params }, query: inQuery, header: { ...headers }, requestBody };
    for (const { name, separator } of this.#separated.get(operationId) ?? []) {
      const text = inQuery[name];
      if (typeof text === 'string') inQuery[name] = text.split(separator);
    }
    const errors = validators
      .flatMap((validate) => (validate(parts) ? [] : (validate.errors ?? [])))
      .map((error) => (isOfRepeated(error, query) ? { ...error, keyword: 'repeated' } : error));
    return { valid: errors.length === 0, errors: errors.length > 0 ? errors : null };
  }
}

interface SeparatedList {
  readonly name: string;
  readonly separator: string;
}

function toSeparatedList(document: object, parameter: JsonObject): SeparatedList[] {
  const separator = separatorOf(parameter);
  const isList = parameter.in === 'query' && typesOfSchema(document, parameter.schema).has('array');
  return isList && separator !== undefined ? [{ name: String(parameter.name), separator }] : [];
}

/** Tells whether a parameter is wrong only because a list of values stands where one is expected. */
function isOfRepeated({ keyword, instancePath }: ErrorObject, query: ParsedRequest['query']): boolean {
  const [, place, name = '', ...rest] = instancePath.split('/');
  const isWhole = keyword === 'type' && place === 'query' && rest.length === 0;
  return isWhole && typeof query === 'object' && Array.isArray(query[name]);
}

// Lets the body of a GET be sent back in the PUT or PATCH of the same path: members that only the server sets are left out of the body
// when they are as GET returns them, and are a problem otherwise.
//
// Which members these are follows from the two schemas of the document: the response has them, the request does not. Members with
// `x-live: true` change by themselves, so their values are not compared. `x-returned-as` names the member of the response that the
// update replaces, such as the draft of a REST endpoint.

/** The schemas of one update and of its record, as their properties. */
interface Update {
  readonly readId: string;
  readonly input: JsonObject;
  readonly output: JsonObject;
  /** The member of the record that the update replaces, if that is not the whole record. */
  readonly whole: string | undefined;
}

/** The members of a body to keep, and the problems of the others. */
interface Split {
  readonly kept: JsonObject;
  readonly problems: readonly Problem[];
}

/** Creates the lookup from a document and its operations. */
export function createRepeatableUpdates(document: OpenApiDocument, operations: readonly Operation[]) {
  const resolve = (part: unknown): JsonObject => followReference(document, part);
  const propertiesOf = (schema: unknown): JsonObject => Object(resolve(schema).properties);
  /** The schema of the JSON of a request body or a response. */
  const contentOf = (part: unknown) => resolve(Object(resolve(part).content)['application/json']?.schema);
  const typeOf = (schema: unknown) => resolve(schema).type;

  /** Tells whether only GET returns this member: the request has none of the name, or takes an object in place of a list of names. */
  const isReturned = (name: string, value: Json, { input, output }: Pick<Update, 'input' | 'output'>) =>
    Object.hasOwn(output, name) &&
    (!Object.hasOwn(input, name) ||
      (Array.isArray(value) && typeOf(output[name]) === 'array' && typeOf(input[name]) === 'object'));

  const within = (name: string, { input, output }: Pick<Update, 'input' | 'output'>) => ({
    input: propertiesOf(input[name]),
    output: propertiesOf(output[name]),
  });

  function isRepeating(body: JsonObject, schemas: Pick<Update, 'input' | 'output'>): boolean {
    return Object.entries(body).some(
      ([name, value]) =>
        isReturned(name, value, schemas) ||
        (isJsonObject(value) && isRepeating(value, within(name, schemas))),
    );
  }

  function split(body: JsonObject, current: JsonObject, schemas: Pick<Update, 'input' | 'output'>): Split {
    const problems: Problem[] = [];
    const kept = Object.entries(body).flatMap(([name, value]): [string, Json][] => {
      const present = current[name];
      if (isReturned(name, value, schemas)) {
        const isLive = Object(schemas.output[name])['x-live'] === true;
        if (!isLive && !isDeepStrictEqual(value, present))
          problems.push({ path: name, message: changedMessage });
        return [];
      }
      if (!isJsonObject(value) || !isJsonObject(present)) return [[name, value]];
      const inner = split(value, present, within(name, schemas));
      problems.push(...inner.problems.map(({ path, message }) => ({ path: `${name}.${path}`, message })));
      return [[name, inner.kept]];
    });
    return { kept: Object.fromEntries(kept), problems };
  }

  function splitRecord(body: JsonObject, current: JsonObject, update: Update): Split {
    const { whole, input } = update;
    const definition = whole === undefined ? undefined : body[whole];
    const isWhole = !Object.keys(body).some((name) => Object.hasOwn(input, name));
    if (whole === undefined || !isJsonObject(definition) || !isWhole) return split(body, current, update);
    return { ...split({ ...body, [whole]: current[whole] ?? null }, current, update), kept: definition };
  }

  const updates = new Map(
    operations.flatMap((operation): [string, Update][] => {
      const { operationId = '', method, path } = operation;
      const read = operations.find((one) => one.path === path && one.method === 'get');
      const body = contentOf(operation.requestBody);
      if (!/^(put|patch)$/.test(method) || !read || body.additionalProperties !== false) return [];
      const { 'x-returned-as': whole } = operation as { readonly 'x-returned-as'?: string };
      const output = propertiesOf(contentOf(read.responses?.[200]));
      return [[operationId, { readId: read.operationId ?? '', input: propertiesOf(body), output, whole }]];
    }),
  );

  return {
    /** Finds the record of an update; nothing when the body has no member that only GET returns. */
    find(
      operationId: string,
      { requestBody: body, headers }: Pick<ParsedRequest, 'requestBody' | 'headers'>,
    ) {
      const update = updates.get(operationId);
      // The reader of bodies has parsed JSON.
      const sent = body as Json | undefined;
      if (!update || !isJsonObject(sent) || !isRepeating(sent, update)) return undefined;
      return {
        /** The operation that reads the record. */
        readId: update.readId,
        /** Returns the body without these members. Errors: invalid_body when they differ from the record, precondition_failed. */
        remove({
          body: read,
          headers: readHeaders = {},
        }: Pick<HttpResponse, 'headers'> & { readonly body?: unknown }): ParsedRequest['requestBody'] {
          const { kept, problems } = splitRecord(sent, Object(read), update);
          if (problems.length === 0) return kept;
          const wanted = parseIfMatch(headers['if-match']?.toString());
          const [version = ''] = parseIfMatch(readHeaders.ETag?.toString()) ?? [];
          if (wanted && !wanted.includes(version)) throw preconditionFailed(String(Object(read).id ?? ''));
          throw invalidBody(problems);
        },
      };
    },
  };
}

const changedMessage = 'is set by the server: leave it out, or send it as GET returns it now';
