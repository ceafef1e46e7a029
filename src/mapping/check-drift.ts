/**
 * Whether the mappings that are kept still fit the content types of today: drafts, which cannot be published otherwise, and what is
 * published, whose broken routes are not served.
 */
import type { GraphqlApis } from '../graphql/graphql-apis.ts';
import type { GraphqlEndpoints } from '../graphql/graphql-endpoints.ts';
import type { DocumentProblem, GraphqlApi } from '../graphql/operation.ts';
import { prepareMapped, sourceIsGone } from './prepare-mapped.ts';
import type { RestEndpointDefinition } from './rest-endpoint.ts';
import type { RestEndpoints } from './rest-endpoints.ts';

/** What has become of all mappings. */
export interface DriftReport {
  /** How many were checked; one that is a draft and published is checked as both. */
  readonly checked: number;
  readonly broken: readonly DriftedMapping[];
}

/** A mapping whose document is no longer right, and why; `restEndpoint` and `mapping` are names. */
export interface DriftedMapping {
  readonly restEndpoint: string;
  readonly mapping: string;
  readonly state: 'draft' | 'published';
  readonly problems: readonly DocumentProblem[];
}

/** Checks every mapping against its source as it is now. */
export async function checkMappings({
  graphqlEndpoints,
  restEndpoints,
  apis,
}: {
  graphqlEndpoints: Pick<GraphqlEndpoints, 'list'>;
  restEndpoints: Pick<RestEndpoints, 'list'>;
  apis: GraphqlApis;
}): Promise<DriftReport> {
  const [sources, endpoints] = await Promise.all([graphqlEndpoints.list(), restEndpoints.list()]);
  const apiOf = new Map(sources.map((source) => [source.id, apis.get(source)]));
  const checked = endpoints.flatMap(({ present, published }) => [
    ...checkDefinition('draft', present.definition, apiOf),
    ...(published ? checkDefinition('published', published.definition, apiOf) : []),
  ]);
  return { checked: checked.length, broken: checked.filter(({ problems }) => problems.length > 0) };
}

function checkDefinition(
  state: DriftedMapping['state'],
  { name: restEndpoint, source, mappings }: RestEndpointDefinition,
  apiOf: ReadonlyMap<string, GraphqlApi>,
): DriftedMapping[] {
  const api = apiOf.get(source);
  return mappings.map(({ name: mapping, query }) => {
    const prepared = api ? prepareMapped(api, query) : sourceIsGone;
    return { restEndpoint, mapping, state, problems: 'problems' in prepared ? prepared.problems : [] };
  });
}
