/**
 * Finds what a server cannot do of an OpenAPI document. What is not named here is served as the document says.
 */

import { findReferenced, followReference } from '../documents/follow-reference.ts';
import type { OpenApiDocument } from '../documents/openapi-document.ts';
import { isJsonType, separatorOf, typesOfSchema } from '../documents/request-parts.ts';
import type { JsonObject } from '../model/content-type.ts';
import { isJsonObject } from '../model/values/validate-asset.ts';

/** What cannot be served, at a path of names within the document. */
export interface Refusal {
  readonly at: readonly string[];
  readonly reason: string;
}

/** The methods that a document can have. HEAD is answered as GET, and OPTIONS for pages of other origins. */
const servedMethods = ['get', 'put', 'post', 'delete', 'patch'];

/** Finds everything that cannot be served. */
export function findRefusals(document: OpenApiDocument): Refusal[] {
  const ids = new Set<string>();
  const refuseOperation = (
    operation: JsonObject,
    at: readonly string[],
    path: string,
    shared: JsonObject,
  ) => {
    const { operationId: id, parameters = [], requestBody, responses } = operation;
    const reasons = [
      ...refuseId(id, ids),
      ...(Object.keys(Object(responses)).length > 0 ? [] : ['has no responses']),
      ...refusePath(document, path, [shared.parameters ?? [], parameters].flat()),
    ];
    return [
      ...reasons.map((reason) => ({ at, reason })),
      ...refuseParameters(document, parameters, [...at, 'parameters']),
      ...refuseBody(document, requestBody, [...at, 'requestBody']),
    ];
  };
  const refuseItem = ([path, item]: [string, JsonObject]): Refusal[] => {
    const at = ['paths', path];
    const methods = Object.keys(item).filter((name) =>
      /^(get|put|post|delete|patch|head|options|trace)$/.test(name),
    );
    return [
      ...(item.$ref === undefined ? [] : [{ at: [...at, '$ref'], reason: 'a path is written in its place' }]),
      ...refuseParameters(document, item.parameters, [...at, 'parameters']),
      ...methods.flatMap((method) =>
        servedMethods.includes(method)
          ? refuseOperation(Object(item[method]), [...at, method], path, item)
          : [{ at: [...at, method], reason: `${method.toUpperCase()} is not served by operations` }],
      ),
    ];
  };
  return [
    ...(/^3\.1\./.test(document.openapi) ? [] : [{ at: ['openapi'], reason: 'must be 3.1' }]),
    ...Object.keys(Object(document.components?.schemas))
      .filter((name) => takenNames.includes(name))
      .map((name) => ({
        at: ['components', 'schemas', name],
        reason: 'is the name of a type that codegen uses',
      })),
    ...Object.entries(document.paths)
      .filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]) && !entry[0].startsWith('x-'))
      .flatMap(refuseItem),
    ...refuseReferences(document, document, []),
  ];
}

const takenNames = ['Array', 'Blob', 'File', 'Operation', 'Operations', 'Part'];

function refuseId(id: unknown, ids: Set<string>): string[] {
  if (id === undefined) return ['has no operationId'];
  if (typeof id !== 'string' || !/^[a-z][A-Za-z0-9]*$/.test(id) || takenIds.includes(id))
    return [
      `operationId ${JSON.stringify(id)} must match [a-z][A-Za-z0-9]* and be none of ${takenIds.join(', ')}`,
    ];
  if (ids.has(id)) return [`operationId ${id} is that of another operation, too`];
  ids.add(id);
  return [];
}

/** What `await` takes for a promise, what the generated class has, and what every object has. */
const takenIds = [
  'then',
  'client',
  ...Object.getOwnPropertyNames(Object.prototype).filter((name) => !name.startsWith('_')),
];

function refusePath(document: object, path: string, parameters: readonly unknown[]): string[] {
  const declared = parameters
    .map((parameter) => followReference(document, parameter))
    .filter((parameter) => parameter.in === 'path')
    .map(({ name }) => String(name));
  const inPath = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name);
  return [
    ...inPath
      .filter((name) => !declared.includes(name))
      .map((name) => `has no parameter "${name}" of its path`),
    ...declared.filter((name) => !inPath.includes(name)).map((name) => `has no "{${name}}" in its path`),
    ...(new Set(inPath).size < inPath.length ? ['has a name twice in its path'] : []),
  ];
}

function refuseParameters(document: object, parameters: unknown, at: readonly string[]): Refusal[] {
  return [parameters ?? []].flat().flatMap((parameter, index) => {
    const reason = refuseParameter(document, followReference(document, parameter));
    return reason === undefined ? [] : [{ at: [...at, `${index}`], reason }];
  });
}

/** Parameters are texts, and in a query several texts of one name. */
function refuseParameter(document: object, parameter: JsonObject): string | undefined {
  const { name, in: place, schema, style, content } = parameter;
  if (place === 'cookie') return `parameter "${name}": cookies are not parameters here`;
  if (name === '__proto__') return 'a parameter cannot be named "__proto__"';
  if (content !== undefined) return `parameter "${name}": "content" is not served, only "schema"`;
  const types = typesOfSchema(document, schema);
  if (types.has('object')) return `parameter "${name}": objects are not served in parameters`;
  if (!types.has('array'))
    return style === undefined || style === defaultStyle(place) ? undefined : styleReason(name);
  if (place !== 'query') return `parameter "${name}": lists are served in queries only`;
  return style === undefined || style === 'form' || separatorOf(parameter) ? undefined : styleReason(name);
}

const defaultStyle = (place: unknown) => (place === 'query' ? 'form' : 'simple');

const styleReason = (name: unknown) =>
  `parameter "${name}": this style is not served; lists can be "form", or "spaceDelimited" or "pipeDelimited" without "explode"`;

function refuseBody(document: object, requestBody: unknown, at: readonly string[]): Refusal[] {
  return Object.entries(Object(followReference(document, requestBody).content)).flatMap(([type, media]) => {
    const { format } = followReference(document, Object(media).schema);
    if (isJsonType(type) || format === 'binary') return [];
    return [{ at: [...at, 'content', type], reason: 'must be JSON, or a string with "format: binary"' }];
  });
}

/** Values in examples and constants are not part of the document, whatever they look like. */
const valueNames = ['example', 'examples', 'default', 'const', 'enum', 'value', 'mapping'];

function refuseReferences(document: object, part: unknown, at: readonly string[]): Refusal[] {
  return Object.entries(Object(part)).flatMap(([name, value]): Refusal[] => {
    const here = [...at, name];
    if (name === '$ref' && typeof value === 'string') {
      if (value.startsWith('#/') && findReferenced(document, value) !== undefined) return [];
      return [{ at: here, reason: `${value} is not a place of this document` }];
    }
    const isValue = valueNames.includes(name) && at.at(-1) !== 'properties';
    return isValue || name.startsWith('x-') || typeof value !== 'object'
      ? []
      : refuseReferences(document, value, here);
  });
}
