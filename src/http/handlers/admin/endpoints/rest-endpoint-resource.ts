/**
 * Converts REST endpoints to the resources of the admin API.
 */
import type * as api from '../../../../../generated/server/admin.ts';
import { findMappingWarnings } from '../../../../mapping/records/endpoint-warnings.ts';
import type {
  RestEndpoint,
  RestEndpointDefinition,
  RestEndpointVersion,
} from '../../../../mapping/records/rest-endpoint.ts';
import { stateOf } from '../../../../mapping/records/rest-endpoints.ts';
import type { Source } from '../../../../mapping/routes/build-routes.ts';
import type { BrokenMapping } from '../../../../mapping/routes/route-table.ts';
import { toCorsMember } from '../responses.ts';

/** Converts the current state of a REST endpoint. `broken` lists its broken published mappings; `sourceOf` finds a source by ID. */
export function toResource(
  endpoint: RestEndpoint,
  broken: readonly BrokenMapping[],
  sourceOf: (id: string) => Source | undefined,
): api.RestEndpoint {
  const { id, current, published } = endpoint;
  const warningsOf = (definition: RestEndpointDefinition) =>
    findMappingWarnings(definition, sourceOf(definition.source));
  return {
    id,
    state: stateOf(endpoint),
    broken: broken.map(({ mapping, problems }) => ({ mapping, problems: [...problems] })),
    warnings: warningsOf(current.definition),
    ...toSummary(current),
    draft: toDefinition(current.definition),
    ...(published
      ? {
          published: {
            number: published.number,
            definition: toDefinition(published.definition),
            warnings: warningsOf(published.definition),
          },
        }
      : {}),
  };
}

/** Converts a version, without its definition. */
export function toSummary({ number, action, savedAtMs, savedBy }: RestEndpointVersion): api.VersionSummary {
  return { number, action, savedAt: savedAtMs, savedBy };
}

/** Converts a version, with its definition. */
export function toVersion(version: RestEndpointVersion): api.Version {
  return { ...toSummary(version), definition: toDefinition(version.definition) };
}

function toDefinition({ mappings, cors, ...definition }: RestEndpointDefinition): api.RestEndpointDefinition {
  return {
    ...definition,
    ...toCorsMember(cors),
    mappings: mappings.map(({ methods, ...mapping }) => ({ ...mapping, methods: [...methods] })),
  };
}
