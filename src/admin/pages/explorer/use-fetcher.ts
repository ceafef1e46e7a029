/**
 * Sends GraphiQL's requests through the admin API, with the user's session. The schema is read from the endpoint's SDL, since its
 * introspection may be disabled.
 */
import type { Fetcher } from '@graphiql/toolkit';
import { useQueryClient } from '@tanstack/react-query';
import { buildSchema, type ExecutionResult, GraphQLError, introspectionFromSchema } from 'graphql';
import { useCallback, useRef } from 'react';
import { admin, answer, type GraphqlRequest } from '../../api.ts';
import { presentName } from './read-operation.ts';

/** The name of the operation by which GraphiQL asks for the schema, and which no one would give their own. */
export const schemaQueryName = 'Explorer__Schema';

/** Creates the fetcher of an endpoint. Failed requests become errors in the response. */
export function useFetcher(endpointId: string): Fetcher {
  const client = useQueryClient();
  const run = useRunOnce(endpointId);
  return useCallback(
    async ({ query, operationName = null, variables = {} }) => {
      try {
        if (operationName !== schemaQueryName) {
          const named = presentName(query, operationName);
          const response: object = await run({ query, operationName: named, variables });
          // GraphiQL's type asks for errors of GraphQL's class, but it only shows them as JSON, which these are.
          return response as ExecutionResult;
        }
        const { sdl } = await client.fetchQuery({
          queryKey: ['graphql-endpoints', endpointId, 'schema'],
          queryFn: () => answer(admin.getGraphqlSchema({ path: { id: endpointId } })),
        });
        return { data: { ...introspectionFromSchema(buildSchema(sdl)) } };
      } catch (error) {
        return { errors: [new GraphQLError(error instanceof Error ? error.message : String(error))] };
      }
    },
    [client, endpointId, run],
  );
}

/** Runs operations. The one that is under way is not sent a second time: GraphiQL runs at every click, however fast. */
function useRunOnce(endpointId: string) {
  const underWay = useRef<{ text: string; response: Promise<object> }>(undefined);
  return useCallback(
    (body: GraphqlRequest): Promise<object> => {
      const text = JSON.stringify(body);
      if (underWay.current?.text === text) return underWay.current.response;
      const response = answer(admin.runOperation({ path: { id: endpointId }, body })).finally(() => {
        if (underWay.current?.response === response) underWay.current = undefined;
      });
      underWay.current = { text, response };
      return response;
    },
    [endpointId],
  );
}
