/**
 * Reads what `--endpoints` names: the OpenAPI documents of REST endpoints, from a file or from a running server.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import type { RestEndpoint } from '../../../generated/server/admin.ts';
import { checkFailed } from '../../base/errors.ts';
import { createConnection } from '../../client/connection.ts';
import { ColophonError } from '../../client/errors.ts';
import { sendRequest } from '../../client/send-request.ts';
import { adminPath } from '../../documents/openapi-document.ts';
import { type RouteDocument, readRouteDocument } from './route-document.ts';

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
