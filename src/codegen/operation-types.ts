/**
 * Generates the types of the operations of the CMA and of the admin API, which type their handlers.
 *
 * They follow from the documents without content types, since a server reads its content types when it starts. openapi-ts does
 * not generate an interface of all operations with their bodiless answers; it is added here.
 */
import { STATUS_CODES } from 'node:http';
import { followReference, listOperations, mapDocument } from '../documents/document-parts.ts';
import type { OpenApiDocument } from '../documents/openapi-document.ts';
import type { Json, JsonObject } from '../model/content-type.ts';
import { runOpenApiTs } from './client/run-openapi-ts.ts';
import type { Generator } from './generated-files.ts';

/** Generates `server/cma.ts` and `server/admin.ts`. */
export const generateOperationTypes: Generator = async ({ cma, admin }) =>
  new Map([
    ['server/cma.ts', await typesOf(cma)],
    ['server/admin.ts', await typesOf(admin)],
  ]);

async function typesOf(document: OpenApiDocument): Promise<string> {
  const operations = listOperations(document).map((operation, index) => ({
    operation,
    number: `Operation${index}x`,
    prefix: toPrefix(document, String(operation.operationId)),
  }));
  const numbers = new Map(operations.map(({ operation, number }) => [operation.operationId, number]));
  const files = await runOpenApiTs(withIds(document, numbers), ['@hey-api/typescript']);
  const prefixes = new Map(operations.map(({ number, prefix }) => [number, prefix]));
  const source = (files.get('types.gen.ts') ?? '').replace(
    /\bOperation\d+x(?=[A-Z])/g,
    (number) => prefixes.get(number) ?? number,
  );
  const members = operations.map(({ operation, prefix }) =>
    memberFor({ document, operation, prefix, source }),
  );
  return `${source}\n${operationType}
/** The operations, by their IDs. */
export interface Operations {
${members.join('\n')}
}
`;
}

/** Replaces the IDs by numbers: openapi-ts changes the spelling of IDs in the names of types, so that two of them could become equal. */
function withIds(document: OpenApiDocument, ids: ReadonlyMap<Json | undefined, string>): OpenApiDocument {
  return mapDocument(document, (object) => {
    const operationId = ids.get(object.operationId);
    return operationId === undefined ? object : { ...object, operationId };
  });
}

/** Returns what the names of an operation's types begin with: its ID, unless a schema has such a name. */
function toPrefix({ components }: OpenApiDocument, id: string): string {
  const prefix = id.charAt(0).toUpperCase() + id.slice(1);
  const taken = Object.keys(components.schemas).map((name) => name.replace(/\W|_/g, '').toLowerCase());
  const own = ['data', 'errors', 'error', 'responses', 'response'];
  return own.some((part) => taken.includes(prefix.toLowerCase() + part)) ? `${prefix}_` : prefix;
}

const operationType = `/** What an operation takes, in parts, the bodies it answers with, by status, and the names of their headers. */
export interface Operation<Data, Answers, Headers> {
    path: Part<Data, 'path'>;
    query: Part<Data, 'query'>;
    headers: Part<Data, 'headers'>;
    body: Part<Data, 'body'>;
    responses: Answers;
    responseHeaders: Headers;
}

type Part<Data, Name> = Name extends keyof Data ? Data[Name] : undefined;
`;

/** An operation, the beginning of the names of its types, and the text that declares them. */
interface TypedOperation {
  readonly document: OpenApiDocument;
  readonly operation: JsonObject;
  readonly prefix: string;
  readonly source: string;
}

function memberFor({ document, operation, prefix, source }: TypedOperation): string {
  const declared = [`${prefix}Responses`, `${prefix}Errors`].filter((name) =>
    source.includes(`export type ${name} =`),
  );
  const listed = Object.entries(Object(operation.responses)).map(
    ([status, response]) => [status, followReference(document, response)] as const,
  );
  const statuses = Object.keys(Object(operation.responses));
  const parts = listed.flatMap(([status, { content }]) => {
    const isBodiless = Object.keys(Object(content)).length === 0;
    if (/^\d+$/.test(status)) return isBodiless ? [`{ ${status}: undefined }`] : [];
    const body = isBodiless ? 'undefined' : `(${declared.join(' & ')})['${status}']`;
    return [`{ [Status in ${coveredBy(status, statuses).join(' | ') || 'never'}]: ${body} }`];
  });
  const headers = listed.flatMap(([status, response]) => {
    const names = Object.keys(Object(response.headers))
      .map((name) => `'${name}'`)
      .join(' | ');
    return names === '' ? [] : coveredBy(status, statuses).map((one) => `${one}: ${names}`);
  });
  const answers = [...declared, ...parts].join(' & ');
  return `    ${operation.operationId}: Operation<${prefix}Data, ${answers}, { ${headers.join('; ')} }>;`;
}

/** Lists the statuses that an entry of an operation's responses is for: a range, such as "4XX", and "default" are for those without an own one. */
function coveredBy(entry: string, entries: readonly string[]): string[] {
  if (/^\d+$/.test(entry)) return [entry];
  const free = Object.keys(STATUS_CODES).filter((status) => status >= '200' && !entries.includes(status));
  if (entry !== 'default') return free.filter((status) => status[0] === entry[0]);
  return free.filter((status) => !entries.includes(`${status[0]}XX`));
}
