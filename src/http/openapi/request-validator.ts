/**
 * The validator of an API. It runs the functions in `generated/`, so that no schema is compiled at run time.
 */
import type { ErrorObject, ValidateFunction } from 'ajv';
import { OpenAPIValidator, type Operation, type ParsedRequest, type ValidationResult } from 'openapi-backend';
import type { RequestRouter } from './request-router.ts';

/** The functions that validate `{path, query, header, requestBody}`, by operation ID. */
export type RequestValidators = Readonly<Record<string, readonly ValidateFunction[]>>;

/** Finds all problems of a request. */
export class RequestValidator extends OpenAPIValidator {
  readonly #validators: RequestValidators;

  constructor({ router, validators }: { router: RequestRouter; validators: RequestValidators }) {
    super({ definition: router.definition, router, lazyCompileValidators: true });
    this.#validators = validators;
  }

  override validateRequest(request: ParsedRequest, { operationId = '' }: Operation): ValidationResult {
    const { params, query, headers, requestBody } = request;
    const validators = this.#validators[operationId];
    if (!validators) throw new Error(`operation ${operationId} has no validators`);
    // Validation converts parameters in place. Copies keep the original texts for the handlers.
    const parts = { path: { ...params }, query: { ...query }, header: { ...headers }, requestBody };
    const errors = validators
      .flatMap((validate) => (validate(parts) ? [] : (validate.errors ?? [])))
      .map((error) => (isOfRepeated(error, query) ? { ...error, keyword: 'repeated' } : error));
    return { valid: errors.length === 0, errors: errors.length > 0 ? errors : null };
  }
}

/** Tells whether a parameter is wrong only because a list of values stands where one is expected. */
function isOfRepeated({ keyword, instancePath }: ErrorObject, query: ParsedRequest['query']): boolean {
  const [, place, name = '', ...rest] = instancePath.split('/');
  const isWhole = keyword === 'type' && place === 'query' && rest.length === 0;
  return isWhole && typeof query === 'object' && Array.isArray(query[name]);
}
