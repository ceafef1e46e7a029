/**
 * Serves `/mcp`: the Model Context Protocol over Streamable HTTP, for programs that let language models use tools.
 *
 * Each POST is one message, and its response is JSON. Nothing is kept between requests but calls that are running, so that they can be
 * cancelled: a session is its ID.
 */

import type { Authenticator } from '../../access/authenticator.ts';
import type { ApiClient } from '../../access/clients/api-client.ts';
import { assertEndpoint } from '../../access/endpoint-access.ts';
import { forbidden, invalidParameter, methodNotAllowed, routeNotFound } from '../../base/errors.ts';
import { readVersion } from '../../base/package-root.ts';
import type { RequestOrigins } from '../../base/request-origin.ts';
import type { Clock, IdSource, Logger } from '../../base/runtime.ts';
import type { ContentService } from '../../content/content-service.ts';
import { variablesSchema } from '../../mapping/describe/json-schema.ts';
import type { ReadyRoute } from '../../mapping/routes/build-routes.ts';
import type { PublishedApis } from '../../mapping/routes/published-apis.ts';
import type { JsonObject } from '../../model/content-type.ts';
import type { ApiHandler, MountedApi } from '../api.ts';
import { authenticateClients } from '../credentials/authenticate.ts';
import { isFailure, toErrorResponse } from '../error-map.ts';
import { type BodyLimits, createJsonReader } from '../request/read-body.ts';
import type { RequestLocals } from '../request/request-head.ts';
import { toSenderFields } from '../request/request-telemetry.ts';
import { toRouteResult } from '../routes/serve-routes.ts';
import { createChangeTools } from './change-tools.ts';
import { createReadTools, releaseOf, tooLarge } from './read-tools.ts';
import {
  beginSession,
  createCmaCaller,
  maxResultBytes,
  reading,
  readSession,
  type Tool,
  type ToolCall,
} from './tool.ts';

const path = '/mcp';

/** What the endpoint needs. */
interface McpServices {
  readonly content: ContentService;
  readonly authenticator: Authenticator;
  readonly publishedApis: Pick<PublishedApis, 'tools'>;
  readonly origins: RequestOrigins;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly limits: BodyLimits;
  readonly publicUrl?: string | undefined;
}

