/**
 * Reads and changes a GraphQL endpoint. A change is refused when the endpoint has changed since it was read.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { defaultLimit } from '../../../text/page-limits.ts';
import { toPathName } from '../../../text/path-name.ts';
import {
  type Access,
  ApiProblem,
  admin,
  answer,
  answerWithTag,
  type GraphqlEndpoint,
  type GraphqlEndpointDefinition,
  type GraphqlEndpointDryRun,
  ifMatch,
  type Tagged,
} from '../../api.ts';
import { worthAsking } from '../../parts/confirm/consequences.tsx';
import { type CorsDraft, toCors } from '../../parts/endpoints/cors-fields.tsx';

/**
 * The fields of a GraphQL endpoint's form. A limit is a text while it is not a number. The default path follows from the name.
 */
export interface EndpointFields {
  readonly name: string;
  readonly path?: string;
  readonly readTypes: readonly string[];
  readonly writeTypes: readonly string[];
  readonly access: Access;
  readonly defaultLimit: number | string;
  readonly maxLimit: number | string;
  readonly introspection: boolean;
  readonly trustedOnly: boolean;
  readonly preview?: boolean;
  readonly cors?: CorsDraft;
}

/** The fields of a new endpoint. */
export const blankEndpoint: EndpointFields = {
  name: '',
  readTypes: [],
  writeTypes: [],
  access: 'API_KEY',
  defaultLimit,
  maxLimit: 100,
  introspection: true,
  trustedOnly: false,
};

/** The path of an endpoint; by default it follows from the name. */
export function pathOf({ name, path }: EndpointFields): string {
  return path ?? toPathName(name);
}

/** Reads an endpoint, with its entity tag. */
export function useGraphqlEndpoint(id: string) {
  return useQuery({
    queryKey: ['graphql-endpoints', id],
    queryFn: () => answerWithTag(admin.getGraphqlEndpoint({ path: { id } })),
    // A form begins with the present state, not with one remembered.
    gcTime: 0,
  });
}

/** The actions on GraphQL endpoints. Errors: ApiProblem; 412 when the endpoint has changed since it was read. */
export function useEndpointChanges() {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: ['graphql-endpoints'] });
  const at = (seen: Tagged<GraphqlEndpoint>) => ({ path: { id: seen.data.id }, headers: ifMatch(seen) });
  const dryRun = (change: GraphqlEndpointDryRun, headers = {}) =>
    answer(admin.dryRunGraphqlEndpoint({ body: change, headers }));
  return {
    /** What there is to ask about before a save; of one that would be refused nothing, as the save itself says why. */
    tryOut: async (seen: Tagged<GraphqlEndpoint> | undefined, fields: EndpointFields) => {
      const definition = toDefinition(fields);
      const change: GraphqlEndpointDryRun = seen
        ? { change: 'REPLACE', id: seen.data.id, definition }
        : { change: 'CREATE', definition };
      try {
        return worthAsking(await dryRun(change, seen && at(seen).headers), seen?.data.warnings);
      } catch (error) {
        if (error instanceof ApiProblem && error.status === 400) return undefined;
        throw error;
      }
    },
    tryRemove: ({ data }: Tagged<GraphqlEndpoint>) => dryRun({ change: 'DELETE', id: data.id }),
    create: async (fields: EndpointFields) => {
      const endpoint = await answer(admin.createGraphqlEndpoint({ body: toDefinition(fields) }));
      await refresh();
      return endpoint;
    },
    replace: async (seen: Tagged<GraphqlEndpoint>, fields: EndpointFields) => {
      await answer(admin.replaceGraphqlEndpoint({ ...at(seen), body: toDefinition(fields) }));
      // Its types and its mappings may fit no longer, or again.
      await Promise.all([refresh(), client.invalidateQueries({ queryKey: ['rest-endpoints'] })]);
    },
    remove: async (seen: Tagged<GraphqlEndpoint>) => {
      await answer(admin.deleteGraphqlEndpoint(at(seen)));
      await client.invalidateQueries({ queryKey: ['graphql-endpoints'], exact: true });
    },
  };
}

/** What is sent of an endpoint. */
export function toDefinition(fields: EndpointFields): GraphqlEndpointDefinition {
  const { name, readTypes, writeTypes, access, defaultLimit, maxLimit, introspection, trustedOnly, preview } =
    fields;
  const path = pathOf(fields);
  const cors = toCors(fields.cors);
  return {
    name,
    ...(path === '' ? {} : { path }),
    readTypes: [...readTypes],
    writeTypes: [...writeTypes],
    access,
    ...(typeof defaultLimit === 'number' ? { defaultLimit } : {}),
    ...(typeof maxLimit === 'number' ? { maxLimit } : {}),
    introspection,
    trustedOnly,
    ...(preview ? { preview } : {}),
    ...(cors ? { cors } : {}),
  };
}
