/**
 * The tools that REST endpoints publish: queries of mappings with `tool: true`.
 */
import { assertEndpoint } from '../../access/endpoint-access.ts';
import { invalidParameter } from '../../base/errors.ts';
import type { ContentService } from '../../content/content-service.ts';
import { variablesSchema } from '../../mapping/describe/json-schema.ts';
import type { ReadyRoute } from '../../mapping/routes/build-routes.ts';
import type { JsonObject } from '../../model/content-type.ts';
import { toRouteResult } from '../routes/route-result.ts';
import { maxResultBytes } from './call-cma.ts';
import { releaseOf, tooLarge } from './read-tools.ts';
import { reading, type Tool } from './tool.ts';

/**
 * Creates the tool of a mapping. It reads the live content, with the release of the session over it if the endpoint serves releases. Errors
 * of its operation are part of its result.
 */
export function createMappedTool(
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
export const mayUse = (
  { scopes, endpoints }: Parameters<typeof assertEndpoint>[0],
  { sourceId }: ReadyRoute,
): boolean => scopes.includes('graphql') && (endpoints?.includes(sourceId) ?? true);