/** Creates the endpoint; `cma` handles requests to the content management API below `cmaPath`. */
export function createMcp(services: McpServices, cma: { handle: ApiHandler; basePath: string }): MountedApi {
  const { content, authenticator, publishedApis, origins, logger, limits } = services;
  const callCma = createCmaCaller(cma);
  const readTools = createReadTools({ content, callCma });
  const changeTools = createChangeTools({ content, callCma, origins });
  const readBody = createJsonReader(limits);
  const authenticate = authenticateClients(authenticator);
  const ownOrigin = services.publicUrl === undefined ? undefined : new URL(services.publicUrl).origin;
  const running = new Map<string, AbortController>();

  function toolsOf({ scopes }: ApiClient): Tool[] {
    const has = (...some: readonly string[]) => scopes.some((scope) => some.includes(scope));
    return [
      ...(has('cma:read', 'cma:draft', 'cma:write') ? readTools : []),
      ...changeTools.filter(({ annotations }) =>
        annotations.readOnlyHint ? has('cma:draft') : has('cma:draft', 'cma:write'),
      ),
    ];
  }

  function listTools(client: ApiClient): Tool[] {
    const mapped = [...publishedApis.tools()].filter(([, route]) => mayUse(client, route));
    return [...toolsOf(client), ...mapped.map(([name, route]) => createMappedTool(name, route, content))];
  }

  function findTool(name: string, client: ApiClient): Tool | undefined {
    const route = publishedApis.tools().get(name);
    const mapped = route && mayUse(client, route) ? createMappedTool(name, route, content) : undefined;
    return toolsOf(client).find((tool) => tool.name === name) ?? mapped;
  }

  async function runTool(tool: Tool, call: ToolCall): Promise<{ isError: boolean; content: JsonObject }> {
    try {
      const result = await tool.run(call);
      return { isError: 'status' in result, content: result };
    } catch (error) {
      if (call.signal.aborted) return { isError: true, content: { message: 'The call was cancelled' } };
      if (isFailure(error))
        logger.error({ ...toSenderFields(call.locals), tool: tool.name, err: error }, 'tool failed');
      // The body of an error is JSON.
      return { isError: true, content: toErrorResponse(error).body as JsonObject };
    }
  }

  return {
    basePath: path,
    toErrorResponse,
    headers: { 'Cache-Control': 'no-store' },
    authenticate(request, locals) {
      const { origin } = request.headers;
      // A page of another site must not reach a server on the network of its reader.
      if (origin !== undefined && origin !== ownOrigin)
        throw forbidden(`The Origin is not that of COLOPHON_PUBLIC_URL: ${origin.slice(0, 200)}`);
      return authenticate(request, locals);
    },
    async handle(request) {
      const { locals, headers, method, signal } = request;
      if (request.path !== path) throw routeNotFound(request.path);
      locals.route = path;
      if (method !== 'POST') throw methodNotAllowed(method, ['POST']);
      // Set by the authentication.
      const { client } = locals.sender as { client: ApiClient };
      const message = await request.readBody(readBody);
      const isFirst = message.method === 'initialize';
      const session = isFirst
        ? beginSession(client, services)
        : readSession(headers['mcp-session-id'], client);
      const keyOf = (id: unknown) => `${session.id} ${JSON.stringify(id)}`;
      if (message.method === 'notifications/cancelled')
        running.get(keyOf(Object(message.params).requestId))?.abort();
      const controller = new AbortController();
      const key = keyOf(message.id);
      if (message.id !== undefined && !isFirst) {
        if (running.has(key)) throw invalidParameter('id', 'is that of a request that is still running');
        running.set(key, controller);
      }
      try {
        // Loaded by the first request.
        const { answerMessage } = await import('./protocol.ts');
        const answer = await answerMessage(message, {
          version: readVersion(),
          headers,
          list: () => listTools(client),
          find: (name) => findTool(name, client),
          run: (tool, input) =>
            runTool(tool, {
              input,
              client,
              session,
              locals: locals as RequestLocals,
              signal: AbortSignal.any([signal, controller.signal]),
            }),
        });
        return isFirst && answer.status === 200
          ? { ...answer, headers: { 'Mcp-Session-Id': session.id } }
          : answer;
      } finally {
        if (running.get(key) === controller) running.delete(key);
      }
    },
  };
}

/**
 * Creates the tool of a mapping. It reads the live content, with the release of the session over it if the endpoint serves releases. Errors
 * of its operation are part of its result.
 */
function createMappedTool(
  name: string,
  { operation, places, preview, sourceId, readVariables }: ReadyRoute,
  content: Pick<ContentService, 'releases'>,
): Tool {
  const { variables, description = `Runs the query ${name}.` } = operation;
  const { $schema: _, ...schema } = variablesSchema(variables);
  return {
    name,
    description: `${description} Reads live content${preview ? ', with the drafts of this session' : ''}; at most ${maxResultBytes} bytes.`,
    inputSchema: { ...schema, type: 'object', additionalProperties: false },
    outputSchema: { type: 'object', properties: { result: {} }, required: ['result'] },
    isChecked: true,
    annotations: reading,
    async run(call) {
      const { client, signal, input } = call;
      assertEndpoint(client, sourceId);
      const unknown = Object.keys(input).find((given) => !variables.some((one) => one.name === given));
      if (unknown !== undefined) throw invalidParameter(unknown, 'is not a variable of this tool');
      const { sites } = client;
      // What is called `live` here is a variable.
      const release = preview ? await releaseOf({ ...call, input: {} }, content) : {};
      const caller = { ...(sites && { sites }), ...release, signal };
      const read = readVariables({ query: '', body: input });
      const { status, body } = toRouteResult(await operation.run({ variables: read, caller }), places);
      if (Buffer.byteLength(JSON.stringify(body)) > maxResultBytes) throw tooLarge('query');
      // GraphQL data is JSON.
      return { result: body as JsonObject, ...(status !== 200 && { status }) };
    },
  };
}

/** Tells whether a client may use the tool of a route. */
const mayUse = (
  { scopes, endpoints }: Parameters<typeof assertEndpoint>[0],
  { sourceId }: ReadyRoute,
): boolean => scopes.includes('graphql') && (endpoints?.includes(sourceId) ?? true);
