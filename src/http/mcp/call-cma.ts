/**
 * Calls operations of the content management API within the process, so that tools have its validation, scopes, sites and errors.
 */
import type { ApiClient } from '../../access/clients/api-client.ts';
import type { JsonObject } from '../../model/content-type.ts';
import type { ApiHandler, ApiRequest } from '../api.ts';
import type { RequestLocals } from '../request/request-locals.ts';
import { toByteStream } from '../response/streamed-body.ts';

/** The most bytes of a result, which a model reads as a whole. */
export const maxResultBytes = 262_144;

/** Who calls, and until when. */
export interface ToolCaller {
  readonly client: ApiClient;
  readonly locals: RequestLocals;
  readonly signal: AbortSignal;
}

/** A call of an operation; `path` follows the base path. */
export interface CmaCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
}

/** Calls an operation; returns `undefined` when the response has more than `maxResultBytes`. Errors: those of the operation. */
export type CallCma = (call: CmaCall, caller: ToolCaller) => Promise<JsonObject | undefined>;

/** Creates the function. */
export function createCmaCaller({ handle, basePath }: { handle: ApiHandler; basePath: string }): CallCma {
  return async ({ method, path, query, headers = {}, body }, { client, locals, signal }) => {
    const request: ApiRequest = {
      method,
      path: basePath + path,
      query,
      headers: { ...headers, 'content-type': 'application/json' },
      locals: { ...locals, sender: { client } },
      // The body is the JSON that the reader would return.
      readBody: async <Body>() => body as Body,
      signal,
    };
    const answer = await handle(request);
    if (answer.usedTypes) locals.usedTypes = answer.usedTypes;
    const text = answer.stream ? await readText(toByteStream(answer.stream)) : answer.text;
    if (text === undefined && answer.stream) return undefined;
    if (text !== undefined && Buffer.byteLength(text) > maxResultBytes) return undefined;
    // Responses of these operations are JSON objects.
    return (text === undefined ? answer.body : JSON.parse(text)) as JsonObject;
  };
}

async function readText(bytes: AsyncIterable<Buffer>): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of bytes) {
    size += part.length;
    if (size > maxResultBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}
