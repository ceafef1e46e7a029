/**
 * The validator of an API, which has its functions from `generated/` and compiles no schema.
 */
import type { ValidateFunction } from 'ajv';
import { OpenAPIValidator, type Operation, type ParsedRequest, type ValidationResult } from 'openapi-backend';
import type { RequestRouter } from './request-router.ts';

/** The functions that check `{path, query, header, requestBody}`, by operation ID. */
export type RequestValidators = Readonly<Record<string, readonly ValidateFunction[]>>;

/** Finds everything that is wrong with a request. */
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
    // Validation converts parameters in place, and handlers get them as they arrived.
    const parts = { path: { ...params }, query: { ...query }, header: { ...headers }, requestBody };
    const errors = validators.flatMap((validate) => (validate(parts) ? [] : (validate.errors ?? [])));
    return { valid: errors.length === 0, errors: errors.length > 0 ? errors : null };
  }
}
