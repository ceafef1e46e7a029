/**
 * Generates the types of the operations of the CMA and of the admin API, which type their handlers.
 *
 * They follow from the documents without content types, since a server reads its content types when it starts. openapi-ts does
 * not generate an interface of all operations with their bodiless answers; it is added here.
 */
import type { OpenApiDocument } from '../documents/openapi-document.ts';
import type { JsonObject } from '../model/content-type.ts';
import { isJsonObject } from '../model/values/validate-asset.ts';
import { runOpenApiTs } from './client/run-openapi-ts.ts';
import type { Generator } from './generated-files.ts';
import { listOperations } from './request-schemas.ts';

/** Generates `server/cma.ts` and `server/admin.ts`. */
export const generateOperationTypes: Generator = async ({ cma, admin }) =>
  new Map([
    ['server/cma.ts', await typesOf(cma)],
    ['server/admin.ts', await typesOf(admin)],
  ]);

async function typesOf(document: OpenApiDocument): Promise<string> {
  const files = await runOpenApiTs(document, ['@hey-api/typescript']);
  return `${files.get('types.gen.ts')}\n${operationTypes(document)}`;
}

function operationTypes(document: OpenApiDocument): string {
  return `${operationType}
/** The operations, by their IDs. */
export interface Operations {
${listOperations(document).map(memberFor).join('\n')}
}
`;
}

const operationType = `/** What an operation takes, in parts, and the bodies it answers with, by status. */
export interface Operation<Data, Answers> {
    path: Part<Data, 'path'>;
    query: Part<Data, 'query'>;
    headers: Part<Data, 'headers'>;
    body: Part<Data, 'body'>;
    responses: Answers;
}

type Part<Data, Name> = Name extends keyof Data ? Data[Name] : undefined;
`;

function memberFor({ operationId, responses }: JsonObject): string {
  const name = String(operationId);
  const prefix = name.charAt(0).toUpperCase() + name.slice(1);
  const bodiless = Object.entries(isJsonObject(responses) ? responses : {})
    .filter(([, response]) => isJsonObject(response) && !response.content && !response.$ref)
    .map(([status]) => ` & { ${status}: undefined }`);
  return `    ${name}: Operation<${prefix}Data, ${prefix}Responses & ${prefix}Errors${bodiless.join('')}>;`;
}
