/**
 * Reads the OpenAPI documents from their YAML sources, and refuses what a server cannot do of them; what is not named here is served as the
 * document says. All other code reads the JSON that is generated from them here, because a server loads JSON faster.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, isNode, isPair, isScalar, LineCounter, parseDocument } from 'yaml';
import { checkFailed } from '../base/errors.ts';
import { packageRoot } from '../base/package-root.ts';
import {
  findReferenced,
  followReference,
  isJsonType,
  separatorOf,
  typesOfSchema,
} from '../documents/document-parts.ts';
import type { OpenApiDocument } from '../documents/openapi-document.ts';
import type { JsonObject } from '../model/content-type.ts';
import { isJsonObject } from '../model/values/validate-asset.ts';
import type { RouteDocument } from './client/read-endpoints.ts';
import type { Generator } from './generated-files.ts';
import type { Specifications } from './input.ts';

/** Reads `openapi/cma.yaml` and `openapi/admin.yaml`. Errors: check_failed, with a line for each reason. */
export const readSpecifications = (): Specifications => ({ cma: read('cma'), admin: read('admin') });

function read(name: keyof Specifications): OpenApiDocument {
  const path = `openapi/${name}.yaml`;
  return readSpecification(readFileSync(join(packageRoot, path), 'utf8'), path);
}

/** Reads a document, whose errors name `path`. Errors: check_failed, with a line for each reason. */
export function readSpecification(text: string, path: string): OpenApiDocument {
  const lines = new LineCounter();
  const yaml = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  /** The line of a place, or of the nearest place around it that the file has. */
  const lineOf = (at: readonly string[]): number => {
    const key = at.at(-1);
    const above = yaml.getIn(at.slice(0, -1), true);
    const pair = isMap(above)
      ? above.items.find((item) => isScalar(item.key) && String(item.key.value) === key)
      : above;
    const node = isPair(pair) ? pair.key : yaml.getIn(at, true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    return at.length > 0 ? lineOf(at.slice(0, -1)) : 1;
  };
  const [broken] = yaml.errors;
  if (broken) throw checkFailed(`${path}:${lines.linePos(broken.pos[0]).line}: ${broken.message}`);
  const document: OpenApiDocument = yaml.toJS();
  const refusals = findRefusals(document).map(
    ({ at, reason }) => `${path}:${lineOf(at)}: ${at.join(' ')}: ${reason}`,
  );
  if (refusals.length > 0) throw checkFailed(refusals.join('\n'));
  return document;
}

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

/**
 * Generates `openapi/cma.json` and `openapi/admin.json`; in `server/` the same documents without content types, for the server;
 * and `openapi/routes.json` with the documents of REST endpoints, which codegen can read again.
 */
export const generateOpenApi: Generator = ({ cma, bundledCma, admin, bundledAdmin, endpoints }) =>
  new Map([
    ['openapi/cma.json', toText(bundledCma)],
    ['openapi/admin.json', toText(bundledAdmin)],
    ['server/cma.json', toText(cma)],
    ['server/admin.json', toText(admin)],
    ...(endpoints ? [routesFile(endpoints)] : []),
  ]);

const routesFile = (endpoints: readonly RouteDocument[]): [string, string] => [
  'openapi/routes.json',
  toText(endpoints.map(({ document }) => document)),
];

const toText = (document: OpenApiDocument | readonly JsonObject[]) =>
  `${JSON.stringify(document, null, 2)}\n`;
