/**
 * Types for the parts of Swagger UI that are used. Its package has none.
 */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  interface SwaggerUi {
    /** Fills in the value of a security scheme of type `apiKey`; nothing happens when the document has none of that name. */
    preauthorizeApiKey(scheme: string, value: string): void;
  }

  interface SwaggerUiOptions {
    readonly spec: object;
    readonly domNode: Element;
    readonly presets: readonly unknown[];
    readonly validatorUrl: null;
    /** Returns the request to send in place of another. */
    readonly requestInterceptor: <Sent extends { url: string }>(request: Sent) => Sent;
    readonly onComplete: () => void;
  }

  const createSwaggerUi: {
    (options: SwaggerUiOptions): SwaggerUi;
    readonly presets: { readonly apis: unknown };
  };
  export default createSwaggerUi;
}
