/**
 * Compares stored mappings and their OpenAPI documents before and after a change of content types.
 */

import { compareDocuments, removedOperation } from '../../documents/compare-documents.ts';
import type { GraphqlApis } from '../../graphql/endpoints/graphql-apis.ts';
import type { GraphqlEndpoint } from '../../graphql/endpoints/graphql-endpoint.ts';
import type { GraphqlEndpoints } from '../../graphql/endpoints/graphql-endpoints.ts';
import { checkMappings, type DriftedMapping } from '../checks/check-drift.ts';
import { describePublished } from '../describe/describe-published.ts';
import type { RestEndpoint } from '../records/rest-endpoint.ts';
import type { RestEndpoints } from '../records/rest-endpoints.ts';
import type { MappingBreaks, ReportedDocumentChange } from './types-report.ts';

/** The stored endpoints, and their schemas before and after the change. */
export interface ComparedEndpoints {
  readonly graphqlEndpoints: Pick<GraphqlEndpoints, 'list'>;
  readonly restEndpoints: Pick<RestEndpoints, 'list'>;
  readonly apis: { readonly before: GraphqlApis; readonly after: GraphqlApis };
}

/** Finds the mappings, of drafts and published, that the change breaks. */
export async function findMappingBreaks({ apis, ...endpoints }: ComparedEndpoints): Promise<MappingBreaks> {
  const before = await checkMappings({ ...endpoints, apis: apis.before });
  const after = await checkMappings({ ...endpoints, apis: apis.after });
  const brokenBefore = new Set(before.broken.map(keyOf));
  return {
    checked: after.checked,
    brokenBefore: brokenBefore.size,
    broken: after.broken.filter((mapping) => !brokenBefore.has(keyOf(mapping))),
  };
}

const keyOf = ({ restEndpoint, mapping, state }: DriftedMapping) =>
  JSON.stringify([restEndpoint, mapping, state]);

/** Compares the documents of all published REST endpoints. Routes that break are left out, since their mappings are reported. */
export async function compareRouteDocuments({
  graphqlEndpoints,
  restEndpoints,
  apis,
}: ComparedEndpoints): Promise<ReportedDocumentChange[]> {
  const [sources, endpoints] = await Promise.all([graphqlEndpoints.list(), restEndpoints.list()]);
  const sourceOf = new Map(sources.map((source) => [source.id, source]));
  return endpoints.flatMap((endpoint) => {
    const source = sourceOf.get(endpoint.published?.definition.source ?? '');
    const [old, now] = [apis.before, apis.after].map((api) => describe(endpoint, source, api));
    if (!old || !now || !endpoint.published) return [];
    const document = endpoint.published.definition.name;
    return compareDocuments(old, now)
      .filter(({ message }) => message !== removedOperation)
      .map((change) => ({ document, ...change }));
  });
}

function describe(endpoint: RestEndpoint, source: GraphqlEndpoint | undefined, apis: GraphqlApis) {
  return describePublished(endpoint, source && { endpoint: source, api: apis.get(source) });
}
