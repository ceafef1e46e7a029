/**
 * Describes what a REST endpoint has published, for its callers.
 */
import type { JsonObject } from '../../model/content-type.ts';
import type { RestEndpoint, RestEndpointDefinition } from '../records/rest-endpoint.ts';
import { accessOf, buildRoutes, type RouteAtPath, type Source } from '../routes/build-routes.ts';
import { createRouteDocument } from './route-openapi.ts';

/** Creates the OpenAPI document of the published routes, without broken mappings. `undefined` for an unpublished endpoint. */
export function describePublished(
  endpoint: Pick<RestEndpoint, 'id' | 'published'>,
  source: Source | undefined,
): JsonObject | undefined {
  if (!endpoint.published) return undefined;
  const { number, definition } = endpoint.published;
  const routes = buildRoutes({ id: endpoint.id, definition, source });
  return describeRoutes({ definition, source, routes, version: String(number) });
}

/** Creates the OpenAPI document of the routes of a definition, without broken ones. */
export function describeRoutes({
  definition,
  source,
  routes,
  version,
}: {
  readonly definition: Omit<RestEndpointDefinition, 'mappings'>;
  readonly source: Source | undefined;
  readonly routes: readonly RouteAtPath[];
  readonly version: string;
}): JsonObject {
  const { name: title, access, preview, disableParameterSlashSyntax, cacheTags } = definition;
  return createRouteDocument({
    title,
    version,
    access: accessOf(access, source),
    preview,
    disableSlashSyntax: disableParameterSlashSyntax,
    cacheTags,
    routes: routes.flatMap(({ path, methods, route }) => {
      if (!route.operation) return [];
      const { mapping, operation, places } = route;
      return [{ ...mapping, path, methods, operation, places }];
    }),
  });
}
