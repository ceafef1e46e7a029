/**
 * What a tool is, and what its calls receive.
 */

import { createHmac } from 'node:crypto';
import type { ApiClient } from '../../access/clients/api-client.ts';
import { isSameText } from '../../access/clients/secret.ts';
import { invalidParameter, notFound } from '../../base/errors.ts';
import type { Clock, IdSource } from '../../base/runtime.ts';
import type { JsonObject } from '../../model/content-type.ts';
import type { ApiHandler, ApiRequest } from '../api.ts';
import type { RequestLocals } from '../request/request-head.ts';
import { toByteStream } from '../response/streamed-body.ts';

export interface ToolCall extends ToolCaller {
  readonly session: Session;
  /** Validated against the schema of the tool. */
  readonly input: JsonObject;
}

/** A tool. Its texts come from Colophon, or from people who may publish REST endpoints, and never from content. */
export interface Tool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonObject & { readonly type: 'object' };
  readonly outputSchema: JsonObject & { readonly type: 'object' };
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
  /** Whether the tool checks its input itself, against variables that can change. */
  readonly isChecked?: true;
  /** Returns the structured content. Errors: DomainError. */
  run(call: ToolCall): Promise<JsonObject>;
}

/** The annotations of tools that change nothing. */
export const reading: Tool['annotations'] = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** The most bytes of a result, which a model reads as a whole. */
export const maxResultBytes = 262_144;

/** Who calls, and until when. */
interface ToolCaller {
  readonly client: ApiClient;
  readonly locals: RequestLocals;
  readonly signal: AbortSignal;
}

/** A call of an operation; `path` follows the base path. */
interface CmaCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
}

/** Calls an operation; returns `undefined` when the response has more than `maxResultBytes`. Errors: those of the operation. */
export type CallCma = (call: CmaCall, caller: ToolCaller) => Promise<JsonObject | undefined>;

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

// The sessions of agents. The session ID is all there is of one: it names the release of its drafts and the run of its live writes, and
// proves the API client that began it. So every process knows every session, also after a restart.

/** A session; `name` is that of its release and of its run. */
export interface Session {
  readonly id: string;
  readonly name: string;
}

/** Begins a session of a client. Its name has the day, for people. */
export function beginSession(client: ApiClient, { clock, ids }: { clock: Clock; ids: IdSource }): Session {
  const day = new Date(clock.nowMs()).toISOString().slice(0, 10);
  const name = `agent-${day}-${ids.secret().slice(0, 16)}`;
  return { id: `${name}.${proofOf(name, client)}`, name };
}

/**
 * Returns the session of an ID. Errors: invalid_parameter without one; not_found for one that the client did not begin with its present
 * secret.
 */
export function readSession(id: string | undefined, client: ApiClient): Session {
  if (id === undefined)
    throw invalidParameter('Mcp-Session-Id', 'is needed: begin a session with the method initialize');
  const [, name] = /^(agent-\d{4}-\d\d-\d\d-[\w-]{16})\.[\w-]{43}$/.exec(id) ?? [];
  if (name === undefined || !isSameText(id, `${name}.${proofOf(name, client)}`))
    throw notFound(id.slice(0, 100), 'session');
  return { id, name };
}

/** Only servers and the client know the secret, of which servers have the hash. */
const proofOf = (name: string, { clientId, secretHash }: ApiClient) =>
  createHmac('sha256', secretHash).update(`mcp ${clientId} ${name}`).digest('base64url');
