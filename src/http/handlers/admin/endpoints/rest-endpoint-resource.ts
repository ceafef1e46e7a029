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
import type { NameOfAuthor } from './author-names.ts';

/** What the records of other kinds say about REST endpoints. */
export interface ResourceContext {
  /** Finds a source by ID. */
  readonly sourceOf: (id: string) => Source | undefined;
  readonly nameOf: NameOfAuthor;
}

/** Converts the current state of a REST endpoint. `broken` lists its broken published mappings. */
export function toResource(
  endpoint: RestEndpoint,
  broken: readonly BrokenMapping[],
  { sourceOf, nameOf }: ResourceContext,
): api.RestEndpoint {
  const { id, current, published } = endpoint;
  const warningsOf = (definition: RestEndpointDefinition) =>
    findMappingWarnings(definition, sourceOf(definition.source));
  return {
    id,
    state: stateOf(endpoint),
    broken: broken.map(({ mapping, problems }) => ({ mapping, problems: [...problems] })),
    warnings: warningsOf(current.definition),
    ...toSummary(current, nameOf),
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
export function toSummary(
  { number, action, savedAtMs, savedBy }: RestEndpointVersion,
  nameOf: NameOfAuthor,
): api.VersionSummary {
  const savedByName = nameOf(savedBy);
  return { number, action, savedAt: savedAtMs, savedBy, ...(savedByName !== undefined && { savedByName }) };
}

/** Converts a version, with its definition. */
export function toVersion(version: RestEndpointVersion, nameOf: NameOfAuthor): api.Version {
  return { ...toSummary(version, nameOf), definition: toDefinition(version.definition) };
}

function toDefinition({ mappings, cors, ...definition }: RestEndpointDefinition): api.RestEndpointDefinition {
  return {
    ...definition,
    ...toCorsMember(cors),
    mappings: mappings.map(({ methods, ...mapping }) => ({ ...mapping, methods: [...methods] })),
  };
}
