/**
 * Reads an OpenAPI document into the parts that the reference shows. Documents come from this server, so that what one lacks is left
 * out and no mistake of form is looked for.
 */

/** Any object of a document. */
export type Json = Readonly<Record<string, unknown>>;

/** What the reference shows of a document. */
export interface ReferenceDocument {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly schemes: readonly SecurityScheme[];
  readonly sections: readonly ReferenceSection[];
}

/** A way to authenticate. */
export interface SecurityScheme {
  readonly name: string;
  /** Where the credentials are, such as `Header X-Client-Id`. */
  readonly place: string;
  readonly description: string;
}

/** The operations with one tag. */
export interface ReferenceSection {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

/** One operation, or one message that the server sends. */
export interface Operation {
  readonly id: string;
  /** In capitals. */
  readonly method: string;
  /** The path, or the name of a message. */
  readonly path: string;
  readonly isMessage: boolean;
  readonly summary: string;
  readonly description: string;
  readonly isDeprecated: boolean;
  /** The least role of a user that may call it, where the document names one. */
  readonly role: string | undefined;
  /** The lines of the headers of the first way to authenticate, with what to fill in; none where anyone may call it. */
  readonly credentials: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly body: Body | undefined;
  readonly responses: readonly Response[];
}

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  /** `path`, `query` or `header`. */
  readonly place: string;
  readonly isRequired: boolean;
  readonly description: string;
  readonly schema: Json;
  readonly example: unknown;
}

/** The body of a request or a response, in its first media type. */
export interface Body {
  readonly mediaTypes: readonly string[];
  readonly isRequired: boolean;
  readonly schema: Json;
  readonly example: unknown;
}

/** A response of an operation. */
export interface Response {
  readonly status: string;
  readonly description: string;
  readonly headers: readonly { readonly name: string; readonly description: string }[];
  readonly body: Body | undefined;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** Reads a document. */
export function readDocument(document: Json): ReferenceDocument {
  const info = toJson(document.info);
  const components = toJson(document.components);
  return {
    title: toText(info.title),
    version: toText(info.version),
    description: toText(info.description),
    schemes: Object.entries(toJson(components.securitySchemes)).map(([name, scheme]) =>
      readScheme(name, toJson(scheme)),
    ),
    sections: readSections(document),
  };
}

/** Follows a reference within the document to what it names. */
export function resolve(document: Json, value: unknown): Json {
  const found = toJson(value);
  if (typeof found.$ref !== 'string') return found;
  const steps = found.$ref.replace('#/', '').split('/');
  const target = steps.reduce<unknown>(
    (at, step) => toJson(at)[decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')],
    document,
  );
  // What stands beside a reference, such as a description, says more than what it names.
  const { $ref: _, ...beside } = found;
  return { ...resolve(document, target), ...beside };
}

/** The value as an object; empty if it is none. */
export const toJson = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {};

/** The value as a list; empty if it is none. */
export const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The value as a text; empty if it is none. */
export const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

function readSections(document: Json): ReferenceSection[] {
  const operations = [
    ...readOperations(document, toJson(document.paths), false),
    ...readOperations(document, toJson(document.webhooks), true),
  ];
  const named = toList(document.tags).map(toJson);
  const sections = [
    ...named.map((tag) => ({ name: toText(tag.name), description: toText(tag.description) })),
    // The documents of REST endpoints have no tags.
    { name: '', description: '' },
  ];
  const isKnown = (tag: string) => sections.some(({ name }) => name === tag);
  return sections
    .map(({ name, description }) => ({
      name,
      description,
      operations: operations
        .filter(({ tag }) => (isKnown(tag) ? tag : '') === name)
        .map(({ operation }) => operation),
    }))
    .filter((section) => section.operations.length > 0);
}

function readOperations(document: Json, paths: Json, isMessage: boolean) {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods
      .filter((method) => method in toJson(item))
      .map((method) => {
        const source = toJson(toJson(item)[method]);
        const shared = toList(toJson(item).parameters);
        return {
          tag: toText(toList(source.tags)[0]),
          operation: readOperation(document, { method, path, source, shared, isMessage }),
        };
      }),
  );
}

function readOperation(
  document: Json,
  at: { method: string; path: string; source: Json; shared: readonly unknown[]; isMessage: boolean },
): Operation {
  const { method, path, source, shared, isMessage } = at;
  return {
    id: toText(source.operationId) || `${method} ${path}`,
    method: method.toUpperCase(),
    path,
    isMessage,
    summary: toText(source.summary),
    description: toText(source.description),
    isDeprecated: source.deprecated === true,
    role: toText(source['x-required-role']) || undefined,
    credentials: readCredentials(document, source.security ?? document.security),
    parameters: [...shared, ...toList(source.parameters)].map((one) => readParameter(resolve(document, one))),
    body: source.requestBody === undefined ? undefined : readBody(resolve(document, source.requestBody)),
    responses: Object.entries(toJson(source.responses)).map(([status, response]) =>
      readResponse(document, { status, response: resolve(document, response) }),
    ),
  };
}

function readCredentials(document: Json, security: unknown): string[] {
  const schemes = toJson(toJson(document.components).securitySchemes);
  const [first] = toList(security);
  return Object.keys(toJson(first)).flatMap((name) => {
    const scheme = toJson(schemes[name]);
    if (scheme.scheme === 'bearer') return ['Authorization: Bearer <client ID>.<client secret>'];
    const header = toText(scheme.name);
    return scheme.in === 'header' ? [`${header}: <${header}>`] : [];
  });
}

function readParameter(parameter: Json): Parameter {
  const [example] = Object.values(toJson(parameter.examples)).map((one) => toJson(one).value);
  return {
    name: toText(parameter.name),
    place: toText(parameter.in),
    isRequired: parameter.required === true,
    description: toText(parameter.description),
    schema: toJson(parameter.schema),
    example: parameter.example ?? example,
  };
}

function readBody(source: Json): Body | undefined {
  const content = toJson(source.content);
  const [media] = Object.values(content).map(toJson);
  if (!media) return undefined;
  const [example] = Object.values(toJson(media.examples)).map((one) => toJson(one).value);
  return {
    mediaTypes: Object.keys(content),
    isRequired: source.required === true,
    schema: toJson(media.schema),
    example: media.example ?? example,
  };
}

function readResponse(document: Json, { status, response }: { status: string; response: Json }): Response {
  return {
    status,
    description: toText(response.description),
    headers: Object.entries(toJson(response.headers)).map(([name, header]) => ({
      name,
      description: toText(resolve(document, header).description),
    })),
    body: readBody(response),
  };
}

function readScheme(name: string, scheme: Json): SecurityScheme {
  const isBearer = scheme.type === 'http' && scheme.scheme === 'bearer';
  const place = toText(scheme.in);
  return {
    name,
    place: isBearer
      ? 'Header Authorization: Bearer'
      : `${place.charAt(0).toUpperCase()}${place.slice(1)} ${toText(scheme.name)}`.trim(),
    description: toText(scheme.description),
  };
}
