/**
 * Reads what `--endpoints` names: the OpenAPI documents of REST endpoints, from a file or from a running server; checks them and lists their
 * routes.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import type { RestEndpoint } from '../../../generated/server/admin.ts';
import { checkFailed } from '../../base/errors.ts';
import { createConnection } from '../../client/connection.ts';
import { ColophonError } from '../../client/errors.ts';
import { sendRequest } from '../../client/send-request.ts';
import { adminPath } from '../../documents/openapi-document.ts';
import { checkMappingPath } from '../../mapping/checks/naming.ts';
import {
  cacheTagsExtension,
  idempotencyKeyHeader,
  resultExtension,
  variablesExtension,
} from '../../mapping/describe/route-openapi.ts';
import type { JsonObject } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';

/** Where documents are, and who may read them from a server: an API client with the scope `admin`. */
export interface EndpointsSource {
  /** A server's address, or the path of a JSON file with a document or a list of them. */
  readonly from: string;
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
}

/** Reads the documents, in the order of their titles. Errors: check_failed. */
export async function readEndpoints(source: EndpointsSource): Promise<RouteDocument[]> {
  const isUrl = /^https?:\/\//i.test(source.from);
  const documents = isUrl ? await readFromServer(source) : readFromFile(source.from);
  if (documents.length === 0) throw checkFailed(`${source.from} has no published REST endpoint`);
  return documents.sort((one, other) => compare(one.title, other.title));
}

function readFromFile(file: string): RouteDocument[] {
  if (!existsSync(file)) throw checkFailed(`There is no file ${file}`);
  if (statSync(file).isDirectory()) throw checkFailed(`${file} is a folder`);
  const content = parseJson(readFileSync(file, 'utf8'), file);
  if (!Array.isArray(content)) return [readRouteDocument(content, file)];
  return content.map((document, index) => readRouteDocument(document, `${file}[${index}]`));
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw checkFailed(`${file} is no JSON: ${error instanceof Error ? error.message : error}`);
  }
}

async function readFromServer({ from, clientId, clientSecret }: EndpointsSource): Promise<RouteDocument[]> {
  if (!clientId || !clientSecret) {
    throw checkFailed(
      `To read the REST endpoints of ${from}, give the ID and secret of a client with the scope admin`,
    );
  }
  try {
    const connection = createConnection(
      { baseUrl: from },
      { 'X-Client-Id': clientId, 'X-Client-Secret': clientSecret },
    );
    const read = async (path: string) => {
      const { body } = await sendRequest(connection, {
        method: 'GET',
        path: adminPath + path,
        repeatable: true,
      });
      return body;
    };
    const list = await read('/rest-endpoints');
    // The server answers as openapi/admin.yaml says.
    const endpoints = (list?.items ?? []) as readonly RestEndpoint[];
    const documents: RouteDocument[] = [];
    for (const { id, published } of endpoints) {
      if (!published) continue;
      const document = await read(`/rest-endpoints/${id}/openapi.json`);
      documents.push(readRouteDocument(document, `${published.definition.name} of ${from}`));
    }
    return documents;
  } catch (error) {
    if (!(error instanceof ColophonError || error instanceof TypeError)) throw error;
    throw checkFailed(`The REST endpoints of ${from} cannot be read: ${error.message}`);
  }
}

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));

/** The document of a REST endpoint, with its routes. */
export interface RouteDocument {
  /** The document without the address of its server. */
  readonly document: JsonObject;
  readonly title: string;
  readonly routes: readonly DocumentedOperation[];
  /** The schemas that those of the routes refer to. */
  readonly schemas: JsonObject;
}

/** One route of a document. */
export interface DocumentedOperation {
  readonly id: string;
  readonly summary: string;
  readonly method: string;
  readonly path: string;
  /** Where the variables are: in a JSON body, or in the query string in one of its syntaxes. */
  readonly variables: 'body' | 'slash' | 'json';
  /** Whether it is safe to retry. */
  readonly repeatable: boolean;
  /** Whether it accepts an idempotency key. */
  readonly acceptsKey: boolean;
  /** Whether it reads the drafts of a release on request. */
  readonly acceptsRelease: boolean;
  /** The cache tags of the types that it reads. */
  readonly cacheTags: readonly string[];
  readonly variablesSchema: JsonObject;
  /** The schema of the data, or of the value that the response consists of. */
  readonly dataSchema: JsonObject;
  /** Whether the response consists of a value, and whether it is 404 where that would be null. */
  readonly result?: 'value' | 'found';
}

