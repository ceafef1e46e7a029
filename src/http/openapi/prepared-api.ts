/**
 * openapi-backend with our own router and validator, which are built before the first request.
 */
import { OpenAPIBackend, type Options } from 'openapi-backend';
import type { RequestRouter } from './request-router.ts';
import type { RequestValidator } from './request-validator.ts';

/** Calls the handler of each request. It runs in strict mode: if a fallback handler is missing, requests fail. */
export class PreparedApi extends OpenAPIBackend {
  readonly #parts: { readonly router: RequestRouter; readonly validator: RequestValidator };

  constructor({
    handlers,
    ...parts
  }: {
    router: RequestRouter;
    validator: RequestValidator;
    handlers: NonNullable<Options['handlers']>;
  }) {
    super({ definition: parts.router.definition, strict: true, handlers });
    this.#parts = parts;
  }

  /** Installs the given router and validator instead of the defaults. Fails if a handler has no operation. */
  override async init(): Promise<this> {
    this.definition = this.#parts.router.definition;
    this.router = this.#parts.router;
    this.validator = this.#parts.validator;
    this.initialized = true;
    this.register(this.handlers);
    return this;
  }
}
