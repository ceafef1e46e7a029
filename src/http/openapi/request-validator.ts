/**
 * The validator of an API. It runs the functions in `generated/`, so that no schema is compiled at run time.
 */
import type { ErrorObject, ValidateFunction } from 'ajv';
import { OpenAPIValidator, type Operation, type ParsedRequest, type ValidationResult } from 'openapi-backend';
import { listOperations, separatorOf, typesOfSchema } from '../../documents/document-parts.ts';
import type { JsonObject } from '../../model/content-type.ts';
import type { RequestRouter } from './request-router.ts';

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
