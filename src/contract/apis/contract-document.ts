/**
 * An OpenAPI document as the suite reads it: operations with parameters, bodies and documented responses.
 *
 * The document may come from anywhere, so nothing in it is assumed to exist.
 * `x-other-methods` and `x-other-paths` document the responses outside its operations.
 */
import { separatorOf } from '../../documents/document-parts.ts';
import type { Json, JsonObject } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';

export type Schema = JsonObject;

/** One parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly example?: Json;
  /** What separates the items of a list; absent when each item repeats the name. */
  readonly separator?: string;
}

/** An operation, or a stand-in for undocumented methods or paths. */
export interface Operation {
  /** Its `operationId`, or `<path> other methods`, or `other paths`. */
  readonly id: string;
  /** In capitals; empty for a stand-in of several methods. */
  readonly method: string;
  /** The template; empty for other paths. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** The request body in the first of its media types, with the pointer to its schema. */
  readonly body?: {
    readonly type: string;
    readonly schema: Schema;
    readonly pointer: string;
    readonly required: boolean;
  };
  /** All media types of the request body. */
  readonly bodyTypes: readonly string[];
  /** The least role of a user who may call it; absent when it needs no user. */
  readonly requiredRole?: string;
  /** Pointers to the documented responses, by status. */
  readonly responses: ReadonlyMap<string, string>;
}

/** A parsed document. */
export interface ContractDocument {
  readonly source: JsonObject;
  readonly title: string;
  readonly operations: readonly Operation[];
  /** Resolves the references of a node, and merges the members beside them. */
  follow(node: Json | undefined): JsonObject;
  /** The node that a pointer such as `#/components/schemas/Asset` names; an empty object when there is none. */
  at(pointer: string): JsonObject;
  /** Finds the operation of a request. */
  operationOf(method: string, path: string): Operation | undefined;
}

/** The extensions that document other methods of a path, and other paths. */
const otherMethods = 'x-other-methods';
const otherPaths = 'x-other-paths';
/** The extension that names the role that an operation requires of a user. */
const requiredRole = 'x-required-role';
const methodNames = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'];

/** Parses a document. */
export function readContractDocument(source: JsonObject): ContractDocument {
  const at = (pointer: string) => walkTo(source, pointer);
  const follow = (node: Json | undefined): JsonObject => {
    if (!isJsonObject(node)) return {};
    const { $ref: ref, ...beside } = node;
    return typeof ref === 'string' ? { ...follow(at(ref)), ...beside } : node;
  };
  const operations = Object.entries(objectOf(source.paths)).flatMap(([path, item]) =>
    readPath({ path, item: objectOf(item), follow }),
  );
  const patterns = operations.map((operation) => ({ operation, pattern: toPattern(operation.path) }));

  function operationOf(method: string, path: string): Operation | undefined {
    const fitting = patterns
      .filter(({ operation, pattern }) => operation.path !== '' && pattern.test(path))
      .map(({ operation }) => operation)
      .sort((a, b) => parametersIn(a.path) - parametersIn(b.path));
    const ofPath = fitting.filter((operation) => operation.path === fitting[0]?.path);
    if (ofPath.length === 0) return operations.find((operation) => operation.path === '');
    const wanted = method === 'HEAD' ? 'GET' : method;
    return (
      ofPath.find((operation) => operation.method === wanted) ??
      ofPath.find((operation) => operation.method === '')
    );
  }

  const title = objectOf(source.info).title;
  return {
    source,
    title: typeof title === 'string' ? title : 'an API',
    operations,
    follow,
    at,
    operationOf,
  };
}

/** Finds the key under which an operation documents a status: the status, its range such as `2XX`, or `default`. */
export function documentedStatus({ responses }: Operation, status: number): string | undefined {
  return [`${status}`, `${String(status)[0]}XX`, 'default'].find((key) => responses.has(key));
}

/** A member's value as an object; an empty one for anything else. */
export function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

interface PathReading {
  readonly path: string;
  readonly item: JsonObject;
  readonly follow: ContractDocument['follow'];
}

function readPath({ path, item, follow }: PathReading): Operation[] {
  if (path === otherPaths) {
    const responses = readResponses(objectOf(item.responses), pointerTo(path));
    return [{ id: 'other paths', method: '', path: '', parameters: [], bodyTypes: [], responses }];
  }
  const shared = listOf(item.parameters);
  return Object.entries(item)
    .filter(([method]) => methodNames.includes(method) || method === otherMethods)
    .map(([method, node]) => readOperation({ path, method, node: objectOf(node), shared, follow }));
}

function readOperation({
  path,
  method,
  node,
  shared,
  follow,
}: {
  path: string;
  method: string;
  node: JsonObject;
  shared: readonly Json[];
  follow: ContractDocument['follow'];
}): Operation {
  const pointer = pointerTo(path, method);
  const isOther = method === otherMethods;
  const requestBody = follow(node.requestBody);
  const contents = objectOf(requestBody.content);
  const [type = '', content] = Object.entries(contents)[0] ?? [];
  const { schema } = objectOf(content);
  const { $ref: bodyPointer = `${pointer}/requestBody` } = objectOf(node.requestBody);
  const id = typeof node.operationId === 'string' ? node.operationId : `${method.toUpperCase()} ${path}`;
  return {
    id: isOther ? `${path} other methods` : id,
    method: isOther ? '' : method.toUpperCase(),
    path,
    parameters: readParameters([...shared, ...listOf(node.parameters)], follow),
    ...(isJsonObject(schema)
      ? {
          body: {
            type,
            schema,
            pointer: `${bodyPointer}/content/${escapePointer(type)}/schema`,
            required: requestBody.required === true,
          },
        }
      : {}),
    bodyTypes: Object.keys(contents),
    ...(typeof node[requiredRole] === 'string' ? { requiredRole: node[requiredRole] } : {}),
    responses: readResponses(objectOf(node.responses), pointer),
  };
}

/** Reads parameters, of which later ones replace those of the same name and place. */
function readParameters(nodes: readonly Json[], follow: ContractDocument['follow']): Parameter[] {
  const read = nodes.map(follow).map((node): [string, Parameter] => {
    const separator = separatorOf(node);
    const parameter = {
      name: String(node.name),
      in: String(node.in),
      required: node.required === true,
      schema: follow(node.schema),
      ...(separator === undefined ? {} : { separator }),
      ...(node.example === undefined ? {} : { example: node.example }),
    };
    return [`${parameter.in} ${parameter.name}`, parameter];
  });
  return [...new Map(read).values()];
}

function readResponses(responses: JsonObject, pointer: string): Map<string, string> {
  return new Map(
    Object.entries(responses).map(([status, response]) => {
      const { $ref: ref } = objectOf(response);
      return [status, typeof ref === 'string' ? ref : `${pointer}/responses/${status}`];
    }),
  );
}

/** A pointer into `paths`, escaped as a URI's fragment has it. */
function pointerTo(...names: string[]): string {
  return `#/paths/${names.map(escapePointer).join('/')}`;
}

const escapePointer = (name: string) =>
  encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1')).replaceAll('%7E', '~');

function walkTo(source: JsonObject, pointer: string): JsonObject {
  const names = pointer.replace(/^#\//, '').split('/').map(decodeURIComponent);
  const unescaped = names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  return unescaped.reduce((node, name) => objectOf(node[name]), source);
}

const parametersIn = (template: string) => template.split('{').length;

function toPattern(template: string): RegExp {
  const parts = template.split(/\{[^}]+\}/).map(RegExp.escape);
  return new RegExp(`^${parts.join('[^/]+')}$`);
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
