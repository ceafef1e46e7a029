/**
 * Whether the mappings that are kept still fit the content types of today: drafts, which cannot be published otherwise, and what is
 * published, whose broken routes are not served. Warnings of endpoints are listed beside them.
 */
import type { GraphqlApis } from '../../graphql/endpoints/graphql-apis.ts';
import type { GraphqlEndpoint } from '../../graphql/endpoints/graphql-endpoint.ts';
import type { GraphqlEndpoints } from '../../graphql/endpoints/graphql-endpoints.ts';
import type { DocumentProblem } from '../../graphql/operation.ts';
import { findPublicMutations, findPublicTypes, type Warning } from '../records/public-writes.ts';
import type { RestEndpointDefinition } from '../records/rest-endpoint.ts';
import type { RestEndpoints } from '../records/rest-endpoints.ts';
import type { Source } from '../routes/build-routes.ts';
import { prepareMapped, sourceIsGone } from './prepare-mapping.ts';

/** What has become of all mappings. */
export interface DriftReport {
  /** How many were checked; one that is a draft and published is checked as both. */
  readonly checked: number;
  readonly broken: readonly DriftedMapping[];
  readonly warnings: readonly ReportedWarning[];
}

/** A warning with the name of the endpoint it is of, and for a REST endpoint which of its definitions. */
export interface ReportedWarning extends Warning {
  readonly graphqlEndpoint?: string;
  readonly restEndpoint?: string;
  readonly state?: DriftedMapping['state'];
}

/** A mapping whose document is no longer right, and why; `restEndpoint` and `mapping` are names. */
export interface DriftedMapping {
  readonly restEndpoint: string;
  readonly mapping: string;
  readonly state: 'draft' | 'published';
  readonly problems: readonly DocumentProblem[];
}

/** Checks every mapping against its source as it is now, and lists the warnings of all endpoints. */
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
  const sourceOf = new Map(
    sources.map((endpoint) => [endpoint.id, { endpoint, api: apis.get(endpoint) }] as const),
  );
  const definitions = endpoints.flatMap(({ present, published }) => [
    { state: 'draft' as const, definition: present.definition },
    ...(published ? [{ state: 'published' as const, definition: published.definition }] : []),
  ]);
  const stored = definitions.map((one) => ({ ...one, source: sourceOf.get(one.definition.source) }));
  const checked = stored.flatMap(checkDefinition);
  return {
    checked: checked.length,
    broken: checked.filter(({ problems }) => problems.length > 0),
    warnings: [...sources.flatMap(warnOfSource), ...stored.flatMap(warnOfDefinition)],
  };
}

/** A definition that is kept, with its source unless that is gone. */
interface StoredDefinition {
  readonly state: DriftedMapping['state'];
  readonly definition: RestEndpointDefinition;
  readonly source: Source | undefined;
}

function warnOfSource(endpoint: GraphqlEndpoint): ReportedWarning[] {
  return findPublicTypes(endpoint).map((warning) => ({ ...warning, graphqlEndpoint: endpoint.name }));
}

function warnOfDefinition({ state, definition, source }: StoredDefinition): ReportedWarning[] {
  const { name: restEndpoint } = definition;
  return findPublicMutations(definition, source).map((warning) => ({ ...warning, restEndpoint, state }));
}

function checkDefinition({ state, definition, source }: StoredDefinition): DriftedMapping[] {
  const { name: restEndpoint, mappings } = definition;
  return mappings.map(({ name: mapping, query }) => {
    const prepared = source ? prepareMapped(source.api, query) : sourceIsGone;
    return { restEndpoint, mapping, state, problems: 'problems' in prepared ? prepared.problems : [] };
  });
}
