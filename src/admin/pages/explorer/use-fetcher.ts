/**
 * How GraphiQL reaches an endpoint: by the admin API, with the session of whoever is signed in.
 *
 * The schema comes from the endpoint's SDL, since an endpoint may have introspection switched off.
 */
import type { Fetcher } from '@graphiql/toolkit';
import { useQueryClient } from '@tanstack/react-query';
import { buildSchema, type ExecutionResult, GraphQLError, introspectionFromSchema } from 'graphql';
import { useCallback, useRef } from 'react';
import { admin, answer, type GraphqlRequest } from '../../api.ts';
import { presentName } from './read-operation.ts';

/** The name of the operation by which GraphiQL asks for the schema, and which no one would give their own. */
export const schemaQueryName = 'Explorer__Schema';

/** The fetcher of an endpoint; what goes wrong on the way is an error in the response. */
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