/** Reads a parsed document; `source` names it in errors. Errors: check_failed. */
export function readRouteDocument(document: unknown, source: string): RouteDocument {
  const { openapi, info, paths, components } = membersOf(document);
  const { title } = membersOf(info);
  if (
    !isObject(document) ||
    !String(openapi).startsWith('3.1') ||
    !isObject(paths) ||
    typeof title !== 'string'
  ) {
    throw foreign(source, 'it is no OpenAPI 3.1 document');
  }
  const routes = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(membersOf(item)).map(([method, operation]) =>
      readOperation(membersOf(operation), { path, method: method.toUpperCase(), source }),
    ),
  );
  const { servers: _, ...kept } = document;
  return { document: kept, title, routes, schemas: membersOf(membersOf(components).schemas) };
}

interface Place {
  readonly path: string;
  readonly method: string;
  readonly source: string;
}

function readOperation(operation: JsonObject, { path, method, source }: Place): DocumentedOperation {
  const { operationId, summary, parameters, responses, requestBody } = operation;
  const answers = membersOf(responses);
  const result = operation[resultExtension];
  const cacheTags = operation[cacheTagsExtension];
  const accepts = (parameter: string) =>
    Array.isArray(parameters) && parameters.some((one) => membersOf(one).name === parameter);
  const answer = jsonSchemaOf(answers['200']);
  const dataSchema = result === undefined ? propertiesOf(answer).data : answer;
  if (typeof operationId !== 'string' || !isObject(dataSchema)) {
    throw foreign(source, `${method} ${path} does not answer with the data of an operation`);
  }
  assertPlain(operationId, { path, source });
  const inQuery = operation[variablesExtension];
  const { syntax, schema } = membersOf(inQuery);
  const inBody = method === 'POST' || method === 'PUT';
  if (!inBody && (!isObject(schema) || (syntax !== 'slash' && syntax !== 'json'))) {
    throw foreign(source, `${method} ${path} has no ${variablesExtension}`);
  }
  return {
    id: operationId,
    summary: typeof summary === 'string' ? summary : operationId,
    method,
    path,
    variables: inBody ? 'body' : syntax === 'json' ? 'json' : 'slash',
    // Only queries have a 304.
    repeatable: method === 'GET' && '304' in answers,
    acceptsKey: accepts(idempotencyKeyHeader),
    acceptsRelease: accepts('preview') && accepts('release'),
    cacheTags: Array.isArray(cacheTags) ? cacheTags.map(String) : [],
    variablesSchema: withPathParameters(
      inBody ? (jsonSchemaOf(requestBody) ?? noVariables) : membersOf(schema),
      parameters,
    ),
    dataSchema,
    ...(result === undefined ? {} : { result: membersOf(result).isFound === true ? 'found' : 'value' }),
  };
}

/** Adds the parameters of the path to the schema of the other variables. */
function withPathParameters(schema: JsonObject, parameters: unknown): JsonObject {
  const inPath = (Array.isArray(parameters) ? parameters : [])
    .map(membersOf)
    .filter((parameter) => parameter.in === 'path');
  if (inPath.length === 0) return schema;
  const required = Array.isArray(schema.required) ? schema.required : [];
  return {
    ...schema,
    required: [...inPath.map(({ name }) => String(name)), ...required],
    properties: {
      ...Object.fromEntries(inPath.map((parameter) => [String(parameter.name), membersOf(parameter.schema)])),
      ...propertiesOf(schema),
    },
  };
}

/** Refuses names and paths that would inject code into the client or lead to another server. */
function assertPlain(operationId: string, { path, source }: Pick<Place, 'path' | 'source'>): void {
  if (!/^[A-Za-z][A-Za-z0-9]*$/.test(operationId)) {
    throw foreign(source, `the operationId ${JSON.stringify(operationId)} is no name for a function`);
  }
  const problem = checkMappingPath(path);
  if (problem) throw foreign(source, `the path ${JSON.stringify(path)} ${problem}`);
}

const noVariables: JsonObject = { type: 'object', properties: {}, additionalProperties: false };

function jsonSchemaOf(part: unknown): JsonObject | undefined {
  const { schema } = membersOf(membersOf(membersOf(part).content)['application/json']);
  return isObject(schema) ? schema : undefined;
}

const propertiesOf = (schema: JsonObject | undefined) => membersOf(schema?.properties);

/** Whether parsed JSON is an object. */
const isObject = (value: unknown): value is JsonObject => isJsonObject(value as JsonObject);

const membersOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

const foreign = (source: string, reason: string) =>
  checkFailed(`${source} is not the OpenAPI document of a REST endpoint: ${reason}`);
